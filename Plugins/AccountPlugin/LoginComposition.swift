import ViewModelKit

/// Puts the layers of the login together.
struct LoginComposition: Sendable {
  let config: AccountConfig

  func logIn(http: HTTP) -> LogIn {
    LogIn(logins: NetworkLogins(http: http, apiBase: config.apiBase))
  }
}
