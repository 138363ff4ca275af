/// What came of an attempt to log in.
enum LoginOutcome: Equatable, Sendable {
  case succeeded
  /// The name or the password is wrong.
  case refused
  /// Nobody could say.
  case failed
}
