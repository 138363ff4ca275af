/// Where accounts are made.
protocol SignupRepository: Sendable {
  /// Returns whether the account was made, for whatever reason it was not. Throws only what ended
  /// the work early.
  func signUp(_ account: NewAccount) async throws -> Bool
}
