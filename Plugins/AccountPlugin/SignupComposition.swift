import ViewModelKit

/// Gives a number of a range by the session's chance.
typealias RandomNumber = @ViewModelActor @Sendable (Range<Int>) -> Int

/// Puts the layers of the sign-up together.
struct SignupComposition: Sendable {
  let config: SignupConfig

  func validateUsername(http: HTTP) -> ValidateUsername {
    ValidateUsername(usernames: GitHubUsernames(http: http))
  }

  func signUp(http: HTTP, timer: Timer, random: @escaping RandomNumber) -> SignUp {
    switch config.signup {
    case .mock: SignUp(signups: MockSignups(timer: timer, random: random))
    case .remote: SignUp(signups: RemoteSignups(http: http, url: config.signupURL))
    }
  }
}
