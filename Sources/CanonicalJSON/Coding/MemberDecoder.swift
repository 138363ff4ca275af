/// Looks up an object's members. It is here, and not in the generic container, so that reading is
/// compiled for each scalar type.
extension ValueDecoder {
  func memberIfPresent(_ name: String) -> ValueDecoder? {
    guard let member = document.member(name, of: index) else { return nil }
    return ValueDecoder(document: document, index: member)
  }

  func member(_ name: String) throws -> ValueDecoder {
    if let member = memberIfPresent(name) { return member }
    let path = codingPath
    let key = JSONCodingKey(stringValue: name)
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: path, debugDescription: describe("this member is missing", at: path + [key])))
  }

  @inline(__always)
  func primitive<T: JSONPrimitive>(_ name: String) throws -> T {
    if let member = document.member(name, of: index), let value: T = document.scalar(member) {
      return value
    }
    return try member(name).primitive(T.self)
  }

  @inline(__always)
  func primitiveIfPresent<T: JSONPrimitive>(_ name: String) throws -> T? {
    guard let member = document.member(name, of: index), document.opening(member) != 0x6E else {
      return nil
    }
    if let value: T = document.scalar(member) { return value }
    return try ValueDecoder(document: document, index: member).primitive(T.self)
  }
}

/// The members of one object, by a type's own keys.
struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: ValueDecoder

  var codingPath: [any CodingKey] { object.codingPath }

  var allKeys: [Key] {
    var keys: [Key] = []
    let values = object.document
    var member = object.index + 1
    while member < values[object.index].next {
      if let key = Key(stringValue: object.document.name(member)) { keys.append(key) }
      member = values[member].next
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { object.memberIfPresent(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try object.member(key.stringValue).isNull }

  @inline(__always)
  func decode<T: JSONPrimitive>(_: T.Type, forKey key: Key) throws -> T {
    try object.primitive(key.stringValue)
  }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 {
    try object.primitive(key.stringValue)
  }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try object.primitive(key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try object.member(key.stringValue).value(type)
  }

  // Other integer types use the protocol's default, which looks up the key three times.
  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
    try object.primitiveIfPresent(key.stringValue)
  }

  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    try object.primitiveIfPresent(key.stringValue)
  }

  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
    try object.primitiveIfPresent(key.stringValue)
  }

  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
    try object.primitiveIfPresent(key.stringValue)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let member = object.memberIfPresent(key.stringValue), !member.isNull else { return nil }
    return try member.value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try object.member(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try object.member(key.stringValue).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(named: "super") }
  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key.stringValue) }

  /// A missing member decodes as null, as in Foundation.
  private func superDecoder(named name: String) -> any Decoder {
    object.memberIfPresent(name)
      ?? ValueDecoder(document: JSONDocument(canonical: Array("null".utf8)), index: 0)
  }
}
