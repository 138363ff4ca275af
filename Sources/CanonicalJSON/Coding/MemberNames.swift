extension JSONCoding {
  /// The names of the top-level members that encoding `value` asks for, in order of asking.
  ///
  /// Nil optionals count (`encodeIfPresent`). Empty for a value that is no object; an error of the
  /// value's own `encode(to:)` ends the list where it was thrown.
  package static func memberNames<T: Encodable>(of value: T) -> [String] {
    let recorder = NameRecorder()
    do {
      try value.encode(to: NamingEncoder(recorder: recorder))
    } catch {
      return recorder.names
    }
    return recorder.names
  }
}

private final class NameRecorder {
  private(set) var names: [String] = []

  func record(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }
}

/// Notes the names of members and drops their values.
private struct NamingEncoder: Encoder, SingleValueEncodingContainer {
  /// Nil below the top level.
  let recorder: NameRecorder?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NamingMembers<Key>(recorder: recorder))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { DroppingElements() }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {}
  func encode(_ value: Bool) {}
  func encode(_ value: String) {}
  func encode(_ value: Double) {}
  func encode(_ value: Float) {}
  func encode(_ value: Int) {}
  func encode(_ value: Int8) {}
  func encode(_ value: Int16) {}
  func encode(_ value: Int32) {}
  func encode(_ value: Int64) {}
  func encode(_ value: Int128) {}
  func encode(_ value: UInt) {}
  func encode(_ value: UInt8) {}
  func encode(_ value: UInt16) {}
  func encode(_ value: UInt32) {}
  func encode(_ value: UInt64) {}
  func encode(_ value: UInt128) {}

  /// A value that encodes as another one has that one's members.
  func encode<T: Encodable>(_ value: T) throws {
    if recorder != nil, !(value is any JSONPrimitive) { try value.encode(to: self) }
  }
}

private struct NamingMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let recorder: NameRecorder?

  var codingPath: [any CodingKey] { [] }

  private func record(_ key: any CodingKey) { recorder?.record(key.stringValue) }

  func encodeNil(forKey key: Key) { record(key) }
  func encode(_ value: Bool, forKey key: Key) { record(key) }
  func encode(_ value: String, forKey key: Key) { record(key) }
  func encode(_ value: Double, forKey key: Key) { record(key) }
  func encode(_ value: Float, forKey key: Key) { record(key) }
  func encode(_ value: Int, forKey key: Key) { record(key) }
  func encode(_ value: Int8, forKey key: Key) { record(key) }
  func encode(_ value: Int16, forKey key: Key) { record(key) }
  func encode(_ value: Int32, forKey key: Key) { record(key) }
  func encode(_ value: Int64, forKey key: Key) { record(key) }
  func encode(_ value: Int128, forKey key: Key) { record(key) }
  func encode(_ value: UInt, forKey key: Key) { record(key) }
  func encode(_ value: UInt8, forKey key: Key) { record(key) }
  func encode(_ value: UInt16, forKey key: Key) { record(key) }
  func encode(_ value: UInt32, forKey key: Key) { record(key) }
  func encode(_ value: UInt64, forKey key: Key) { record(key) }
  func encode(_ value: UInt128, forKey key: Key) { record(key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) { record(key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { record(key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) { record(key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    record(key)
    return KeyedEncodingContainer(NamingMembers<NestedKey>(recorder: nil))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    record(key)
    return DroppingElements()
  }

  func superEncoder() -> any Encoder {
    recorder?.record("super")
    return NamingEncoder(recorder: nil)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    record(key)
    return NamingEncoder(recorder: nil)
  }
}

/// An array's elements have no names.
private struct DroppingElements: UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: Bool) { count += 1 }
  mutating func encode(_ value: String) { count += 1 }
  mutating func encode(_ value: Double) { count += 1 }
  mutating func encode(_ value: Float) { count += 1 }
  mutating func encode(_ value: Int) { count += 1 }
  mutating func encode(_ value: Int8) { count += 1 }
  mutating func encode(_ value: Int16) { count += 1 }
  mutating func encode(_ value: Int32) { count += 1 }
  mutating func encode(_ value: Int64) { count += 1 }
  mutating func encode(_ value: Int128) { count += 1 }
  mutating func encode(_ value: UInt) { count += 1 }
  mutating func encode(_ value: UInt8) { count += 1 }
  mutating func encode(_ value: UInt16) { count += 1 }
  mutating func encode(_ value: UInt32) { count += 1 }
  mutating func encode(_ value: UInt64) { count += 1 }
  mutating func encode(_ value: UInt128) { count += 1 }
  mutating func encode<T: Encodable>(_ value: T) { count += 1 }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    count += 1
    return KeyedEncodingContainer(NamingMembers<NestedKey>(recorder: nil))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return DroppingElements()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return NamingEncoder(recorder: nil)
  }
}
