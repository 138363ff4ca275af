/// A user who is logged in, with the token that proves it to the server.
struct UserSession: Equatable, Sendable {
  struct User: Equatable, Sendable {
    let id: Int
    let name: String
    let isEmailVerified: Bool
  }

  let accessToken: String
  let user: User
}
