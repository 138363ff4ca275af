/// The body of a request that gives a name and a password and nothing else.
struct UsernameAndPasswordRequest: Encodable, Sendable {
  let username: String
  let password: String
}
