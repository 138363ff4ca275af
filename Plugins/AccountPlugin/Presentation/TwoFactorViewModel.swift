import ViewModelKit

/// Logs in with the code of the second factor, after a login that asked for it.
final class TwoFactorViewModel: ViewModel {
  typealias Config = AccountConfig

  static let id = "account.two-factor"

  /// Send each time the text changes; null is a field without a text.
  let codeChanged = Input<String?>()
  /// Send what the login form's `tfaChallenge` gave. They go before a token.
  let credentials = Input<LoginCredentials>()
  /// Send the token of a login by Facebook that asked for a code.
  let facebookToken = Input<String>()
  /// Send once the app took over the access token that it was given.
  let environmentLoggedIn = Input<NoValue>()
  let resendPressed = Input<NoValue>()
  let submitPressed = Input<NoValue>()
  let viewDidLoad = Input<NoValue>()
  let viewWillAppear = Input<NoValue>()

  let codeTextFieldBecomeFirstResponder = Signal<NoValue>()
  let isFormValid = Signal<Bool>(.distinct)
  /// Emits true when a request begins and false when it is answered.
  let isLoading = Signal<Bool>()
  let logIntoEnvironment = Signal<AccessToken>()
  let postNotification = Signal<[SessionNotification]>()
  /// Emits when another code is on its way.
  let resendSuccess = Signal<NoValue>()
  let showError = Signal<String>()
  /// Emits the name of an event for the statistics.
  let track = Signal<String>()

  let http = HTTP()

  let submit = Work(.latest)
  let resend = Work(.latest)

  private var givenCredentials: LoginCredentials?
  private var givenToken: String?
  private var code: String?

  func start(_ context: Context<AccountConfig>) {
    let accounts = AccountComposition.userAccounts(config: context.config, http: http)

    viewDidLoad.on { self.codeTextFieldBecomeFirstResponder.emit() }
    viewWillAppear.on {
      self.isFormValid.emit(false)
      self.track.emit("Viewed Two-Factor Confirmation")
    }
    codeChanged.on { code in
      self.code = code
      self.isFormValid.emit(code?.count == 6)
    }
    credentials.on { self.givenCredentials = $0 }
    facebookToken.on { self.givenToken = $0 }
    submitPressed.on { self.submitCode(to: accounts) }
    resendPressed.on { self.askForCode(from: accounts) }
    environmentLoggedIn.on {
      self.postNotification.emit([.sessionStarted, .showNotificationsDialog])
    }
  }

  private var identity: LoginIdentity? {
    if let givenCredentials {
      .password(email: givenCredentials.email, password: givenCredentials.password)
    } else {
      givenToken.map { .facebook(token: $0) }
    }
  }

  private func submitCode(to accounts: some UserAccountsRepository) {
    guard let identity else { return }
    let code = code
    isLoading.emit(true)
    submit.start {
      do {
        let session = try await accounts.logIn(as: identity, code: code)
        self.isLoading.emit(false)
        self.logIntoEnvironment.emit(AccessToken(session))
      } catch let failure as UserAccountsFailure {
        self.isLoading.emit(false)
        self.showError.emit(failure.message ?? Self.text(for: failure.reason))
      }
    }
  }

  /// Logs in without a code, whose refusal has the server send another one.
  private func askForCode(from accounts: some UserAccountsRepository) {
    guard let identity else { return }
    isLoading.emit(true)
    resend.start {
      do {
        _ = try await accounts.logIn(as: identity, code: nil)
        self.isLoading.emit(false)
      } catch let failure as UserAccountsFailure {
        self.isLoading.emit(false)
        // What else went wrong, the next submission says better.
        if failure.reason == .codeRequired { self.resendSuccess.emit() }
      }
    }
  }

  private static func text(for reason: UserAccountsFailure.Reason) -> String {
    reason == .codeRejected ? "The code provided does not match." : "Unable to log in."
  }
}
