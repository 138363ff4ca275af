/// The encoder of one value: a builder, and which of its frames is the value's.
struct ValueEncoder: Encoder {
  let builder: JSONBuilder
  let depth: Int

  var codingPath: [any CodingKey] { builder.codingPath(depth: depth) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    builder.open(.object, depth: depth)
    return KeyedEncodingContainer(MemberEncoder<Key>(builder: builder, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    builder.open(.array, depth: depth)
    return ElementEncoder(builder: builder, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { builder.appendSingleNull(depth: depth) }

  func encode<T: JSONPrimitive>(_ value: T) throws {
    try builder.appendSingle(value, depth: depth)
  }
  func encode(_ value: Int128) throws { try builder.appendSingle(value, depth: depth) }
  func encode(_ value: UInt128) throws { try builder.appendSingle(value, depth: depth) }

  func encode<T: Encodable>(_ value: T) throws {
    try builder.appendAnySingle(value, depth: depth)
  }
}

/// Writes the members of one object.
struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let builder: JSONBuilder
  let depth: Int

  var codingPath: [any CodingKey] { builder.codingPath(depth: depth) }

  func encodeNil(forKey key: Key) {
    builder.appendNull(key.stringValue, depth: depth)
  }

  @inline(__always)
  func encode<T: JSONPrimitive>(_ value: T, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int128, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try builder.appendAny(value, key.stringValue, depth: depth)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let builder = builder.deferMember(key, depth: depth)
    return ValueEncoder(builder: builder, depth: 1).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ValueEncoder(builder: builder.deferMember(key, depth: depth), depth: 1).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    superEncoder(named: JSONCodingKey(stringValue: "super"))
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key) }

  private func superEncoder(named key: any CodingKey) -> any Encoder {
    ValueEncoder(builder: builder.deferMember(key, depth: depth), depth: 1)
  }
}

/// Writes the elements of one array.
struct ElementEncoder: UnkeyedEncodingContainer {
  let builder: JSONBuilder
  let depth: Int

  var codingPath: [any CodingKey] { builder.codingPath(depth: depth) }
  var count: Int { builder.count(depth: depth) }

  func encodeNil() { builder.appendNull(depth: depth) }

  @inline(__always)
  func encode<T: JSONPrimitive>(_ value: T) throws {
    try builder.appendElement(value, depth: depth)
  }
  func encode(_ value: Int128) throws { try builder.appendElement(value, depth: depth) }
  func encode(_ value: UInt128) throws { try builder.appendElement(value, depth: depth) }

  func encode<T: Encodable>(_ value: T) throws {
    try builder.appendAnyElement(value, depth: depth)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    ValueEncoder(builder: builder.deferElement(depth: depth), depth: 1)
      .container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ValueEncoder(builder: builder.deferElement(depth: depth), depth: 1).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    ValueEncoder(builder: builder.deferElement(depth: depth), depth: 1)
  }
}
