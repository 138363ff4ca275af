import ViewModelKit

/// Signs somebody up to GitHub, and says meanwhile what is wrong with what was typed.
final class SignupViewModel: ViewModel {
  typealias Config = SignupConfig

  static let id = "account.signup"

  /// Send the text at each change of its field.
  let username = Input<String>()
  let password = Input<String>()
  let repeatedPassword = Input<String>()
  /// Send at each tap; it is the view that disables the button while `signupEnabled` is false.
  let loginTaps = Input<NoValue>()
  /// Send the action with which the user put the latest prompt away.
  let promptAnswer = Input<String>()

  let validatedUsername = State(SignupValidation.empty)
  let validatedPassword = State(SignupValidation.empty)
  let validatedPasswordRepeated = State(SignupValidation.empty)
  let signupEnabled = State(false, .distinct)
  let signingIn = State(false, .distinct)
  let prompt = Signal<SignupPrompt>()
  /// Emits the outcome of a sign-up once its prompt was answered.
  let signedIn = Signal<Bool>()

  let http = HTTP()
  let timer = Timer()

  let validation = Work(.latest)
  let signup = Work(.latest)

  private var latestUsername: String?
  private var latestPassword: String?
  private var latestRepetition: String?
  private var unanswered: (prompt: SignupPrompt, signedIn: Bool)?

  func start(_ context: Context<SignupConfig>) {
    let validateUsername = AccountComposition.validateUsername(http: http)
    let signups = AccountComposition.signups(
      config: context.config, http: http, timer: timer,
      random: { Int.random(in: $0, using: &context.random) })

    username.start(validation) { username in
      self.latestUsername = username
      let validity = try await validateUsername.execute(username) { self.show(.validating) }
      self.show(validity)
    }
    password.on { password in
      self.latestPassword = password
      self.validatedPassword.value = SignupValidation(PasswordValidity(password))
      self.showRepetition()
    }
    repeatedPassword.on { repetition in
      self.latestRepetition = repetition
      self.showRepetition()
    }
    loginTaps.on { self.signUp(with: signups) }
    promptAnswer.on { self.answerPrompt(with: $0) }
  }

  private func show(_ validity: UsernameValidity) {
    validatedUsername.value = SignupValidation(validity)
    showSignupEnabled()
  }

  private func showRepetition() {
    if let password = latestPassword, let repetition = latestRepetition {
      validatedPasswordRepeated.value = SignupValidation(
        RepetitionValidity(repetition, of: password))
    }
    showSignupEnabled()
  }

  private func showSignupEnabled() {
    let fields = [validatedUsername, validatedPassword, validatedPasswordRepeated]
    signupEnabled.value = fields.allSatisfy(\.value.isValid) && !signingIn.value
  }

  private func signUp(with signups: some SignupRepository) {
    guard let username = latestUsername, let password = latestPassword else { return }
    let account = NewAccount(username: username, password: password)
    signingIn.value = true
    showSignupEnabled()
    signup.start {
      let signedIn = try await signups.signUp(account)
      let prompt = SignupPrompt(signedIn: signedIn)
      self.unanswered = (prompt, signedIn)
      self.prompt.emit(prompt)
      self.signingIn.value = false
      self.showSignupEnabled()
    }
  }

  private func answerPrompt(with action: String) {
    guard let (prompt, signedIn) = unanswered, action == prompt.cancelAction else { return }
    unanswered = nil
    self.signedIn.emit(signedIn)
  }
}
