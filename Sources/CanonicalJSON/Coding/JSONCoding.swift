import Basics

/// Encodes Swift values as canonical JSON, and decodes them.
package enum JSONCoding {
  /// Appends the canonical JSON of `value`. If this throws, the output is unchanged.
  ///
  /// Throws `EncodingError` with a coding path for what JSON can't express.
  @specialized(where T == String)
  @specialized(where T == Int)
  @specialized(where T == Double)
  @specialized(where T == Bool)
  @specialized(where T == JSONValue)
  package static func encode<T: Encodable>(
    _ value: T, appendingTo output: inout [UInt8]
  ) throws {
    var builder: JSONBuilder?
    try encode(value, appendingTo: &output, with: &builder)
  }

  /// Does what `encode(_:appendingTo:)` does.
  ///
  /// - Parameter spare: a builder of an earlier call, or nil; then perhaps one for the next call.
  @specialized(where T == String)
  @specialized(where T == Int)
  @specialized(where T == Double)
  @specialized(where T == Bool)
  @specialized(where T == JSONValue)
  package static func encode<T: Encodable>(
    _ value: T, appendingTo output: inout [UInt8], with spare: inout JSONBuilder?
  ) throws {
    if output.capacity == 0 { output.reserveCapacity(128) }
    if T.self == String.self, append(sameType(value, as: String.self), to: &output) { return }
    if T.self == Int.self, append(sameType(value, as: Int.self), to: &output) { return }
    if T.self == Double.self, append(sameType(value, as: Double.self), to: &output) { return }
    if T.self == Bool.self, append(sameType(value, as: Bool.self), to: &output) { return }
    if T.self == JSONValue.self {
      let value = sameType(value, as: JSONValue.self)
      if !value.isDeeper(than: JSONScanner.maxDepth) { return value.append(to: &output) }
    }
    let start = output.count
    var builder = spare.take() ?? JSONBuilder(basePath: [])
    builder.swapOutput(&output)
    defer { builder.swapOutput(&output) }
    do {
      try builder.append(value)
    } catch {
      builder.truncate(to: start)
      throw error
    }
    // The code of an author may have kept a container.
    if builder.isSmall, isKnownUniquelyReferenced(&builder) { spare = builder }
  }

  /// Appends a scalar. Returns false for what JSON can't express.
  @inline(__always)
  private static func append<T: JSONPrimitive>(_ value: T, to output: inout [UInt8]) -> Bool {
    value.appendCanonical(to: &output)
  }

  /// Decodes a whole document, with or without whitespace around it. Ignores unknown members.
  ///
  /// Throws `JSONError` if it isn't JSON, and `DecodingError` if it isn't a `T`.
  @specialized(where T == String)
  @specialized(where T == Int)
  @specialized(where T == Double)
  @specialized(where T == Bool)
  @specialized(where T == JSONValue)
  package static func decode<T: Decodable>(_ type: T.Type, from json: Span<UInt8>) throws -> T {
    if T.self == String.self, let value = try scalar(String.self, json) {
      return sameType(value, as: type)
    }
    if T.self == Int.self, let value = try scalar(Int.self, json) {
      return sameType(value, as: type)
    }
    if T.self == Double.self, let value = try scalar(Double.self, json) {
      return sameType(value, as: type)
    }
    if T.self == Bool.self, let value = try scalar(Bool.self, json) {
      return sameType(value, as: type)
    }
    if T.self == JSONValue.self { return sameType(try JSONValue(parsing: json), as: type) }
    return try decode(type, canonical: canonicalBytes(json))
  }

  static func decode<T: Decodable>(_ type: T.Type, canonical json: [UInt8]) throws -> T {
    try ValueDecoder(document: JSONDocument(canonical: json), index: 0).value(type)
  }

  /// The canonical form of a whole document. Copies what is canonical.
  static func canonicalBytes(_ json: Span<UInt8>) throws(JSONError) -> [UInt8] {
    var end = 0
    let isCanonical = try JSONScanner.skipValue(in: json, at: &end) && end == json.count
    return isCanonical ? Array(copying: json) : try CanonicalJSON.bytes(json)
  }

  /// Reads a document that is a single canonical scalar in place. Returns nil for any other.
  private static func scalar<T: JSONPrimitive>(
    _ type: T.Type, _ json: Span<UInt8>
  ) throws -> T? {
    var end = 0
    guard try JSONScanner.skipValue(in: json, at: &end), end == json.count else { return nil }
    return T(canonical: json)
  }

  /// One clear sentence for an error of this module or of Codable.
  package static func message(for error: any Error) -> String {
    switch error {
    case let error as JSONError: error.description
    case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      message(context.debugDescription, context.codingPath)
    case EncodingError.invalidValue(_, let context):
      message(context.debugDescription, context.codingPath)
    default: String(describing: error)
    }
  }

  /// Adds the path, with which only this module's own descriptions begin.
  private static func message(_ description: String, _ path: [any CodingKey]) -> String {
    let place = pathText(path)
    return description.hasPrefix(place) ? description : "\(place): \(description)"
  }
}
