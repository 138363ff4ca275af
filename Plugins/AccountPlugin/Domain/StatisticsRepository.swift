/// Where statistics come from.
protocol StatisticsRepository: Sendable {
  /// Throws `StatisticsUnavailable`, or what ended the work early.
  func registrations(in period: StatisticsPeriod) async throws -> RegistrationStatistics
}

/// The source can't be reached, refused, or said what can't be read.
struct StatisticsUnavailable: Error, Equatable {}
