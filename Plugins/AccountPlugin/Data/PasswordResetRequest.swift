/// The body of a request for a new password.
struct PasswordResetRequest: Encodable, Sendable {
  let email: String
}
