/// Finds out how many people registered.
struct FetchRegistrations: Sendable {
  let statistics: any StatisticsRepository

  /// Throws `StatisticsUnavailable`, or what ended the work early.
  func execute(in period: StatisticsPeriod) async throws -> RegistrationStatistics {
    try await statistics.registrations(in: period)
  }
}
