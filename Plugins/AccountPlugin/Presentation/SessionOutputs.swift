import ViewModelKit

/// The two ways in which a form ends that logged somebody in.
@ViewModelActor protocol SessionOutputs {
  var logIntoEnvironment: Signal<AccessToken> { get }
  /// Emitted in place of `logIntoEnvironment` when the user's email is yet to be verified.
  var logIntoEnvironmentAndShowEmailVerification: Signal<AccessToken> { get }
}

extension SessionOutputs {
  func finish(with session: UserSession) {
    let signal =
      session.user.isEmailVerified
      ? logIntoEnvironment : logIntoEnvironmentAndShowEmailVerification
    signal.emit(AccessToken(session))
  }
}
