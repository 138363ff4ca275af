/// Logs somebody in.
struct LogIn: Sendable {
  let logins: any LoginRepository

  /// Throws only what ended the work early.
  func execute(_ attempt: LoginAttempt) async throws -> LoginOutcome {
    try await logins.outcome(of: attempt)
  }
}
