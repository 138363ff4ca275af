/// Answers every question of a decoding type with a dummy, and notes the question.
struct ShapeDecoder: Decoder {
  let node: ShapeNode
  /// The types being decoded, outermost first.
  let open: [ObjectIdentifier]
  /// False inside a type that is within itself: the quickest way to a value, nothing noted.
  let isRecording: Bool
  /// Which of the dummies scalars are answered with.
  var attempt = 0

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    node.kind = .object
    return KeyedDecodingContainer(ShapeMembers<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    node.kind = .array
    return ShapeElements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func child(_ node: ShapeNode) -> ShapeDecoder {
    ShapeDecoder(node: node, open: open, isRecording: isRecording, attempt: attempt)
  }

  // MARK: Values

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = ShapeScalar(type, attempt: attempt), let dummy = scalar.dummy as? T {
      node.kind = scalar.kind
      return dummy
    }
    let id = ObjectIdentifier(type)
    let visits = open.count { $0 == id }
    // A value type ends at the second visit, whose arrays are empty and whose optionals are nil.
    guard visits < 3, open.count < JSONScanner.maximumDepth else {
      throw ShapeRefusal(type: "\(type)")
    }
    guard visits == 0 else {
      node.kind = .any
      return try made(type, open: open + [id], node: ShapeNode(), isRecording: false)
    }
    let value = try made(type, open: open + [id], node: node, isRecording: isRecording)
    // A type that asks for nothing has no members; such a one encodes as an object.
    if case .unknown = node.kind { node.kind = .object }
    return value
  }
}

extension ShapeDecoder {
  /// Makes a value of a type that has members or checks of its own, with the first dummies that it
  /// takes.
  private func made<T: Decodable>(
    _ type: T.Type, open: [ObjectIdentifier], node: ShapeNode, isRecording: Bool
  ) throws -> T {
    for attempt in [attempt] + (0..<ShapeScalar.attempts).filter({ $0 != attempt }) {
      let trial = ShapeNode()
      let decoder = ShapeDecoder(
        node: trial, open: open, isRecording: isRecording, attempt: attempt)
      do {
        let value = try T(from: decoder)
        node.take(trial)
        return firstCase(of: type, at: node) ?? value
      } catch let refusal as ShapeRefusal {
        // What is within took none of the dummies, so that others don't help here.
        node.takeIfLarger(trial)
        throw refusal
      } catch {
        // Refusing a dummy is legitimate: there are more.
        node.takeIfLarger(trial)
        if let first = firstCase(of: type, at: node) { return first }
      }
    }
    throw ShapeRefusal(type: "\(type)")
  }

  /// The first case of a type that can list its cases, which the node then has; nil for others.
  ///
  /// Such a type asks for a single value. Others aren't looked at: to find that a type lacks a
  /// protocol, the runtime reads through the conformances of every library.
  private func firstCase<T: Decodable>(of type: T.Type, at node: ShapeNode) -> T? {
    guard case .scalar = node.kind, let cases = EnumCases(type), let first = cases.first as? T
    else { return nil }
    node.kind = .cases(cases.typeName, cases.values)
    return first
  }
}

/// No dummy makes a value of the type.
struct ShapeRefusal: Error {
  let type: String
}

/// A type that is a single JSON scalar, or any value.
struct ShapeScalar {
  let kind: ShapeNode.Kind
  let dummy: any JSONPrimitive

  /// How many dummies there are of each kind.
  static var attempts: Int { texts.count }
  /// Types that check their text mostly want some, a number, a date, a UUID, or an address.
  private static let texts = [
    "", "a", "1", "2001-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000", "https://a.org/",
  ]
  private static let numbers: [Int8] = [0, 1, 2, 3, 10, 100]

  init?(_ type: any Any.Type, attempt: Int) {
    let number = Self.numbers[attempt]
    switch type {
    case is String.Type: (kind, dummy) = (.scalar("string"), Self.texts[attempt])
    case is Bool.Type: (kind, dummy) = (.scalar("boolean"), attempt % 2 == 1)
    case is Double.Type: (kind, dummy) = (.scalar("number"), Double(number))
    case is Float.Type: (kind, dummy) = (.scalar("number"), Float(number))
    case is JSONValue.Type: (kind, dummy) = (.any, JSONValue.null)
    default:
      guard let integer = Self.integer(of: type, number) else { return nil }
      (kind, dummy) = (.scalar("integer"), integer)
    }
  }

  // One by one, since the runtime takes long to find out that a type is no integer.
  private static func integer(of type: any Any.Type, _ number: Int8) -> (any JSONPrimitive)? {
    switch type {
    case is Int.Type: Int(number)
    case is Int8.Type: number
    case is Int16.Type: Int16(number)
    case is Int32.Type: Int32(number)
    case is Int64.Type: Int64(number)
    case is Int128.Type: Int128(number)
    case is UInt.Type: UInt(number)
    case is UInt8.Type: UInt8(number)
    case is UInt16.Type: UInt16(number)
    case is UInt32.Type: UInt32(number)
    case is UInt64.Type: UInt64(number)
    case is UInt128.Type: UInt128(number)
    default: nil
    }
  }
}

extension ShapeDecoder: SingleValueDecodingContainer {
  private func scalar<T: JSONPrimitive>(_ type: T.Type) throws -> T { try value(type) }

  /// Asking for null means that null is allowed. A value within itself takes it.
  func decodeNil() -> Bool {
    node.isNullable = true
    return !isRecording
  }

  func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
  func decode(_ type: String.Type) throws -> String { try scalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
  func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
  func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try scalar(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
