/// Answers each request of a decoding type with a dummy value, and records it.
struct SchemaDecoder: Decoder {
  let node: SchemaNode
  /// The types being decoded, outermost first.
  let open: [ObjectIdentifier]
  /// False for a type inside itself, where nothing is recorded and the decoding kept short.
  let isRecording: Bool
  /// The index of the dummy that scalars get.
  var attempt = 0

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    node.kind = .object
    return KeyedDecodingContainer(SchemaMembers<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    node.kind = .array
    return SchemaElements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func child(_ node: SchemaNode) -> SchemaDecoder {
    SchemaDecoder(node: node, open: open, isRecording: isRecording, attempt: attempt)
  }

  // MARK: Values

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = SchemaScalar(type, attempt: attempt), let dummy = scalar.dummy as? T {
      node.kind = scalar.kind
      return dummy
    }
    let id = ObjectIdentifier(type)
    let visits = open.count { $0 == id }
    // A value type ends at the second visit, where arrays are empty and optionals are nil.
    guard visits < 3, open.count < JSONScanner.maxDepth else {
      throw SchemaRefusal(type: "\(type)")
    }
    guard visits == 0 else {
      node.kind = .any
      return try made(type, open: open + [id], node: SchemaNode(), isRecording: false)
    }
    let value = try made(type, open: open + [id], node: node, isRecording: isRecording)
    // A type that requests nothing has no members, and encodes as an object.
    if case .unknown = node.kind { node.kind = .object }
    return value
  }
}

extension SchemaDecoder {
  /// Makes a value of a type with members or checks of its own, from the first dummies it accepts.
  private func made<T: Decodable>(
    _ type: T.Type, open: [ObjectIdentifier], node: SchemaNode, isRecording: Bool
  ) throws -> T {
    for attempt in [attempt] + (0..<SchemaScalar.attempts).filter({ $0 != attempt }) {
      let trial = SchemaNode()
      let decoder = SchemaDecoder(
        node: trial, open: open, isRecording: isRecording, attempt: attempt)
      do {
        let value = try T(from: decoder)
        node.take(trial)
        return firstCase(of: type, at: node) ?? value
      } catch let refusal as SchemaRefusal {
        // A type inside of this one refused all dummies, so other ones don't help.
        node.takeIfLarger(trial)
        throw refusal
      } catch {
        // A type may refuse a dummy. There are more.
        node.takeIfLarger(trial)
        if let first = firstCase(of: type, at: node) { return first }
      }
    }
    throw SchemaRefusal(type: "\(type)")
  }

  /// The first case of a `CaseIterable` type, all of whose cases it adds to the node; nil for
  /// others.
  ///
  /// Only types that request a single value are checked. To find out that a type doesn't conform to
  /// a protocol, the runtime searches the conformances of every library.
  private func firstCase<T: Decodable>(of type: T.Type, at node: SchemaNode) -> T? {
    guard case .scalar = node.kind, let cases = EnumCases(type), let first = cases.first as? T
    else { return nil }
    node.kind = .cases(cases.typeName, cases.values)
    return first
  }
}

/// The type refuses all dummies.
struct SchemaRefusal: Error {
  let type: String
}

/// A type that is a single JSON scalar, or any value.
struct SchemaScalar {
  let kind: SchemaNode.Kind
  let dummy: any JSONPrimitive

  /// How many dummies there are of each kind.
  static var attempts: Int { texts.count }
  /// Types that check their text mostly want any text, a number, a date, a UUID, or a URL.
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

  // One by one, because the runtime is slow to find out that a type is not an integer.
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

extension SchemaDecoder: SingleValueDecodingContainer {
  /// A type that checks for null allows it. One inside itself is given null.
  func decodeNil() -> Bool {
    node.isNullable = true
    return !isRecording
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
