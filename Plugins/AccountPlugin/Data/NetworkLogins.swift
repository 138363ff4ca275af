import ViewModelKit

/// Has a server check names and passwords.
struct NetworkLogins: LoginRepository {
  private struct Body: Encodable, Sendable {
    let username: String
    let password: String
  }

  let http: HTTP
  let apiBase: String

  func outcome(of attempt: LoginAttempt) async throws -> LoginOutcome {
    let body = Body(username: attempt.username, password: attempt.password)
    let request = HTTPRequest(method: "POST", url: "\(apiBase)/login", body: .json(body))
    do {
      let response = try await http.send(request)
      if response.isSuccess { return .succeeded }
      return response.status == 401 ? .refused : .failed
    } catch is EffectError {
      return .failed
    }
  }
}
