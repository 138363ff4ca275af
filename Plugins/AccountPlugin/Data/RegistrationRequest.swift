/// The body of a registration. The form asks for the password once, so the confirmation is a copy.
struct RegistrationRequest: Encodable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case name
    case email
    case password
    case passwordConfirmation = "password_confirmation"
    case sendsNewsletters = "send_newsletters"
  }

  let name: String
  let email: String
  let password: String
  let passwordConfirmation: String
  let sendsNewsletters: Bool

  init(_ registration: Registration) {
    name = registration.name
    email = registration.email
    password = registration.password
    passwordConfirmation = registration.password
    sendsNewsletters = registration.sendsNewsletters
  }
}
