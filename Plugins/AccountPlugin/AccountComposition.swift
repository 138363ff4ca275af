import ViewModelKit

/// Puts the layers together: the one place that knows which data answers for what the domain asks.
enum AccountComposition {
  static func userAccounts(config: AccountConfig, http: HTTP) -> some UserAccountsRepository {
    NetworkUserAccountsRepository(http: http, apiBase: config.apiBase)
  }

  static func logins(config: AccountConfig, http: HTTP) -> some LoginRepository {
    NetworkLoginRepository(http: http, apiBase: config.apiBase)
  }

  static func statistics(config: AccountConfig, http: HTTP) -> some StatisticsRepository {
    NetworkStatisticsRepository(http: http, apiBase: config.apiBase)
  }

  static func searchCodeRepositories(http: HTTP) -> SearchCodeRepositories {
    SearchCodeRepositories(source: GitHubCodeRepositoriesSource(http: http))
  }

  static func profileUpdates(timer: Timer) -> some ProfileUpdates {
    MockWebProfileUpdates(timer: timer)
  }

  static func validateUsername(http: HTTP) -> ValidateUsername {
    ValidateUsername(usernames: GitHubUsernamesRepository(http: http))
  }

  static func signups(
    config: SignupConfig, http: HTTP, timer: Timer,
    random: @escaping MockSignupRepository.RandomNumber
  ) -> any SignupRepository {
    switch config.signup {
    case .mock: MockSignupRepository(timer: timer, random: random)
    case .remote: RemoteSignupRepository(http: http, url: config.signupURL)
    }
  }
}
