/// Spans of time, in nanoseconds, as text: `300ms`, `5s`, `2m`, `1.5s`, `250us`, `10ns`, `1h`.
package enum TimeSpan {
  package static let second: Int64 = 1_000_000_000
  package static let hour: Int64 = 3600 * second

  private static let units: [(name: String, length: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", second), ("m", 60 * second), ("h", hour),
  ]

  package static let form = "a time such as 300ms, 5s or 2m"

  /// Reads a span: a decimal number followed directly by a unit. Returns nil for text that is none,
  /// and for a span that is finer than a nanosecond or longer than 292 years.
  @inlinable package static func parse(_ text: some StringProtocol) -> Int64? {
    parse(Substring(text))
  }

  @usableFromInline static func parse(_ text: Substring) -> Int64? {
    guard case .span(let span) = read(text) else { return nil }
    return span
  }

  /// What is wrong with a text that isn't a span, or not one that is allowed, as the end of a
  /// sentence that begins with the text: `is too long: the longest time is 24h`.
  ///
  /// - Parameters:
  ///   - form: what the text should be.
  ///   - max: the longest span that is allowed.
  package static func problem(
    with text: some StringProtocol, form: String = form, max: Int64 = .max
  ) -> String {
    switch read(Substring(text)) {
    case .tooLong: "is too long: the longest time is \(limit(max))"
    case .span(let span) where span > max: "is too long: the longest time is \(limit(max))"
    case .tooFine: "is too fine: a time consists of whole nanoseconds"
    case .span, .none: "is not \(form)"
    }
  }

  /// A limit as a user would write it.
  private static func limit(_ max: Int64) -> String {
    max == .max ? "\(max / hour)h (292 years)" : text(max)
  }

  private enum Reading {
    case span(Int64)
    case tooLong, tooFine, none
  }

  private static func read(_ text: Substring) -> Reading {
    let number = text.utf8.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2e }
    let name = text[number.endIndex...]
    guard let unit = units.first(where: { $0.name == name })?.length else { return .none }
    let parts = number.split(separator: 0x2e, omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, parts.last?.isEmpty == false
    else { return .none }
    var result: Int64 = 0
    for digit in whole {
      let (shifted, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carried) = shifted.addingReportingOverflow(Int64(digit - 0x30))
      if overflow || carried { return .tooLong }
      result = sum
    }
    let (scaled, overflow) = result.multipliedReportingOverflow(by: unit)
    if overflow { return .tooLong }
    result = scaled
    guard parts.count == 2 else { return .span(result) }
    var placeValue = unit
    for digit in parts[1] {
      if placeValue % 10 != 0 {
        if digit != 0x30 { return .tooFine }
        continue
      }
      placeValue /= 10
      let (sum, carried) = result.addingReportingOverflow(placeValue * Int64(digit - 0x30))
      if carried { return .tooLong }
      result = sum
    }
    return .span(result)
  }

  /// Writes a span in the largest unit that keeps it whole and is no longer than `maxUnit`.
  /// `parse` reads it back.
  package static func text(_ span: Int64, maxUnit: Int64 = hour) -> String {
    guard span != 0 else { return "0s" }
    for unit in units.reversed() where unit.length <= maxUnit && span % unit.length == 0 {
      return "\(span / unit.length)\(unit.name)"
    }
    return "\(span)ns"
  }

  /// Appends a span in seconds as a JSON number, with as many decimals as it needs: `0`,
  /// `3.000000001`.
  package static func appendSeconds(_ span: Int64, to bytes: inout [UInt8]) {
    var rest = span.magnitude
    if span < 0 { bytes.append(0x2d) }
    DecimalDigits.append(rest / 1_000_000_000, to: &bytes)
    rest %= 1_000_000_000
    guard rest != 0 else { return }
    let point = bytes.count
    DecimalDigits.append(1_000_000_000 + rest, to: &bytes)
    bytes[point] = 0x2e
    while bytes.last == 0x30 { bytes.removeLast() }
  }
}
