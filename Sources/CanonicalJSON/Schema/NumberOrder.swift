import Basics

/// The order of canonical numbers. Integers of any length are compared exactly.
enum NumberOrder {
  static func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    guard let one = digits(of: first), let other = digits(of: second) else {
      return double(first) < double(second)
    }
    if one.isNegative != other.isNegative { return one.isNegative }
    let order = SchemaValidator.order(
      first.extracting(one.range), second.extracting(other.range))
    return one.isNegative ? order > 0 : order < 0
  }

  /// The digits of an integer; nil if it has a fraction or an exponent.
  private static func digits(of number: Span<UInt8>) -> (isNegative: Bool, range: Range<Int>)? {
    let isNegative = number[0] == 0x2D
    let range = (isNegative ? 1 : 0)..<number.count
    for index in range where !(0x30...0x39 ~= number[index]) { return nil }
    return (isNegative, range)
  }

  private static func double(_ number: Span<UInt8>) -> Double {
    JSONNumber(canonical: String(repairing: number)).doubleValue
  }
}
