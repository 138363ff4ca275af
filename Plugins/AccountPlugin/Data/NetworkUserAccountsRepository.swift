import ViewModelKit

/// Asks a server that speaks Kickstarter's protocol.
struct NetworkUserAccountsRepository: UserAccountsRepository {
  let http: HTTP
  let apiBase: String

  func logIn(as identity: LoginIdentity, code: String?) async throws -> UserSession {
    try session(from: await post("/xauth/access_token", LoginRequest(identity, code: code)))
  }

  func register(_ registration: Registration) async throws -> UserSession {
    try session(from: await post("/v1/users", RegistrationRequest(registration)))
  }

  func requestPasswordReset(email: String) async throws {
    let response = try await post("/v1/users/reset", PasswordResetRequest(email: email))
    if response.status == 404 {
      throw UserAccountsFailure(reason: .unknownEmail, message: nil)
    }
    guard response.isSuccess else { throw refusal(in: response) }
  }

  private func post(
    _ path: String, _ body: some Encodable & Sendable
  ) async throws -> HTTPResponse {
    do {
      return try await http.post(body, to: apiBase + path)
    } catch is EffectError {
      throw UserAccountsFailure(reason: .other, message: nil)
    }
  }

  private func session(from response: HTTPResponse) throws -> UserSession {
    guard response.isSuccess else { throw refusal(in: response) }
    do {
      return try response.decode(UserSessionResponse.self).session
    } catch {
      throw UserAccountsFailure(reason: .other, message: nil)
    }
  }

  private func refusal(in response: HTTPResponse) -> UserAccountsFailure {
    do {
      return try response.decode(UserAccountsErrorResponse.self).failure
    } catch {
      // A proxy's page, for one, refuses without a word that a user could read.
      return UserAccountsFailure(reason: .other, message: nil)
    }
  }
}
