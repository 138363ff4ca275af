/// The statistics as the screen shows them.
struct StatisticsResult: Codable, Equatable, Sendable {
  let type: DateType
  /// `yyyy-MM-dd`.
  let date: String
  let count: Int

  init(_ statistics: RegistrationStatistics) {
    type = DateType(statistics.period.length)
    date = statistics.period.date
    count = statistics.count
  }
}
