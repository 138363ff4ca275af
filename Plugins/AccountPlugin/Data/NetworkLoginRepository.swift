import ViewModelKit

/// Has a server check names and passwords.
struct NetworkLoginRepository: LoginRepository {
  let http: HTTP
  let apiBase: String

  func outcome(of attempt: LoginAttempt) async throws -> LoginOutcome {
    let body = UsernameAndPasswordRequest(username: attempt.username, password: attempt.password)
    do {
      let response = try await http.post(body, to: "\(apiBase)/login")
      if response.isSuccess { return .succeeded }
      return response.status == 401 ? .refused : .failed
    } catch is EffectError {
      return .failed
    }
  }
}
