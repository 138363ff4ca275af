import Basics

extension JSONValue {
  /// Parses a whole document, with or without whitespace around it.
  ///
  /// Keys of an object that differ only in their Unicode normalisation are duplicates, because a
  /// Swift dictionary can't hold both.
  package init(parsing json: Span<UInt8>) throws(JSONError) {
    var offset = 0
    JSONScanner.skipWhitespace(in: json, at: &offset)
    self = try Self.parse(json, at: &offset, depth: 0)
    try JSONScanner.expectEnd(of: json, at: &offset)
  }

  static func parse(
    _ json: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> JSONValue {
    guard offset < json.count else { throw .expected("a value", in: json, at: offset) }
    switch json[offset] {
    case 0x22: return .string(try parseString(json, at: &offset))
    case 0x7B: return try parseObject(json, at: &offset, depth: depth + 1)
    case 0x5B: return try parseArray(json, at: &offset, depth: depth + 1)
    case 0x2D, 0x30...0x39: return .number(try parseNumber(json, at: &offset))
    case let first:
      try JSONScanner.literal(in: json, at: &offset)
      return first == 0x6E ? .null : .bool(first == 0x74)
    }
  }

  static func parseString(
    _ json: Span<UInt8>, at offset: inout Int, expected: String = "a string"
  ) throws(JSONError) -> String {
    let (range, hasEscapes) = try JSONScanner.skipString(
      in: json, at: &offset, expected: expected)
    let content = json.extracting(range)
    guard hasEscapes else { return String(repairing: content) }
    let text = try CanonicalJSON.unescapedBytes(content)
    return String(repairing: text.span)
  }

  private static func parseNumber(
    _ json: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> JSONNumber {
    let start = offset
    if try JSONScanner.number(in: json, at: &offset) {
      return JSONNumber(canonical: String(repairing: json.extracting(start..<offset)))
    }
    let value = try JSONScanner.double(in: json, start..<offset)
    guard let number = JSONNumber(value) else { preconditionFailure("\(value) is not finite") }
    return number
  }

  private static func parseArray(
    _ json: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> JSONValue {
    try JSONScanner.checkDepth(depth, at: offset)
    var elements: [JSONValue] = []
    while try JSONScanner.hasNext(
      isFirst: elements.isEmpty, closing: 0x5D, in: json, at: &offset)
    {
      elements.append(try parse(json, at: &offset, depth: depth))
    }
    return .array(elements)
  }

  private static func parseObject(
    _ json: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> JSONValue {
    try JSONScanner.checkDepth(depth, at: offset)
    var members: [String: JSONValue] = [:]
    while try JSONScanner.hasNext(
      isFirst: members.isEmpty, closing: 0x7D, in: json, at: &offset)
    {
      let keyStart = offset
      let key = try parseString(json, at: &offset, expected: "a key in quotes")
      try JSONScanner.spacedColon(in: json, at: &offset)
      let value = try parse(json, at: &offset, depth: depth)
      if let index = members.index(forKey: key) {
        throw duplicate(key, of: members[index].key, at: keyStart)
      }
      members[key] = value
    }
    return .object(members)
  }

  /// The error for a key that a Swift dictionary can't tell from one it has.
  private static func duplicate(_ key: String, of first: String, at offset: Int) -> JSONError {
    var text: [UInt8] = []
    CanonicalJSON.appendString(key, to: &text)
    let isSame = key.utf8.elementsEqual(first.utf8)
    return JSONError(
      code: .duplicateKey, offset: offset,
      detail: "expected each key once, found \(String(repairing: text.span)) again"
        + (isSame ? "" : " in another Unicode normalisation; write it in the same or rename it"))
  }

  /// Appends the canonical form.
  package func append(to output: inout [UInt8]) {
    append(to: &output) { text, output in CanonicalJSON.appendString(text, to: &output) }
  }

  /// Appends the canonical form, in which `write` writes all strings but the keys.
  package func append<Failure: Error>(
    to output: inout [UInt8], strings write: (String, inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): try write(text, &output)
    case .array(let elements):
      output.append(0x5B)
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(0x2C) }
        try element.append(to: &output, strings: write)
      }
      output.append(0x5D)
    case .object(let members):
      let sorted = members.sorted { KeyOrder.precedes($0.key, $1.key) }
      output.append(0x7B)
      for (index, member) in sorted.enumerated() {
        if index > 0 { output.append(0x2C) }
        CanonicalJSON.appendName(member.key, to: &output)
        try member.value.append(to: &output, strings: write)
      }
      output.append(0x7D)
    }
  }
}
