/// The statistics as they travel; other keys than these are ignored.
struct StatisticsResponse: Decodable {
  let count: Int

  func statistics(of period: StatisticsPeriod) -> RegistrationStatistics {
    RegistrationStatistics(period: period, count: count)
  }
}
