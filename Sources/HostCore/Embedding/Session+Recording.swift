extension Session {
  /// Records the session in a file, as a transcript that can be replayed and tested.
  ///
  /// Each event is written to the file, without secrets, before a plugin gets it. The file is
  /// complete once the session is closed. It is removed if nothing has happened by then.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which must not exist yet.
  ///   - headers: the names of response headers to keep besides the usual ones, such as
  ///     `x-total-count`.
  /// - Throws: a `HostError`:
  ///   - `invalid` if an instance has been opened already, if the session is being recorded
  ///     already, or if the file exists or can't be created;
  ///   - `closed` if the session is closed;
  ///   - `brokenPlugin` or `system` if that has ended the session.
  ///
  ///   If the file can't be written later, that ends the session with `system`.
  public func record(to path: String, keeping headers: [String] = []) async throws(HostError) {
    try await perform { thread throws(HostError) in
      try thread.record(to: path, keeping: headers)
    }
  }
}
