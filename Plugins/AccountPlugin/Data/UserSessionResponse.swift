/// The body of a successful login.
struct UserSessionResponse: Decodable {
  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case user
  }

  struct User: Decodable {
    let id: Int
    let name: String
    let isEmailVerified: Bool?
  }

  let accessToken: String
  let user: User

  /// A user of whom the server doesn't say that the email is verified has to verify it.
  var session: UserSession {
    UserSession(
      accessToken: accessToken,
      user: UserSession.User(
        id: user.id, name: user.name, isEmailVerified: user.isEmailVerified ?? false))
  }
}
