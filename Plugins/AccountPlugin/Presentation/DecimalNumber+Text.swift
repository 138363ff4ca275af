extension DecimalNumber {
  // Foundation's decimals have 38 digits, and two of them are cents.
  static let mostWholeDigits = 36

  /// Reads `6729383.99`: a sign or none, ASCII digits, and a point among them or none; nil for any
  /// other text, and for numbers with more than 36 digits before the point.
  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    let minus = UInt8(ascii: "-")
    let sign = bytes.first
    if sign == minus || sign == UInt8(ascii: "+") { bytes.removeFirst() }
    let parts = bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.map { part in part.map { $0 &- UInt8(ascii: "0") } }
    guard digits.joined().allSatisfy({ $0 <= 9 }), digits.contains(where: { !$0.isEmpty }) else {
      return nil
    }
    self.init(
      isNegative: sign == minus, whole: digits[0], fraction: digits.count == 2 ? digits[1] : [])
    guard whole.count <= Self.mostWholeDigits else { return nil }
  }

  /// The number as it is read, to its last digit.
  var text: String {
    let point = fraction.isEmpty ? "" : "."
    return "\(isNegative ? "-" : "")\(Self.text(of: whole))\(point)\(Self.text(of: fraction))"
  }

  /// Returns digits of 0 to 9 as text.
  static func text(of digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { UInt8(ascii: "0") + $0 }, as: UTF8.self)
  }
}
