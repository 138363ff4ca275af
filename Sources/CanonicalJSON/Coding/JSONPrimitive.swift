/// A type that is read from and written to JSON directly. All but `JSONValue` are scalars.
///
/// The containers of Codable have a requirement for each scalar type. A method that is generic over
/// this protocol fulfils all of them, and is compiled for each type. Only what has a default
/// implementation must be spelled out, as `encode` and `decode` of the 128-bit integers.
protocol JSONPrimitive: Codable {
  /// How an error names what was expected.
  static var jsonName: String { get }

  /// Returns nil if the canonical text is of another type or out of range.
  init?(canonical text: Span<UInt8>)

  /// Appends the value. Returns false if JSON can't express it.
  func appendCanonical(to output: inout [UInt8]) -> Bool
}

extension Bool: JSONPrimitive {
  static var jsonName: String { "true or false" }

  init?(canonical text: Span<UInt8>) {
    switch text[0] {
    case 0x74: self = true
    case 0x66: self = false
    default: return nil
    }
  }

  func appendCanonical(to output: inout [UInt8]) -> Bool {
    output.append(contentsOf: (self ? "true" : "false").utf8)
    return true
  }
}

extension String: JSONPrimitive {
  static var jsonName: String { "a string" }

  init?(canonical text: Span<UInt8>) {
    guard text[0] == 0x22 else { return nil }
    self.init(jsonContent: text.extracting(1..<(text.count - 1)))
  }

  func appendCanonical(to output: inout [UInt8]) -> Bool {
    CanonicalJSON.appendString(self, to: &output)
    return true
  }
}

extension JSONPrimitive where Self: FixedWidthInteger {
  static var jsonName: String { "an integer from \(Self.min) to \(Self.max)" }

  init?(canonical text: Span<UInt8>) {
    let isNegative = text[0] == 0x2D
    if isNegative, !Self.isSigned { return nil }
    var value: Self = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      guard 0x30...0x39 ~= text[index] else { return nil }
      let digit = Self(truncatingIfNeeded: text[index] &- 0x30)
      let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative
        ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      if isTooLarge || overflows { return nil }
      value = sum
    }
    self = value
  }

  func appendCanonical(to output: inout [UInt8]) -> Bool {
    CanonicalJSON.appendInteger(self, to: &output)
    return true
  }
}

extension Int: JSONPrimitive {}
extension Int8: JSONPrimitive {}
extension Int16: JSONPrimitive {}
extension Int32: JSONPrimitive {}
extension Int64: JSONPrimitive {}
extension Int128: JSONPrimitive {}
extension UInt: JSONPrimitive {}
extension UInt8: JSONPrimitive {}
extension UInt16: JSONPrimitive {}
extension UInt32: JSONPrimitive {}
extension UInt64: JSONPrimitive {}
extension UInt128: JSONPrimitive {}

extension Double: JSONPrimitive {
  static var jsonName: String { "a number" }

  init?(canonical text: Span<UInt8>) {
    guard text[0] == 0x2D || 0x30...0x39 ~= text[0],
      let value = try? JSONScanner.double(in: text, 0..<text.count)
    else { return nil }
    self = value
  }

  func appendCanonical(to output: inout [UInt8]) -> Bool {
    guard isFinite else { return false }
    CanonicalJSON.appendDouble(self, to: &output)
    return true
  }
}

extension Float: JSONPrimitive {
  static var jsonName: String { "a number" }

  init?(canonical text: Span<UInt8>) {
    guard let value = Double(canonical: text), Float(value).isFinite else { return nil }
    self = Float(value)
  }

  /// Writes the shortest digits that read back as this Float, not those of the equal Double.
  func appendCanonical(to output: inout [UInt8]) -> Bool {
    guard isFinite, let double = Double(description) else { return false }
    return double.appendCanonical(to: &output)
  }
}

extension JSONValue: JSONPrimitive {
  static var jsonName: String { "a value" }

  init?(canonical text: Span<UInt8>) {
    guard let value = try? JSONValue(parsing: text) else { return nil }
    self = value
  }

  func appendCanonical(to output: inout [UInt8]) -> Bool {
    append(to: &output)
    return true
  }
}
