/// Makes an account.
struct SignUp: Sendable {
  let signups: any SignupRepository

  /// Returns whether it was made. Throws only what ended the work early.
  func execute(_ account: NewAccount) async throws -> Bool {
    try await signups.signUp(account)
  }
}
