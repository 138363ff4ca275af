/// Moments as text: RFC 3339 in UTC or with an offset, such as `2026-01-31T12:00:00Z`.
package enum Timestamp {
  package static let form = "a time such as 2026-01-31T12:00:00Z"

  /// Nanoseconds since 1970-01-01T00:00:00Z, or nil if `text` isn't a moment from 1678 to 2262.
  package static func parse(_ text: String) -> Nanoseconds? {
    var rest = Substring(text)
    guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest),
      take("-", &rest), let day = digits(2, &rest), (1...12).contains(month),
      day >= 1, day <= length(ofMonth: month, year: year)
    else { return nil }
    var seconds = daysSince1970(year, month, day) * 86_400
    var fraction: Int64 = 0
    if !rest.isEmpty {
      guard take("T", &rest) || take("t", &rest) || take(" ", &rest), let hour = digits(2, &rest),
        take(":", &rest), let minute = digits(2, &rest), take(":", &rest),
        let second = digits(2, &rest), hour < 24, minute < 60, second < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60 + second
      guard let parsed = parseFraction(&rest), let offset = parseOffset(&rest), rest.isEmpty
      else { return nil }
      fraction = parsed
      seconds -= offset
    }
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (result, carried) = scaled.addingReportingOverflow(fraction)
    return overflow || carried ? nil : result
  }

  /// The moment in UTC, with as many decimals as it takes.
  package static func text(_ moment: Nanoseconds) -> String {
    let second: Int64 = 1_000_000_000
    var seconds = moment / second
    var fraction = moment % second
    if fraction < 0 {
      fraction += second
      seconds -= 1
    }
    var days = seconds / 86_400
    var time = seconds % 86_400
    if time < 0 {
      time += 86_400
      days -= 1
    }
    let (year, month, day) = date(daysSince1970: days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
    if fraction > 0 {
      var decimals = padded(fraction, 9)
      while decimals.hasSuffix("0") { decimals.removeLast() }
      text += ".\(decimals)"
    }
    return text + "Z"
  }

  private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private static func digits(_ count: Int, _ rest: inout Substring) -> Int64? {
    let part = rest.utf8.prefix(count)
    guard part.count == count, part.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    // By bytes: a combining mark after a digit is a part of its character.
    rest = rest[part.endIndex...]
    return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func parseFraction(_ rest: inout Substring) -> Int64? {
    guard take(".", &rest) else { return 0 }
    let decimals = rest.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard (1...9).contains(decimals.count) else { return nil }
    let count = decimals.count
    guard var value = digits(count, &rest) else { return nil }
    for _ in count..<9 { value *= 10 }
    return value
  }

  private static func parseOffset(_ rest: inout Substring) -> Int64? {
    if take("Z", &rest) || take("z", &rest) { return 0 }
    let isNegative = rest.first == "-"
    guard take("+", &rest) || take("-", &rest), let hours = digits(2, &rest), take(":", &rest),
      let minutes = digits(2, &rest), hours < 24, minutes < 60
    else { return nil }
    return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    if month == 2 {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  // The civil calendar in eras of 400 years that begin in March (H. Hinnant, "chrono-Compatible
  // Low-Level Date Algorithms").
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
