/// The decimal digits of integers.
package enum DecimalDigits {
  /// Appends an integer in decimal digits.
  package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    with(value) { bytes.append($0) }
  }

  /// Passes the decimal digits of an integer to `body`.
  package static func with(_ value: UInt64, _ body: (Span<UInt8>) -> Void) {
    var digits = InlineArray<20, UInt8>(repeating: 0x30)
    var first = digits.count
    var rest = value
    // Each division waits for the one before, so it yields two digits.
    while rest >= 10 {
      let pair = UInt8(rest % 100)
      rest /= 100
      first -= 2
      digits[first] += pair / 10
      digits[first + 1] += pair % 10
    }
    if rest > 0 || first == digits.count {
      first -= 1
      digits[first] += UInt8(rest)
    }
    body(digits.span.extracting(first...))
  }
}
