import ViewModelKit

/// The settings of the sign-up.
struct SignupConfig: ViewModelConfig {
  enum Signup: String, Codable, CaseIterable, Sendable {
    /// Nobody makes an account: the answer is the session's chance, after a second.
    case mock
    /// A server at `signupURL` makes it.
    case remote
  }

  var signup = Signup.mock
  /// Where `remote` posts the username and the password: there is no such place by default.
  var signupURL = ""
}
