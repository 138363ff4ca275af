/// The elements of one array, read one after the other.
struct ElementDecoder: UnkeyedDecodingContainer {
  private let document: JSONDocument
  private let array: Int
  /// The index in the document of the next element, or of what comes after the array.
  private var next: Int
  private let end: Int
  private(set) var currentIndex = 0

  init(document: JSONDocument, array: Int) {
    self.document = document
    self.array = array
    next = array + 1
    end = document[array].next
  }

  var codingPath: [any CodingKey] { document.path(to: array) }

  /// Unknown, because counting would mean walking the array twice.
  var count: Int? { nil }
  var isAtEnd: Bool { next == end }

  private func element(_ type: any Any.Type) throws -> ValueDecoder {
    if next < end { return ValueDecoder(document: document, index: next) }
    let path = codingPath + [JSONCodingKey(index: currentIndex)]
    throw DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: "\(pathText(path)): expected one more element, found the array's end"))
  }

  /// Moves past an element, once it has been decoded.
  private mutating func advance() {
    next = document[next].next
    currentIndex += 1
  }

  @inline(__always)
  private mutating func primitive<T: JSONPrimitive>(_ type: T.Type) throws -> T {
    guard next < end, let value: T = document.scalar(next) else {
      return try element(type).primitive(type)
    }
    advance()
    return value
  }

  /// Moves past a null only, as the protocol wants it.
  mutating func decodeNil() throws -> Bool {
    guard try element(Void.self).isNull else { return false }
    advance()
    return true
  }

  @inline(__always)
  mutating func decode<T: JSONPrimitive>(_ type: T.Type) throws -> T { try primitive(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try primitive(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try primitive(type) }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try element(type).value(type)
    advance()
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try element([String: Any].self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element([Any].self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element((any Decoder).self)
    advance()
    return decoder
  }
}
