/// How somebody says who they are.
enum LoginIdentity: Equatable, Sendable {
  case password(email: String, password: String)
  /// A token that Facebook gave out for the user.
  case facebook(token: String)
}
