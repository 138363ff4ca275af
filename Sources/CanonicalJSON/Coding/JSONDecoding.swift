/// The decoder of one value in a document.
///
/// It holds only the document and the value's index, so that it fits into an existential. Even the
/// coding path is computed on demand.
struct ValueDecoder: Decoder {
  let document: JSONDocument
  let index: Int

  var codingPath: [any CodingKey] { document.path(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.opening(index) == 0x7B else {
      throw mismatch([String: Any].self, expected: "an object")
    }
    return KeyedDecodingContainer(MemberDecoder<Key>(object: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.opening(index) == 0x5B else {
      throw mismatch([Any].self, expected: "an array")
    }
    return ElementDecoder(document: document, array: index)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder {
  var isNull: Bool { document.opening(index) == 0x6E }

  @inline(__always)
  func primitive<T: JSONPrimitive>(_ type: T.Type) throws -> T {
    if let value: T = document.scalar(index) { return value }
    throw mismatch(T.self, expected: T.jsonName)
  }

  /// Decodes any type. The most frequent ones don't take the detour through `init(from:)`.
  @specialized(where T == String)
  @specialized(where T == Int)
  @specialized(where T == Double)
  @specialized(where T == Bool)
  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == String.self { return sameType(try primitive(String.self), as: type) }
    if T.self == Int.self { return sameType(try primitive(Int.self), as: type) }
    if T.self == Double.self { return sameType(try primitive(Double.self), as: type) }
    if T.self == Bool.self { return sameType(try primitive(Bool.self), as: type) }
    if let found = FoundationType.of(type) { return try scalar(type, of: found) }
    do {
      return try T(from: self)
    } catch DecodingError.dataCorrupted(let context) {
      throw caseMismatch(type, context) ?? DecodingError.dataCorrupted(context)
    }
  }

  private func scalar<T: Decodable>(_ type: T.Type, of found: FoundationType) throws -> T {
    guard let scalar = found.scalar else {
      throw DecodingError.dataCorrupted(context(found.refusal))
    }
    return try value(scalar, as: type)
  }

  private func value<S: FoundationScalar, T>(_ scalar: S.Type, as type: T.Type) throws -> T {
    guard let value = S(json: try primitive(JSONValue.self)) else {
      throw mismatch(scalar, expected: S.jsonName)
    }
    return sameType(value, as: type)
  }

  /// An error that lists the cases, for a value that is none of an enum's. The standard library's
  /// own doesn't list them. Nil for other types, and for errors in nested values.
  private func caseMismatch(
    _ type: any Any.Type, _ found: DecodingError.Context
  ) -> DecodingError? {
    guard found.codingPath.count == codingPath.count, let cases = EnumCases(type) else {
      return nil
    }
    let names = cases.values.map(\.canonicalText)
    let others = names.dropLast().joined(separator: ", ")
    let expected = others.isEmpty ? names.joined() : "\(others) or \(names[names.count - 1])"
    return .dataCorrupted(context("expected \(expected), found \(foundText())"))
  }

  /// The error for a value of another type, or null, where `expected` was wanted.
  func mismatch(_ type: any Any.Type, expected: String) -> DecodingError {
    let context = context("expected \(expected), found \(foundText())")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The context of an error, with the path to this value before the description.
  func context(_ description: String) -> DecodingError.Context {
    let path = codingPath
    return DecodingError.Context(
      codingPath: path, debugDescription: describe(description, at: path))
  }

  private func foundText() -> String {
    switch document.opening(index) {
    case 0x7B: return "an object"
    case 0x5B: return "an array"
    default:
      let text = document.text(index)
      guard text.utf8.count > 60 else { return text }
      // The beginning of a secret could not be recognized any more.
      return document.opening(index) == 0x22 ? "a long string" : "a long number"
    }
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull }
  @inline(__always)
  func decode<T: JSONPrimitive>(_ type: T.Type) throws -> T { try primitive(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try primitive(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try primitive(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
