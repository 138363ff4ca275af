/// What was typed into the login form, as it goes on to the form for the code.
struct LoginCredentials: Codable, Equatable, Sendable {
  let email: String
  let password: String
}
