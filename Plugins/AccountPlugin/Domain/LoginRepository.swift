/// Knows whose password is whose.
protocol LoginRepository: Sendable {
  /// Throws only what ended the work early.
  func outcome(of attempt: LoginAttempt) async throws -> LoginOutcome
}
