import ViewModelKit

/// Has instructions for a new password sent to an email address.
final class ResetPasswordViewModel: ViewModel {
  typealias Config = AccountConfig

  static let id = "account.reset-password"

  let viewDidLoad = Input<NoValue>()
  /// Send each time the text changes, and before `viewDidLoad` what the login form already has;
  /// null is a field without a text.
  let emailChanged = Input<String?>()
  let resetButtonPressed = Input<NoValue>()
  /// Send when the user has read that the instructions are on their way.
  let confirmResetButtonPressed = Input<NoValue>()

  let emailTextFieldBecomeFirstResponder = Signal<NoValue>()
  /// Emits the email that was there before the form, once ever.
  let setEmailInitial = Signal<String>()
  let formIsValid = Signal<Bool>(.distinct)
  let showResetSuccess = Signal<String>()
  let returnToLogin = Signal<NoValue>()
  let showError = Signal<String>()

  let http = HTTP()

  let reset = Work(.latest)

  private var hasLoaded = false
  private var hasInitialEmail = false
  /// The latest text that was one.
  private var email: String?
  private var isValid = false

  func start(_ context: Context<AccountConfig>) {
    let accounts = AccountComposition.userAccounts(config: context.config, http: http)

    viewDidLoad.on { self.load() }
    emailChanged.on { self.changeEmail(to: $0) }
    resetButtonPressed.on { self.requestReset(from: accounts) }
    confirmResetButtonPressed.on { self.returnToLogin.emit() }
  }

  private func load() {
    hasLoaded = true
    emailTextFieldBecomeFirstResponder.emit()
    if let email, !hasInitialEmail {
      hasInitialEmail = true
      setEmailInitial.emit(email)
    }
    formIsValid.emit(isValid)
  }

  private func changeEmail(to text: String?) {
    email = text ?? email
    isValid = text.map(EmailAddress.isValid) ?? false
    guard hasLoaded else { return }
    formIsValid.emit(isValid)
  }

  private func requestReset(from accounts: some UserAccountsRepository) {
    guard let email else { return }
    reset.start {
      do {
        try await accounts.requestPasswordReset(email: email)
        self.showResetSuccess.emit(
          "We've sent an email to \(email) with instructions to reset your password.")
      } catch let failure as UserAccountsFailure {
        // The server's own words are for those who run it.
        self.showError.emit(
          failure.reason == .unknownEmail
            ? "Sorry, we don't know that email address. Try again?" : "Something went wrong.")
      }
    }
  }
}
