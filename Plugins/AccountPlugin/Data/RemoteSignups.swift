import ViewModelKit

/// Has a server make accounts.
struct RemoteSignups: SignupRepository {
  private struct Body: Encodable, Sendable {
    let username: String
    let password: String
  }

  let http: HTTP
  let url: String

  func signUp(_ account: NewAccount) async throws -> Bool {
    let body = Body(username: account.username, password: account.password)
    do {
      return try await http.send(HTTPRequest(method: "POST", url: url, body: .json(body))).isSuccess
    } catch is EffectError {
      return false
    }
  }
}
