import Basics

extension JSONScanner {
  /// Validates the number at `offset`, moves past it, and tells whether it is canonical.
  static func number(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) -> Bool {
    let start = offset
    if bytes[offset] == 0x2D { offset += 1 }
    let digits = offset
    try skipDigits("in a number", in: bytes, at: &offset)
    if bytes[digits] == 0x30, offset - digits > 1 {
      throw JSONError(
        code: .invalidNumber, offset: digits + 1,
        detail: "expected no digit after a leading zero, found "
          + JSONError.describe(bytes[digits + 1]))
    }
    let integerEnd = offset
    if offset < bytes.count, bytes[offset] == 0x2E {
      offset += 1
      try skipDigits("after the decimal point", in: bytes, at: &offset)
    }
    let fractionEnd = offset
    if offset < bytes.count, bytes[offset] | 0x20 == 0x65 {
      offset += 1
      if offset < bytes.count, bytes[offset] == 0x2B || bytes[offset] == 0x2D { offset += 1 }
      try skipDigits("in the exponent", in: bytes, at: &offset)
    }
    if offset == integerEnd { return !(digits > start && bytes[digits] == 0x30) }
    if offset == fractionEnd,
      isPlainDecimal(bytes, integer: digits..<integerEnd, fraction: (integerEnd + 1)..<offset)
    {
      return true
    }
    return try isShortest(bytes, start..<offset)
  }

  private static func skipDigits(
    _ place: String, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) {
    let start = offset
    while offset < bytes.count, 0x30...0x39 ~= bytes[offset] { offset += 1 }
    guard offset > start else { throw .expectedDigit(place, in: bytes, at: offset) }
  }

  /// Whether a decimal is known to be in its shortest form without parsing it.
  ///
  /// Two different decimals with at most 15 significant digits never round to the same Double, so a
  /// short decimal without superfluous zeros is the shortest. Below 1e-6 the canonical form has an
  /// exponent.
  private static func isPlainDecimal(
    _ bytes: Span<UInt8>, integer: Range<Int>, fraction: Range<Int>
  ) -> Bool {
    guard integer.count + fraction.count <= 15, bytes[fraction.upperBound - 1] != 0x30 else {
      return false
    }
    guard bytes[integer.lowerBound] == 0x30, fraction.count > 5 else { return true }
    for index in fraction.prefix(6) where bytes[index] != 0x30 { return true }
    return false
  }

  private static func isShortest(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(JSONError) -> Bool {
    let value = try double(in: bytes, range)
    var text: [UInt8] = []
    CanonicalJSON.appendDouble(value, to: &text)
    guard text.count == range.count else { return false }
    for index in text.indices where text[index] != bytes[range.lowerBound + index] { return false }
    return true
  }

  /// The Double for the valid number in `range`. Throws if the number is too large.
  static func double(in bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> Double {
    if let value = exactDouble(in: bytes, range) { return value }
    let text = String(repairing: bytes.extracting(range))
    guard let value = Double(text), value.isFinite else {
      throw JSONError(
        code: .numberOutOfRange, offset: range.lowerBound,
        detail: "expected a number within the range of a 64-bit floating-point number, found "
          + (text.utf8.count > 40 ? "a long one" : text))
    }
    return value
  }

  /// The value of a short decimal without an exponent. Its digits and the power of ten are exact
  /// Doubles, so a single division rounds correctly.
  private static func exactDouble(in bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    guard range.count <= 17 else { return nil }
    var mantissa: Int64 = 0
    var digits = 0
    var decimals = -1
    for index in range {
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39:
        mantissa = mantissa &* 10 &+ Int64(byte &- 0x30)
        digits += 1
        if decimals >= 0 { decimals += 1 }
      case 0x2E: decimals = 0
      case 0x2D where index == range.lowerBound: break
      default: return nil
      }
    }
    guard digits <= 15 else { return nil }
    var scale = 1.0
    for _ in 0..<max(decimals, 0) { scale *= 10 }
    let magnitude = Double(mantissa) / scale
    return bytes[range.lowerBound] == 0x2D ? -magnitude : magnitude
  }
}
