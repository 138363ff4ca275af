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
  func encodeNil() throws { try encode(JSONValue.null) }

  func encode<T: JSONPrimitive>(_ value: T) throws {
    try builder.append(value, .single, depth: depth)
  }
  func encode(_ value: Int128) throws { try builder.append(value, .single, depth: depth) }
  func encode(_ value: UInt128) throws { try builder.append(value, .single, depth: depth) }

  func encode<T: Encodable>(_ value: T) throws {
    try builder.appendAny(value, .single, depth: depth)
  }
}

/// Writes the members of one object.
struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let builder: JSONBuilder
  let depth: Int

  var codingPath: [any CodingKey] { builder.codingPath(depth: depth) }

  func encodeNil(forKey key: Key) throws { try encode(JSONValue.null, forKey: key) }

  @inline(__always)
  func encode<T: JSONPrimitive>(_ value: T, forKey key: Key) throws {
    try builder.append(value, .member(key.stringValue), depth: depth)
  }
  func encode(_ value: Int128, forKey key: Key) throws {
    try builder.append(value, .member(key.stringValue), depth: depth)
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try builder.append(value, .member(key.stringValue), depth: depth)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try builder.appendAny(value, .member(key.stringValue), depth: depth)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    builder.deferMember(key, depth: depth).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    builder.deferMember(key, depth: depth).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    builder.deferMember(JSONCodingKey(stringValue: "super"), depth: depth)
  }

  func superEncoder(forKey key: Key) -> any Encoder { builder.deferMember(key, depth: depth) }
}

/// Writes the elements of one array.
struct ElementEncoder: UnkeyedEncodingContainer {
  let builder: JSONBuilder
  let depth: Int

  var codingPath: [any CodingKey] { builder.codingPath(depth: depth) }
  var count: Int { builder.writer.count(depth: depth) }

  func encodeNil() throws { try encode(JSONValue.null) }

  @inline(__always)
  func encode<T: JSONPrimitive>(_ value: T) throws {
    try builder.append(value, .element, depth: depth)
  }
  func encode(_ value: Int128) throws { try builder.append(value, .element, depth: depth) }
  func encode(_ value: UInt128) throws { try builder.append(value, .element, depth: depth) }

  func encode<T: Encodable>(_ value: T) throws {
    try builder.appendAny(value, .element, depth: depth)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    builder.deferElement(depth: depth).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    builder.deferElement(depth: depth).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { builder.deferElement(depth: depth) }
}
