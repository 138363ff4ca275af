import Basics

extension CanonicalJSON {
  // MARK: Strings

  /// Appends the text in quotes, with canonical escapes.
  package static func appendString(_ text: some StringProtocol, to output: inout [UInt8]) {
    appendString(String(text), to: &output)
  }

  /// Appends a `String` without copying it first.
  package static func appendString(_ text: String, to output: inout [UInt8]) {
    appendString(utf8: text.utf8.span, to: &output)
  }

  /// Appends text that is known to be valid UTF-8 in quotes, with canonical escapes.
  package static func appendString(utf8 text: Span<UInt8>, to output: inout [UInt8]) {
    var offset = JSONScanner.endOfPlainRun(in: text, from: 0)
    if offset == text.count { return output.append(text, before: 0x22, after: 0x22) }
    output.append(0x22)
    var start = 0
    while true {
      offset = JSONScanner.endOfPlainRun(in: text, from: offset)
      guard offset < text.count else { break }
      let byte = text[offset]
      if byte < 0x80 {
        output.append(text.extracting(start..<offset))
        appendScalar(Unicode.Scalar(byte), to: &output)
        start = offset + 1
      }
      offset += 1
    }
    output.append(text.extracting(start..<offset))
    output.append(0x22)
  }

  /// Appends the name of a member in quotes, and the colon after it.
  static func appendName(_ name: String, to output: inout [UInt8]) {
    let text = name.utf8.span
    if JSONScanner.endOfPlainRun(in: text, from: 0) == text.count {
      return output.append(text, before: 0x22, after: 0x22, then: 0x3A)
    }
    appendString(utf8: text, to: &output)
    output.append(0x3A)
  }

  /// Appends one scalar as string content.
  static func appendScalar(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    switch scalar.value {
    case 0x22: appendEscape("\"", to: &output)
    case 0x5C: appendEscape("\\", to: &output)
    case 0x08: appendEscape("b", to: &output)
    case 0x09: appendEscape("t", to: &output)
    case 0x0A: appendEscape("n", to: &output)
    case 0x0C: appendEscape("f", to: &output)
    case 0x0D: appendEscape("r", to: &output)
    case 0..<0x20:
      let low = UInt8(scalar.value & 0xF)
      output.append(contentsOf: "\\u00".utf8)
      output.append(scalar.value < 0x10 ? 0x30 : 0x31)
      output.append(low < 10 ? 0x30 + low : 0x61 + low - 10)
    case 0x20..<0x80: output.append(UInt8(scalar.value))
    default: output.append(contentsOf: Character(scalar).utf8)
    }
  }

  private static func appendEscape(_ letter: Unicode.Scalar, to output: inout [UInt8]) {
    output.append(0x5C)
    output.append(UInt8(letter.value))
  }

  // MARK: Numbers

  static func appendInteger(_ value: some FixedWidthInteger, to output: inout [UInt8]) {
    if value < 0 { output.append(0x2D) }
    if let magnitude = UInt64(exactly: value.magnitude) {
      DecimalDigits.append(magnitude, to: &output)
    } else {
      output.append(contentsOf: String(value.magnitude).utf8)
    }
  }

  /// Appends the shortest form that reads back as `value`, as ECMAScript prints it.
  package static func appendDouble(_ value: Double, to output: inout [UInt8]) {
    precondition(value.isFinite, "JSON has no number for \(value)")
    // Not `Int64(exactly:)`, which calls into libm, so that it would have to be linked.
    if value.magnitude < 9_007_199_254_740_992, Double(Int64(value)) == value {
      appendInteger(Int64(value), to: &output)
      return
    }
    if appendShortDecimal(value, to: &output) { return }
    // The standard library finds the same digits as ECMAScript. Only the layout differs.
    if value < 0 { output.append(0x2D) }
    let text = value.magnitude.description
    Decimal(text.utf8.span).append(to: &output)
  }

  /// Appends a Double with up to six decimals and 15 digits in total. Returns false for any other.
  ///
  /// Two different decimals with at most 15 significant digits never round to the same Double. So a
  /// decimal that reads back as `value` and has no superfluous zeros is the shortest.
  private static func appendShortDecimal(_ value: Double, to output: inout [UInt8]) -> Bool {
    let magnitude = value.magnitude
    guard magnitude < 1e9, magnitude >= 1e-6 else { return false }
    var scale = 1.0
    for _ in 1...6 {
      scale *= 10
      // The digits and the power of ten are exact, so the division rounds as parsing would.
      let digits = Int64(magnitude * scale + 0.5)
      guard Double(digits) / scale == magnitude else { continue }
      if value < 0 { output.append(0x2D) }
      let power = Int64(scale)
      appendInteger(digits / power, to: &output)
      let start = output.count
      // The leading one keeps the zeros and is replaced by the decimal point.
      appendInteger(digits % power + power, to: &output)
      output[start] = 0x2E
      return true
    }
    return false
  }
}

/// A number as 0.digits × 10^point.
private struct Decimal {
  var digits: [UInt8] = []
  var point = 0

  /// Takes apart the `description` of a positive Double: `12.5`, `1e-07`, `5.0`.
  init(_ text: Span<UInt8>) {
    var sawPoint = false
    loop: for index in 0..<text.count {
      switch text[index] {
      case 0x2E: sawPoint = true
      case 0x65:
        point += Int(String(repairing: text.extracting((index + 1)..<text.count))) ?? 0
        break loop
      case 0x30 where digits.isEmpty:
        if sawPoint { point -= 1 }
      case let byte:
        digits.append(byte)
        if !sawPoint { point += 1 }
      }
    }
    while digits.last == 0x30 { digits.removeLast() }
  }

  /// Lays out the digits as Number::toString does in ECMA-262.
  func append(to output: inout [UInt8]) {
    switch point {
    case digits.count...21:
      output.append(contentsOf: digits)
      output.append(contentsOf: repeatElement(0x30, count: point - digits.count))
    case 1..<max(digits.count, 1):
      output.append(contentsOf: digits[..<point])
      output.append(0x2E)
      output.append(contentsOf: digits[point...])
    case -5...0:
      output.append(contentsOf: "0.".utf8)
      output.append(contentsOf: repeatElement(0x30, count: -point))
      output.append(contentsOf: digits)
    default:
      output.append(digits[0])
      if digits.count > 1 {
        output.append(0x2E)
        output.append(contentsOf: digits[1...])
      }
      output.append(0x65)
      if point > 0 { output.append(0x2B) }
      CanonicalJSON.appendInteger(point - 1, to: &output)
    }
  }
}
