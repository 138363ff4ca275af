/// Answers each request of a decoding type with a dummy value, and records it.
struct SchemaDecoder: Decoder {
  let node: SchemaNode
  let probe: SchemaProbe
  /// The types being decoded, outermost first.
  let open: [ObjectIdentifier]
  /// False for a type inside itself, where nothing is recorded and the decoding kept short.
  let isRecording: Bool
  /// The index of the dummy that scalars get.
  let attempt: Int

  init(
    node: SchemaNode, probe: SchemaProbe, open: [ObjectIdentifier] = [], isRecording: Bool = true,
    attempt: Int? = nil
  ) {
    self.node = node
    self.probe = probe
    self.open = open
    self.isRecording = isRecording
    self.attempt = attempt ?? probe.attempt
  }

  /// Whether optionals are nil and collections empty.
  var isShort: Bool { probe.isShort || !isRecording }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    node.kind = .object
    return KeyedDecodingContainer(SchemaMembers<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    node.kind = .array
    node.isUnusual = true
    return SchemaElements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    node.isUnusual = true
    return self
  }

  func child(_ node: SchemaNode) -> SchemaDecoder {
    SchemaDecoder(
      node: node, probe: probe, open: open, isRecording: isRecording, attempt: attempt)
  }

  // MARK: Values

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    try probe.countRequest(type)
    if let scalar = SchemaScalar(type, attempt: attempt), let dummy = scalar.dummy as? T {
      node.kind = scalar.kind
      return dummy
    }
    probe.noteRefusal(of: type)
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
        node: trial, probe: probe, open: open, isRecording: isRecording, attempt: attempt)
      do {
        let value = try T(from: decoder)
        probe.noteSuccess(of: type)
        node.take(trial)
        let instance = firstCase(of: type, at: node) ?? value
        if probe.isOpaque(type, node) { node.clear() }
        return instance
      } catch  where probe.hasFailed {
        throw error
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

  /// A case of a `CaseIterable` type, all of whose cases it adds to the node; nil for
  /// others.
  ///
  /// Only types that request a single value are checked. To find out that a type doesn't conform to
  /// a protocol, the runtime searches the conformances of every library.
  private func firstCase<T: Decodable>(of type: T.Type, at node: SchemaNode) -> T? {
    guard case .scalar = node.kind, let cases = EnumCases(type),
      let first = cases.all[probe.attempt % cases.all.count] as? T
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
  let dummy: any Decodable

  /// How many dummies of each kind a type is offered until it accepts one.
  static let attempts = 6
  /// Further dummies, which only show how a type encodes: the largest numbers, the smallest ones,
  /// and no number at all.
  static let (largest, smallest, notANumber) = (6, 7, 8)
  /// Types that check their text mostly want any text, a number, a date, a UUID, or a URL.
  private static let texts = [
    "", "a", "1", "2001-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000", "https://a.org/",
    "\u{1F600} \"quoted\"\n", "-1", " ",
  ]
  private static let numbers: [Int8] = [0, 1, 2, 3, 10, 100, 100, -100, 0]

  init?(_ type: any Any.Type, attempt: Int) {
    let number = Self.numbers[attempt]
    let double = attempt == Self.notANumber ? .nan : Double(number) * (attempt > 5 ? 1e18 : 1)
    switch type {
    case is String.Type: (kind, dummy) = (.scalar("string"), Self.texts[attempt])
    case is Bool.Type: (kind, dummy) = (.scalar("boolean"), attempt % 2 == 1)
    case is Double.Type: (kind, dummy) = (.scalar("number"), double)
    case is Float.Type: (kind, dummy) = (.scalar("number"), Float(double))
    case is JSONValue.Type: (kind, dummy) = (.any, JSONValue.null)
    default:
      if let scalar = FoundationType.of(type)?.scalar {
        (kind, dummy) = (
          .scalar(scalar.schemaType),
          scalar.dummy(number: double, text: Self.texts[attempt])
        )
        return
      }
      guard let integer = Self.integer(of: type, attempt) else { return nil }
      (kind, dummy) = (.scalar("integer"), integer)
    }
  }

  var schema: JSONValue {
    let node = SchemaNode()
    node.kind = kind
    return node.schema
  }

  // One by one, because the runtime is slow to find out that a type is not an integer.
  private static func integer(of type: any Any.Type, _ attempt: Int) -> (any JSONPrimitive)? {
    switch type {
    case let type as Int.Type: number(type, attempt)
    case let type as Int8.Type: number(type, attempt)
    case let type as Int16.Type: number(type, attempt)
    case let type as Int32.Type: number(type, attempt)
    case let type as Int64.Type: number(type, attempt)
    case let type as Int128.Type: number(type, attempt)
    case let type as UInt.Type: number(type, attempt)
    case let type as UInt8.Type: number(type, attempt)
    case let type as UInt16.Type: number(type, attempt)
    case let type as UInt32.Type: number(type, attempt)
    case let type as UInt64.Type: number(type, attempt)
    case let type as UInt128.Type: number(type, attempt)
    default: nil
    }
  }

  private static func number<T: FixedWidthInteger & JSONPrimitive>(
    _ type: T.Type, _ attempt: Int
  ) -> T {
    switch attempt {
    case largest: T.max
    case smallest: T.min
    default: T(truncatingIfNeeded: numbers[attempt])
    }
  }
}

extension SchemaDecoder: SingleValueDecodingContainer {
  /// A type that checks for null allows it. One inside itself is given null.
  func decodeNil() -> Bool {
    node.isNullable = true
    return isShort
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
