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
    if output.capacity == 0 { output.reserveCapacity(128) }
    // Casts are slow where the type is not known, comparisons are not.
    if T.self == String.self, append(value as? String, to: &output) { return }
    if T.self == Int.self, append(value as? Int, to: &output) { return }
    if T.self == Double.self, append(value as? Double, to: &output) { return }
    if T.self == Bool.self, append(value as? Bool, to: &output) { return }
    if T.self == JSONValue.self, let value = value as? JSONValue,
      !value.isDeeper(than: JSONScanner.maxDepth)
    {
      return value.append(to: &output)
    }
    let start = output.count
    let builder = JSONBuilder(basePath: [])
    builder.swapOutput(&output)
    defer { builder.swapOutput(&output) }
    do {
      try builder.append(value)
    } catch {
      builder.truncate(to: start)
      throw error
    }
  }

  /// Appends a scalar. Returns false for nil, and for what JSON can't express.
  @inline(__always)
  private static func append<T: JSONPrimitive>(_ value: T?, to output: inout [UInt8]) -> Bool {
    value.map { $0.appendCanonical(to: &output) } ?? false
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
    if T.self == String.self, let value = try scalar(String.self, json) as? T { return value }
    if T.self == Int.self, let value = try scalar(Int.self, json) as? T { return value }
    if T.self == Double.self, let value = try scalar(Double.self, json) as? T { return value }
    if T.self == Bool.self, let value = try scalar(Bool.self, json) as? T { return value }
    if T.self == JSONValue.self, let value = try JSONValue(parsing: json) as? T { return value }
    var end = 0
    let isCanonical = try JSONScanner.skipValue(in: json, at: &end) && end == json.count
    let document = JSONDocument(
      canonical: isCanonical ? Array(copying: json) : try CanonicalJSON.bytes(json))
    return try ValueDecoder(document: document, index: 0).value(type)
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
