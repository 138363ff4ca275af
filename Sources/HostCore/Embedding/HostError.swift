/// An error of the host or a plugin, described as on the command line.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of an error, for an app to act on.
  public enum Code: Equatable, Sendable {
    /// The call makes no sense here: a name is unknown, or a value can't be converted. Nothing has
    /// changed.
    case invalid
    /// The plugin refused what it was given, or its manifest has a schema that this doesn't fit.
    /// Nothing has changed.
    case refused
    /// A plugin, or the process for it, could not be started. There is no session.
    case notLoaded
    /// A plugin crashed, hung or broke its contract. The session is over; the app goes on.
    case brokenPlugin
    /// The instance or the session was closed.
    case closed
    /// The waiting task was cancelled. The session goes on.
    case cancelled
    /// Timers repeat for ever, so the session never becomes idle. The session goes on.
    case endless
    /// The system refused something that a session can't do without, such as opening its store, or
    /// an unknown error occurred. The session is over.
    case system
  }

  /// The kind of error.
  public let code: Code
  /// One or two sentences for people.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Whether the error ends the session that it occurs in.
  var endsSession: Bool { code == .brokenPlugin || code == .system }
}

extension HostError {
  /// Converts any error that a part of a session throws.
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
        : "unexpected failure: \(failure.description).")
  }
}
