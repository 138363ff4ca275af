/// The members that a type asks for.
struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder

  /// The only key that a type which accepts any key is given.
  private var anyName: String { "key" }

  var codingPath: [any CodingKey] { [] }

  /// Asking for all keys means that any key is allowed.
  var allKeys: [Key] {
    decoder.node.isUnusual = true
    guard !decoder.isShort, let key = Key(stringValue: anyName) else { return [] }
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    decoder.node.isUnusual = true
    _ = node(key, isRequired: false)
    return !decoder.isShort
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

  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    let node = node(key, isRequired: false)
    node.isNullable = true
    guard !decoder.isShort else { return nil }
    do {
      return try decoder.child(node).value(type)
    } catch  where decoder.probe.hasFailed {
      throw error
    } catch {
      // If the type refuses all dummies, it counts as absent, so that the other members are found.
      if decoder.probe.isExact { node.clear() }
      return nil
    }
  }

  func decodeNil(forKey key: Key) -> Bool {
    decoder.node.isUnusual = true
    return required(key).decodeNil()
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try required(key).value(type)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try required(key).value(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try required(key).value(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try optional(type, key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    decoder.node.isUnusual = true
    return required(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.node.isUnusual = true
    return required(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(at: JSONCodingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

  private func superDecoder(at key: any CodingKey) -> any Decoder {
    decoder.node.isUnusual = true
    return required(key)
  }
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
  var isAtEnd: Bool { currentIndex > 0 || decoder.isShort }

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
