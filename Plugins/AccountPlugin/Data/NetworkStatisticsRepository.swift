import ViewModelKit

/// Asks the server for statistics.
struct NetworkStatisticsRepository: StatisticsRepository {
  let http: HTTP
  let apiBase: String

  func registrations(in period: StatisticsPeriod) async throws -> RegistrationStatistics {
    do {
      let response = try await http.get(url(of: period))
      guard response.isSuccess else { throw StatisticsUnavailable() }
      return try response.decode(StatisticsResponse.self).statistics(of: period)
    } catch is EffectError {
      throw StatisticsUnavailable()
    }
  }

  private func url(of period: StatisticsPeriod) -> String {
    let date = PercentEncoding.encode(period.date)
    return "\(apiBase)/statistics?type=\(period.length.queryValue)&date=\(date)"
  }
}

extension StatisticsPeriod.Length {
  fileprivate var queryValue: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .year: "year"
    }
  }
}
