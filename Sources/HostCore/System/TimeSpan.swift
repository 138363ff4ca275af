/// Spans of time as text: `300ms`, `5s`, `2m`, `1.5s`, `250us`, `10ns`, `1h`.
package enum TimeSpan {
  private static let units: [(name: String, length: Nanoseconds)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  package static let form = "a time such as 300ms, 5s or 2m"

  /// Reads a span, which is a decimal number and a unit without a blank between; nil if it isn't
  /// one, or is negative, or finer than a nanosecond, or longer than 292 years.
  package static func parse(_ text: some StringProtocol) -> Nanoseconds? {
    let number = text.utf8.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2e }
    let name = text[number.endIndex...]
    guard let unit = units.first(where: { $0.name == name })?.length else { return nil }
    let parts = number.split(separator: 0x2e, omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty else { return nil }
    var result: Nanoseconds = 0
    for digit in whole {
      let (shifted, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carried) = shifted.addingReportingOverflow(Nanoseconds(digit - 0x30))
      if overflow || carried { return nil }
      result = sum
    }
    let (scaled, overflow) = result.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    result = scaled
    guard parts.count == 2 else { return result }
    guard !parts[1].isEmpty else { return nil }
    var place = unit
    for digit in parts[1] {
      if place % 10 != 0 {
        if digit != 0x30 { return nil }
        continue
      }
      place /= 10
      let (sum, carried) = result.addingReportingOverflow(place * Nanoseconds(digit - 0x30))
      if carried { return nil }
      result = sum
    }
    return result
  }

  /// Writes a span in the largest unit that keeps it whole; `parse` reads it back.
  package static func text(_ span: Nanoseconds) -> String {
    for unit in units.reversed() where span != 0 && span % unit.length == 0 {

      return "\(span / unit.length)\(unit.name)"
    }
    return span == 0 ? "0s" : "\(span)ns"
  }

  /// Appends seconds as a JSON number with as many decimals as it takes: `0`, `0.2`, `3.000000001`.
  package static func appendSeconds(_ span: Nanoseconds, to bytes: inout [UInt8]) {
    var rest = span.magnitude
    if span < 0 { bytes.append(0x2d) }
    appendDecimal(rest / 1_000_000_000, to: &bytes)
    rest %= 1_000_000_000
    guard rest != 0 else { return }
    bytes.append(0x2e)
    var place: UInt64 = 100_000_000
    while rest != 0 {
      bytes.append(0x30 + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  /// Appends an integer in decimal digits.
  package static func appendDecimal(_ value: UInt64, to bytes: inout [UInt8]) {
    var place: UInt64 = 1
    while value / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(0x30 + UInt8(value / place % 10))
      place /= 10
    }
  }
}
