/// Where users have their accounts.
protocol UserAccountsRepository: Sendable {
  /// Logs in, with the code of the second factor if there is one. Throws a `UserAccountsFailure`,
  /// or what ended the work early.
  func logIn(as identity: LoginIdentity, code: String?) async throws -> UserSession

  /// Makes an account and logs in to it. Throws a `UserAccountsFailure`, or what ended the work
  /// early.
  func register(_ registration: Registration) async throws -> UserSession

  /// Has instructions for a new password sent to the address. Throws a `UserAccountsFailure`, or
  /// what ended the work early.
  func requestPasswordReset(email: String) async throws
}
