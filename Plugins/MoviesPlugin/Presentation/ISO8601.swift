/// Dates as the details take them.
enum ISO8601 {
  /// Returns `yyyy-MM-dd`; the year has four digits or more.
  static func text(_ date: CalendarDate) -> String {
    "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))"
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
