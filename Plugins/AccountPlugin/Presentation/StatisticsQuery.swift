/// A period as the user picks it.
struct StatisticsQuery: Codable, Equatable, Sendable {
  let type: DateType
  /// `yyyy-MM-dd`.
  let date: String

  var period: StatisticsPeriod {
    let length: StatisticsPeriod.Length =
      switch type {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
    return StatisticsPeriod(length: length, date: date)
  }
}

/// How long a period is.
enum DateType: String, Codable, CaseIterable, Sendable {
  case day
  case week
  case month
  case year

  init(_ length: StatisticsPeriod.Length) {
    self =
      switch length {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
  }
}
