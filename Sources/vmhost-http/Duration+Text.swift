extension Duration {
  /// A whole number and a unit: `500ms`, `30s`, `2m`, also `ns`, `us` and `h`; nil for other text,
  /// and for more than fits in 64 bits of nanoseconds (292 years).
  init?(text: String) {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let count = Int64(String(Substring(digits))) else { return nil }
    let unit: Int64
    switch text.dropFirst(digits.count) {
    case "ns": unit = 1
    case "us": unit = 1_000
    case "ms": unit = 1_000_000
    case "s": unit = 1_000_000_000
    case "m": unit = 60_000_000_000
    case "h": unit = 3_600_000_000_000
    default: return nil
    }
    let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    self = .nanoseconds(nanoseconds)
  }
}
