import HostCore

/// Parses sizes: `1048576`, `512M`, `2G`.
enum ByteCount {
  /// The form of sizes of memory.
  static let form = "a size such as 512M or 2G, of at least 16M"

  private static let units: [Character: UInt64] = [
    "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
  ]

  /// The number of bytes; nil if the text isn't a whole number, with or without a unit.
  static func parse(_ text: String) -> UInt64? {
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = UInt64(digits)
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflow ? nil : bytes
  }

  /// The number of bytes that a plugin may allocate; nil if it is too small.
  static func parseMemory(_ text: String) -> UInt64? {
    parse(text).flatMap { $0 < Confinement.minMemory ? nil : $0 }
  }

  /// A size in its largest whole unit.
  static func text(_ size: Int) -> String {
    let unit = units.filter { size.isMultiple(of: Int($0.value)) }.max { $0.value < $1.value }
    return unit.map { "\(size / Int($0.value))\($0.key)" } ?? "\(size)"
  }
}
