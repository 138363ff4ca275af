/// What went wrong, in the sentences that the command line has for it.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What an app can make of an error.
  public enum Code: Equatable, Sendable {
    /// What was asked makes no sense here: an unknown name, a value that doesn't fit. Nothing has
    /// changed.
    case invalid
    /// The plugin refused what it was given. Nothing has changed.
    case refused
    /// A plugin, or the process for it, could not be started. There is no session.
    case notLoaded
    /// A plugin crashed, hangs or broke its contract. The session is over, the app goes on.
    case brokenPlugin
    /// The instance or the session was closed.
    case closed
    /// The task that waited was cancelled. The session goes on.
    case cancelled
    /// Timers go on for ever, so that the session never becomes idle. It goes on.
    case endless
    /// The system refused something that a session can't go on without, or something failed that
    /// vmhost has no words for.
    case system
  }

  public let code: Code
  /// One or two sentences, for people.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Whether a session can't go on after it.
  var endsSession: Bool { code == .brokenPlugin || code == .system }
}

extension HostError {
  /// Any error that a session's parts throw.
  init(_ error: any Error) {
    if let error = error as? HostError {
      self = error
      return
    }
    let failure = SessionFailure(error)
    let code: Code =
      switch failure.kind {
      case .invalid: .invalid
      case .refused: .refused
      case .endless: .endless
      case .notLoaded, .brokenWhileLoading: .notLoaded
      case .brokenPlugin: .brokenPlugin
      case .recording, .storage, .system, .unknown: .system
      }
    let isKnown = failure.kind != .unknown
    self.init(
      code,
      isKnown
        ? failure.description
        : "something failed that vmhost has no words for: \(failure.description).")
  }
}
