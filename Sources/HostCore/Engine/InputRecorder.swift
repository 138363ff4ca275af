/// Writes down the inputs of a session, for a plugin in a process of its own.
package protocol InputRecorder: AnyObject {
  /// Writes inputs that a plugin has handled, and all that they have led to so far, except for the
  /// events of the last input, which may go on. It is called before the session acts on any of
  /// these events, and before anybody sees them.
  ///
  /// - Parameters:
  ///   - inputs: the indices of the inputs in `batch`, which are the steps of their events.
  ///   - position: where their events begin in those of the session.
  /// - Throws: an error that ends the session, if they can't be written.
  func record(
    _ inputs: Range<Int>, of batch: borrowing InputBatch, from position: Int,
    _ session: SessionEngine
  ) throws(SessionError)
}
