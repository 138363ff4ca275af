/// The reason why a session could not do what it was asked, or can't go on.
package struct SessionError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The call makes no sense here, such as one with an unknown name. Nothing has changed.
    case mistake(RefusalCode)
    /// The plugin refused what it was given. Nothing has changed.
    case refused(RefusalCode)
    /// The plugin broke its contract. The session is over.
    case contract
    /// The session could not be recorded. It is over.
    case recording
  }

  package let code: Code
  package let description: String
  /// Whether the session is over.
  package var endsSession: Bool { code == .contract || code == .recording }
  /// Whether the plugin refused what it was given.
  package var isRefusal: Bool { if case .refused = code { true } else { false } }
  /// Why the line that asked for it is refused; nil if the session is over.
  package var refusal: RefusalCode? {
    switch code {
    case .mistake(let refusal), .refused(let refusal): refusal
    case .contract, .recording: nil
    }
  }
  /// Whether the caller couldn't know: what the call names has just closed, or was cancelled.
  package var isRace = false
  /// The tag of the input that the error is about, if it is about one.
  package var tag: UInt64?
  /// The tag of the input whose step failed, if the error isn't about that input itself.
  package var stepTag: UInt64?
  /// The `seq` of that input, if its sender wants an answer.
  package var seq: UInt64?

  init(_ code: Code, _ description: String, isRace: Bool = false, tag: UInt64? = nil) {
    self.code = code
    self.description = description
    self.isRace = isRace
    self.tag = tag
  }

  /// The error with the input that it is about.
  func about(_ index: Int, of batch: borrowing InputBatch) -> SessionError {
    var error = self
    error.tag = batch.events.records[index].id
    error.seq = batch.seq(of: index)
    return error
  }

  /// The error with the input in whose step it occurred.
  func inStep(_ index: Int, of batch: borrowing InputBatch) -> SessionError {
    var error = self
    error.stepTag = batch.events.records[index].id
    error.seq = batch.seq(of: index)
    return error
  }
}
