import HostCore

/// Parses sizes of memory: `1048576`, `512M`, `2G`.
enum ByteCount {
  static let form = "a size such as 512M or 2G, of at least 16M"

  private static let units: [Character: UInt64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  /// The number of bytes; nil if the text isn't a whole number, with or without a unit, or if the
  /// size is too small.
  static func parse(_ text: String) -> UInt64? {
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = UInt64(digits)
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflow || bytes < Confinement.minMemory ? nil : bytes
  }
}
