/// A day of the Gregorian calendar, reckoned backwards before its introduction too.
struct CalendarDate: Equatable, Sendable {
  let year: Int
  let month: Int
  let day: Int

  /// Nil when the calendar has no such day: 2005-02-30, or any day before the year 1.
  init?(year: Int, month: Int, day: Int) {
    guard year >= 1, (1...12).contains(month) else { return nil }
    guard (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  }
}
