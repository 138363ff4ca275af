import Basics

/// Any JSON value, for data without a Swift type of its own.
///
/// Two values are equal if their canonical texts have the same bytes. Unlike with `String`, texts
/// that differ only in their Unicode normalisation are different.
public indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// The canonical JSON of this value.
  public var canonicalText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(repairing: bytes.span)
  }

  /// The member with that name, or nil if this is not an object or has no such member.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The element at that index, or nil if this is not an array or is too short.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  public var isNull: Bool { if case .null = self { true } else { false } }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  public var objectValue: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The integer, or nil if this is not a number, has a fraction, or is out of range.
  public var intValue: Int? { if case .number(let value) = self { value.intValue } else { nil } }

  public var doubleValue: Double? {
    if case .number(let value) = self { value.doubleValue } else { nil }
  }
}

extension JSONValue: Hashable {
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)):
      one.count == other.count
        && one.allSatisfy { key, value in
          guard let index = other.index(forKey: key) else { return false }
          return other[index].key.utf8.elementsEqual(key.utf8) && other[index].value == value
        }
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The canonical JSON.
  public var description: String { canonicalText }
}

// Not by nil: Swift would take `nil` for `.null` where a `JSONValue?` is meant.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Traps if the literal is beyond the range of Double, which is a mistake in the source.
  public init(floatLiteral value: Double) {
    guard let number = JSONNumber(value) else { preconditionFailure("JSON has no number \(value)") }
    self = .number(number)
  }

  /// Traps if a key appears twice, which is a mistake in the source.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}
