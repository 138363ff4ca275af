import ViewModelKit

/// Puts the layers of the statistics together.
enum StatisticsComposition {
  static func fetchRegistrations(config: AccountConfig, http: HTTP) -> FetchRegistrations {
    FetchRegistrations(
      statistics: NetworkStatisticsRepository(http: http, apiBase: config.apiBase))
  }
}
