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
