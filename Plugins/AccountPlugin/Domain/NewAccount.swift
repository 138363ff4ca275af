/// What an account is made of.
struct NewAccount: Equatable, Sendable {
  let username: String
  let password: String
}
