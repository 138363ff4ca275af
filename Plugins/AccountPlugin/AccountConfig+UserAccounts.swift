import ViewModelKit

extension AccountConfig {
  /// The one place that knows which data answers for the accounts.
  func userAccounts(http: HTTP) -> any UserAccounts {
    NetworkUserAccounts(http: http, apiBase: apiBase)
  }
}
