import ViewModelKit

/// Makes an account from a name, an email address and a password.
final class RegisterViewModel: ViewModel, SessionOutputs {
  typealias Config = AccountConfig

  static let id = "account.register"

  let emailChanged = Input<String>()
  let emailTextFieldReturn = Input<NoValue>()
  /// Send once the app took over the access token that it was given.
  let environmentLoggedIn = Input<NoValue>()
  let nameChanged = Input<String>()
  let nameTextFieldReturn = Input<NoValue>()
  let passwordChanged = Input<String>()
  let passwordTextFieldReturn = Input<NoValue>()
  let signupButtonPressed = Input<NoValue>()
  /// Send before anything is typed: the form begins empty with it.
  let viewDidLoad = Input<NoValue>()
  let weeklyNewsletterChanged = Input<Bool>()

  let nameTextFieldBecomeFirstResponder = Signal<NoValue>()
  let emailTextFieldBecomeFirstResponder = Signal<NoValue>()
  let passwordTextFieldBecomeFirstResponder = Signal<NoValue>()
  let isSignupButtonEnabled = Signal<Bool>(.distinct)
  let logIntoEnvironment = Signal<AccessToken>()
  let logIntoEnvironmentAndShowEmailVerification = Signal<AccessToken>()
  let postNotification = Signal<[SessionNotification]>()
  /// Emits where the switch begins, once ever.
  let setWeeklyNewsletterState = Signal<Bool>(.distinct)
  let showError = Signal<String>()
  /// Emits the name of an event for the statistics.
  let track = Signal<String>()

  let http = HTTP()

  let register = Work(.latest)

  /// What the form holds; nil before there is a form.
  private var form: Registration?

  func start(_ context: Context<AccountConfig>) {
    let accounts = AccountComposition.userAccounts(config: context.config, http: http)

    viewDidLoad.on { self.load() }
    nameChanged.on { self.change(\.name, to: $0) }
    emailChanged.on { self.change(\.email, to: $0) }
    passwordChanged.on { self.change(\.password, to: $0) }
    weeklyNewsletterChanged.on { self.changeNewsletter(to: $0) }
    nameTextFieldReturn.on { self.emailTextFieldBecomeFirstResponder.emit() }
    emailTextFieldReturn.on { self.passwordTextFieldBecomeFirstResponder.emit() }
    passwordTextFieldReturn.on { self.attempt(with: accounts) }
    signupButtonPressed.on { self.attempt(with: accounts) }
    environmentLoggedIn.on { self.postNotification.emit([.sessionStarted]) }
  }

  private func load() {
    let empty = Registration()
    var form = empty
    // The switch is told where it begins only once, so what it was turned to since then holds.
    form.sendsNewsletters = self.form?.sendsNewsletters ?? empty.sendsNewsletters
    self.form = form
    nameTextFieldBecomeFirstResponder.emit()
    // Distinct, and never another value: so it says it once.
    setWeeklyNewsletterState.emit(empty.sendsNewsletters)
    isSignupButtonEnabled.emit(form.isComplete)
  }

  private func change(_ field: WritableKeyPath<Registration, String>, to text: String) {
    guard var form else { return }
    form[keyPath: field] = text
    self.form = form
    isSignupButtonEnabled.emit(form.isComplete)
  }

  private func changeNewsletter(to isOn: Bool) {
    form?.sendsNewsletters = isOn
    track.emit(isOn ? "Subscribed To Newsletter" : "Unsubscribed From Newsletter")
    track.emit("Signup Newsletter Toggle")
  }

  private func attempt(with accounts: some UserAccountsRepository) {
    guard let form else { return }
    track.emit("Signup Submit Button Clicked")
    register.start {
      do {
        self.finish(with: try await accounts.register(form))
      } catch let failure as UserAccountsFailure {
        self.showError.emit(failure.message ?? "Something went wrong.")
      }
    }
  }
}
