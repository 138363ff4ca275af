import ViewModelKit

/// Has a server make accounts.
struct RemoteSignupRepository: SignupRepository {
  let http: HTTP
  let url: String

  func signUp(_ account: NewAccount) async throws -> Bool {
    let body = UsernameAndPasswordRequest(username: account.username, password: account.password)
    do {
      return try await http.post(body, to: url).isSuccess
    } catch is EffectError {
      return false
    }
  }
}
