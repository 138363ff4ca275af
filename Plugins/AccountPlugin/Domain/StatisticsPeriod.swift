/// A day, or the week, month or year that it is in.
struct StatisticsPeriod: Equatable, Sendable {
  enum Length: Equatable, Sendable {
    case day
    case week
    case month
    case year
  }

  let length: Length
  /// `yyyy-MM-dd`, as it was given: whether there is such a day is for the source to say.
  let date: String
}
