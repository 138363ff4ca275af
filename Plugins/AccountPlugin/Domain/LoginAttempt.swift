/// Who somebody claims to be.
struct LoginAttempt: Equatable, Sendable {
  let username: String
  let password: String
}
