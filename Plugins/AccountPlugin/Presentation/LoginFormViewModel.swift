import ViewModelKit

/// Logs in with email and password.
final class LoginFormViewModel: ViewModel, SessionOutputs {
  typealias Config = AccountConfig

  static let id = "account.login-form"

  /// Send each time the text changes; null, which says nothing, is skipped.
  let emailChanged = Input<String?>()
  let emailTextFieldDoneEditing = Input<NoValue>()
  /// Send once the app took over the access token that it was given.
  let environmentLoggedIn = Input<NoValue>()
  let loginButtonPressed = Input<NoValue>()
  /// Send each time the text changes; null, which says nothing, is skipped.
  let passwordChanged = Input<String?>()
  let passwordTextFieldDoneEditing = Input<NoValue>()
  let resetPasswordButtonPressed = Input<NoValue>()
  let showHidePasswordButtonTapped = Input<NoValue>()
  /// Send when the appearance changed, so that the show/hide button is drawn anew.
  let traitCollectionDidChange = Input<NoValue>()
  let viewDidLoad = Input<NoValue>()
  let viewWillAppear = Input<NoValue>()

  let dismissKeyboard = Signal<NoValue>()
  let emailTextFieldBecomeFirstResponder = Signal<NoValue>()
  let logIntoEnvironment = Signal<AccessToken>()
  let logIntoEnvironmentAndShowEmailVerification = Signal<AccessToken>()
  let passwordTextFieldBecomeFirstResponder = Signal<NoValue>()
  let postNotification = Signal<[SessionNotification]>()
  let showError = Signal<String>()
  let showResetPassword = Signal<NoValue>()
  /// Whether the password is to be readable.
  let showHidePasswordButtonToggled = Signal<Bool>()
  /// Emits what was sent when the server wants a code with it.
  let tfaChallenge = Signal<LoginCredentials>()
  /// Emits the name of an event for the statistics.
  let track = Signal<String>()
  let isFormValid = Signal<Bool>()

  let http = HTTP()

  let logIn = Work(.latest)

  private var email: String?
  private var password: String?
  private var hasAppeared = false
  /// Nil until the button was tapped.
  private var showsPassword: Bool?

  func start(_ context: Context<AccountConfig>) {
    let accounts = AccountComposition.userAccounts(config: context.config, http: http)

    viewDidLoad.on { self.emailTextFieldBecomeFirstResponder.emit() }
    viewWillAppear.on { self.appear() }
    emailChanged.on { self.change(\.email, to: $0) }
    passwordChanged.on { self.change(\.password, to: $0) }
    emailTextFieldDoneEditing.on { self.passwordTextFieldBecomeFirstResponder.emit() }
    passwordTextFieldDoneEditing.on {
      self.dismissKeyboard.emit()
      self.attempt(with: accounts)
    }
    loginButtonPressed.on { self.attempt(with: accounts) }
    environmentLoggedIn.on {
      self.postNotification.emit([.sessionStarted, .showNotificationsDialog])
    }
    resetPasswordButtonPressed.on { self.showResetPassword.emit() }
    showHidePasswordButtonTapped.on {
      self.showsPassword = !(self.showsPassword ?? false)
      self.emitShowsPassword()
    }
    traitCollectionDidChange.on { self.emitShowsPassword() }
  }

  private func appear() {
    guard !hasAppeared else { return }
    hasAppeared = true
    isFormValid.emit(false)
  }

  private func change(
    _ field: ReferenceWritableKeyPath<LoginFormViewModel, String?>, to text: String?
  ) {
    guard let text else { return }
    self[keyPath: field] = text
    guard let email, let password else { return }
    isFormValid.emit(EmailAddress.isValid(email) && !password.isEmpty)
  }

  private func emitShowsPassword() {
    guard let showsPassword else { return }
    showHidePasswordButtonToggled.emit(showsPassword)
  }

  private func attempt(with accounts: some UserAccountsRepository) {
    guard let email, let password else { return }
    track.emit("Log In Submit Button Clicked")
    logIn.start {
      do {
        let session = try await accounts.logIn(
          as: .password(email: email, password: password), code: nil)
        self.finish(with: session)
      } catch let failure as UserAccountsFailure {
        if failure.reason == .codeRequired {
          self.tfaChallenge.emit(LoginCredentials(email: email, password: password))
        } else {
          self.showError.emit(failure.message ?? "Unable to log in.")
        }
      }
    }
  }
}
