/// How many people registered in a period.
struct RegistrationStatistics: Equatable, Sendable {
  let period: StatisticsPeriod
  let count: Int
}
