import Basics

/// A JSON number in its canonical form. An integer keeps all of its digits.
public struct JSONNumber: Hashable, Sendable {
  /// The canonical text.
  let text: String

  init(canonical text: String) {
    self.text = text
  }

  public init(_ value: Int) {
    text = String(value)
  }

  public init(_ value: UInt64) {
    text = String(value)
  }

  /// Returns nil for infinities and NaN, which JSON can't express.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    var bytes: [UInt8] = []
    CanonicalJSON.appendDouble(value, to: &bytes)
    text = String(repairing: bytes.span)
  }

  /// The integer, or nil if the number has a fraction or is out of the range of `Int`.
  public var intValue: Int? { Int(text) }

  /// The nearest Double. An integer beyond its range becomes an infinity.
  public var doubleValue: Double { Double(text) ?? .nan }
}

extension JSONNumber: CustomStringConvertible {
  /// The canonical text.
  public var description: String { text }
}
