/// A successful login, as the app keeps it.
struct AccessToken: Codable, Equatable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case token = "access_token"
    case user
  }

  struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
    let isEmailVerified: Bool
  }

  let token: String
  let user: User

  init(_ session: UserSession) {
    token = session.accessToken
    user = User(
      id: session.user.id, name: session.user.name, isEmailVerified: session.user.isEmailVerified)
  }
}
