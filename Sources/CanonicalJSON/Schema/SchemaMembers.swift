/// The members that a type asks for.
struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder

  /// The only key that a type which accepts any key is given.
  private var anyName: String { "key" }

  var codingPath: [any CodingKey] { [] }

  /// Asking for all keys means that any key is allowed.
  var allKeys: [Key] {
    guard decoder.isRecording, let key = Key(stringValue: anyName) else { return [] }
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    _ = node(key, isRequired: false)
    return decoder.isRecording
  }

  /// A key type that accepts any name belongs to a dictionary, whose values share a schema.
  private func node(_ key: any CodingKey, isRequired: Bool) -> SchemaNode {
    if key.stringValue == anyName, Key(stringValue: "\(anyName) of another name") != nil {
      return decoder.node.element()
    }
    return decoder.node.member(key.stringValue, isRequired: isRequired)
  }

  private func required(_ key: any CodingKey) -> SchemaDecoder {
    decoder.child(node(key, isRequired: true))
  }

  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
    let node = node(key, isRequired: false)
    node.isNullable = true
    guard decoder.isRecording else { return nil }
    // If the type refuses all dummies, it counts as absent, so that the other members are found.
    return try? decoder.child(node).value(type)
  }

  func decodeNil(forKey key: Key) -> Bool { required(key).decodeNil() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try required(key).value(type)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try required(key).value(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try required(key).value(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? { optional(type, key) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { optional(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { optional(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { optional(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { optional(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) -> Int128? { optional(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { optional(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { optional(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { optional(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { optional(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { optional(type, key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) -> UInt128? { optional(type, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    required(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    required(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { required(JSONCodingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) -> any Decoder { required(key) }
}

/// The elements of an array: one, or none for a type inside itself.
struct SchemaElements: UnkeyedDecodingContainer {
  let decoder: SchemaDecoder
  private(set) var currentIndex = 0

  init(decoder: SchemaDecoder) {
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { currentIndex > 0 || !decoder.isRecording }

  private mutating func next() -> SchemaDecoder {
    currentIndex += 1
    return decoder.child(decoder.node.element())
  }

  mutating func decodeNil() -> Bool { false }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next().value(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next().value(type) }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().value(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedDecodingContainer<NestedKey> {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    next().unkeyedContainer()
  }

  mutating func superDecoder() -> any Decoder { next() }
}
