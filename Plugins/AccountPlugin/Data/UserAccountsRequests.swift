/// The body of a login. What is nil is left out.
struct LoginRequest: Encodable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case email
    case password
    case facebookToken = "access_token"
    case code
  }

  var email: String?
  var password: String?
  var facebookToken: String?
  let code: String?

  init(_ identity: LoginIdentity, code: String?) {
    switch identity {
    case .password(let email, let password):
      self.email = email
      self.password = password
    case .facebook(let token):
      facebookToken = token
    }
    self.code = code
  }
}

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

/// The body of a request for a new password.
struct PasswordResetRequest: Encodable, Sendable {
  let email: String
}
