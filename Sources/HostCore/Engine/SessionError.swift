/// Why a session could not do what it was asked, or can't go on.
package struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// What was asked makes no sense here: an unknown handle, port, view model or id.
    case unknown
    /// The plugin refused what it was given. Nothing has changed.
    case refused
    /// The plugin broke its contract. The session is over.
    case contract
    /// It could not be recorded. The session is over.
    case recording
  }

  package let code: Code
  package let description: String
  /// Whether the session can't go on.
  package var endsSession: Bool { code == .contract || code == .recording }
  /// The tag of the input that it is about, if it is about one.
  package var tag: UInt64?
  /// The tag of the input in whose step it came, where it isn't about that input itself.
  package var stepTag: UInt64?

  init(_ code: Code, _ description: String, tag: UInt64? = nil) {
    self.code = code
    self.description = description
    self.tag = tag
  }
}
