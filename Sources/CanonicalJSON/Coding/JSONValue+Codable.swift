extension JSONValue: Codable {
  /// Decodes the exact value from JSON, and the first kind that fits from other formats.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.dynamicValue()
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .number(JSONNumber(value))
    } else if let value = try? container.decode(Double.self), let number = JSONNumber(value) {
      self = .number(number)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      return try encoder.builder.appendDynamic(self, depth: encoder.depth)
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .number(let number):
      if let value = number.intValue {
        try container.encode(value)
      } else if let value = UInt64(number.text) {
        try container.encode(value)
      } else {
        try container.encode(number.doubleValue)
      }
    }
  }
}

extension JSONValue {
  /// Whether containers are nested more than `levels` deep.
  func isDeeper(than levels: Int) -> Bool {
    switch self {
    case .array(let elements): levels < 1 || elements.contains { $0.isDeeper(than: levels - 1) }
    case .object(let members):
      levels < 1 || members.values.contains { $0.isDeeper(than: levels - 1) }
    default: false
    }
  }
}

extension ValueDecoder {
  /// Throws only for an object with two keys that are equal to a Swift dictionary.
  fileprivate func dynamicValue() throws -> JSONValue {
    let bytes = document.bytes
    do {
      return try JSONValue(parsing: bytes.span.extracting(document[index].range))
    } catch {
      throw DecodingError.dataCorrupted(context(error.detail))
    }
  }
}
