import ViewModelKit

/// The settings that the view models with a server share, so that one config serves a whole flow.
struct AccountConfig: ViewModelConfig {
  /// Where requests go, scheme and host, without a slash at its end.
  var apiBase = "https://api.kickstarter.com"
}
