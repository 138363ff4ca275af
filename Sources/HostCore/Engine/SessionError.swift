/// The reason why a session could not do what it was asked, or can't go on.
package struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The call makes no sense here: an unknown handle, port, view model or id.
    case unknown
    /// The plugin refused what it was given. Nothing has changed.
    case refused
    /// The plugin broke its contract. The session is over.
    case contract
    /// The session could not be recorded. It is over.
    case recording
  }

  package let code: Code
  package let description: String
  /// Whether the session is over.
  package var endsSession: Bool { code == .contract || code == .recording }
  /// The tag of the input that the error is about, if it is about one.
  package var tag: UInt64?
  /// The tag of the input whose step failed, if the error isn't about that input itself.
  package var stepTag: UInt64?

  init(_ code: Code, _ description: String, tag: UInt64? = nil) {
    self.code = code
    self.description = description
    self.tag = tag
  }
}
