import Glibc

/// Points in time as text: RFC 3339 in UTC or with an offset, such as `2026-01-31T12:00:00Z`.
package enum Timestamp {
  package static let form = "a time such as 2026-01-31T12:00:00Z"

  /// Reads nanoseconds since 1970-01-01T00:00:00Z. Returns nil if `text` isn't a time from 1678 to
  /// 2262.
  package static func parse(_ text: String) -> Nanoseconds? {
    var rest = Substring(text)
    guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest),
      take("-", &rest), let day = digits(2, &rest),
      var seconds = secondsSince1970(year, month, day)
    else { return nil }
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

  /// Writes a time in UTC, with as many decimals as it needs.
  package static func text(_ moment: Nanoseconds) -> String {
    let second: Int64 = 1_000_000_000
    var seconds = Int(moment / second)
    var fraction = moment % second
    if fraction < 0 {
      fraction += second
      seconds -= 1
    }
    var fields = unsafe tm()
    unsafe gmtime_r(&seconds, &fields)
    var text = unsafe [
      padded(fields.tm_year + 1900, 4), padded(fields.tm_mon + 1, 2), padded(fields.tm_mday, 2),
    ].joined(separator: "-")
    text += "T"
    text += unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec].map { padded($0, 2) }
      .joined(separator: ":")
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
    // Bytes are counted, since a combining mark after a digit is part of its character.
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

  /// The beginning of a day, or nil if no calendar has it.
  private static func secondsSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    var fields = unsafe tm()
    unsafe (fields.tm_year, fields.tm_mon) = (Int32(year) - 1900, Int32(month) - 1)
    unsafe fields.tm_mday = Int32(day)
    let seconds = unsafe timegm(&fields)
    // A day that doesn't exist has become another one.
    return unsafe fields.tm_mon == month - 1 && fields.tm_mday == day ? Int64(seconds) : nil
  }

  private static func padded(_ value: some BinaryInteger, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
