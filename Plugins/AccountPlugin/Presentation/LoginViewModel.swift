import ViewModelKit

/// Logs somebody in with a name and a password.
final class LoginViewModel: ViewModel {
  typealias Config = AccountConfig

  static let id = "account.login"

  /// Send what the fields hold; a tap while another one is being answered is ignored.
  let loginTapped = Input<LoginFields>()

  let showLoading = Signal<NoValue>()
  let hideLoading = Signal<NoValue>()
  let loginSucceeded = Signal<LoggedInUser>()
  /// Emits what to tell the user.
  let showError = Signal<String>()

  let http = HTTP()

  let login = Work(.ignoreWhileBusy)

  struct LoginFields: Codable, Sendable {
    let username: String
    let password: String
  }

  struct LoggedInUser: Codable, Equatable, Sendable {
    let username: String
  }

  func start(_ context: Context<AccountConfig>) {
    let logins = AccountComposition.logins(config: context.config, http: http)
    loginTapped.start(login) { fields in
      let attempt = LoginAttempt(username: fields.username, password: fields.password)
      self.showLoading.emit()
      let outcome = try await logins.outcome(of: attempt)
      self.hideLoading.emit()
      switch outcome {
      case .succeeded: self.loginSucceeded.emit(LoggedInUser(username: attempt.username))
      case .refused: self.showError.emit("Wrong user name or password")
      case .failed: self.showError.emit("Could not log in")
      }
    }
  }
}
