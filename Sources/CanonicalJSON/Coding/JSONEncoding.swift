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
  func primitive(_ value: some JSONPrimitive) throws {
    try builder.appendSingle(value, depth: depth)
  }

  func encodeNil() { builder.appendSingleNull(depth: depth) }

  func encode(_ value: Bool) throws { try primitive(value) }
  func encode(_ value: String) throws { try primitive(value) }
  func encode(_ value: Double) throws { try primitive(value) }
  func encode(_ value: Float) throws { try primitive(value) }
  func encode(_ value: Int) throws { try primitive(value) }
  func encode(_ value: Int8) throws { try primitive(value) }
  func encode(_ value: Int16) throws { try primitive(value) }
  func encode(_ value: Int32) throws { try primitive(value) }
  func encode(_ value: Int64) throws { try primitive(value) }
  func encode(_ value: Int128) throws { try primitive(value) }
  func encode(_ value: UInt) throws { try primitive(value) }
  func encode(_ value: UInt8) throws { try primitive(value) }
  func encode(_ value: UInt16) throws { try primitive(value) }
  func encode(_ value: UInt32) throws { try primitive(value) }
  func encode(_ value: UInt64) throws { try primitive(value) }
  func encode(_ value: UInt128) throws { try primitive(value) }

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

  func encode(_ value: Bool, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int8, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int16, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int32, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: Int128, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt8, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt16, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt32, forKey key: Key) throws {
    try builder.appendMember(value, key.stringValue, depth: depth)
  }
  func encode(_ value: UInt64, forKey key: Key) throws {
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

  private func primitive(_ value: some JSONPrimitive) throws {
    try builder.appendElement(value, depth: depth)
  }

  func encodeNil() { builder.appendNull(depth: depth) }

  func encode(_ value: Bool) throws { try primitive(value) }
  func encode(_ value: String) throws { try primitive(value) }
  func encode(_ value: Double) throws { try primitive(value) }
  func encode(_ value: Float) throws { try primitive(value) }
  func encode(_ value: Int) throws { try primitive(value) }
  func encode(_ value: Int8) throws { try primitive(value) }
  func encode(_ value: Int16) throws { try primitive(value) }
  func encode(_ value: Int32) throws { try primitive(value) }
  func encode(_ value: Int64) throws { try primitive(value) }
  func encode(_ value: Int128) throws { try primitive(value) }
  func encode(_ value: UInt) throws { try primitive(value) }
  func encode(_ value: UInt8) throws { try primitive(value) }
  func encode(_ value: UInt16) throws { try primitive(value) }
  func encode(_ value: UInt32) throws { try primitive(value) }
  func encode(_ value: UInt64) throws { try primitive(value) }
  func encode(_ value: UInt128) throws { try primitive(value) }

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
