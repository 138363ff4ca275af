import Basics

/// Canonical JSON: no whitespace, and the key order and string escapes of RFC 8785.
///
/// An integer of any length is kept as it is, except that `-0` becomes `0`. A number with a
/// fraction or an exponent becomes the shortest form of its Double, as ECMAScript prints it.
package enum CanonicalJSON {
  /// Validates a whole document, with or without whitespace around it, and appends its canonical
  /// form.
  ///
  /// Bytes that are already canonical are copied. If this throws, the output is unchanged.
  package static func append(_ json: Span<UInt8>, to output: inout [UInt8]) throws(JSONError) {
    var start = 0
    JSONScanner.skipWhitespace(in: json, at: &start)
    var end = start
    let isCanonical = try JSONScanner.skipValue(in: json, at: &end)
    var rest = end
    try JSONScanner.expectEnd(of: json, at: &rest)
    if isCanonical {
      output.append(json.extracting(start..<end))
      return
    }
    let mark = output.count
    var members = MemberTable()
    do {
      try appendValue(json, at: &start, to: &output, &members, depth: 0)
    } catch {
      output.removeLast(output.count - mark)
      throw error
    }
  }

  /// The canonical form of one whole document.
  package static func bytes(_ json: Span<UInt8>) throws(JSONError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(json.count)
    try append(json, to: &output)
    return output
  }

  // MARK: Rewriting

  private static func appendValue(
    _ json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8],
    _ members: inout MemberTable, depth: Int
  ) throws(JSONError) {
    guard offset < json.count else { throw .expected("a value", in: json, at: offset) }
    let start = offset
    switch json[offset] {
    case 0x22: try appendString(in: json, at: &offset, to: &output)
    case 0x7B, 0x5B:
      try appendContainer(json, at: &offset, to: &output, &members, depth: depth + 1)
    case 0x2D, 0x30...0x39: try appendNumber(in: json, at: &offset, to: &output)
    default:
      try JSONScanner.literal(in: json, at: &offset)
      output.append(json.extracting(start..<offset))
    }
  }

  private static func appendContainer(
    _ json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8],
    _ members: inout MemberTable, depth: Int
  ) throws(JSONError) {
    try JSONScanner.checkDepth(depth, at: offset)
    let opening = json[offset]
    let closing = opening + 2
    let object = members.beginObject(at: output.count)
    var isFirst = true
    while try JSONScanner.hasNext(isFirst: isFirst, closing: closing, in: json, at: &offset) {
      output.append(isFirst ? opening : 0x2C)
      isFirst = false
      if opening == 0x7B {
        let keyStart = (input: offset, output: output.count)
        try appendString(in: json, at: &offset, to: &output)
        members.add(key: keyStart.output..<output.count, origin: keyStart.input)
        try JSONScanner.spacedColon(in: json, at: &offset)
        output.append(0x3A)
      }
      try appendValue(json, at: &offset, to: &output, &members, depth: depth)
    }
    if isFirst { output.append(opening) }
    output.append(closing)
    if opening == 0x7B, let duplicate = members.endObject(object, in: &output) {
      throw JSONError(
        code: .duplicateKey, offset: duplicate.origin,
        detail: "expected each key once, found \(duplicate.key) again")
    }
  }

  private static func appendString(
    in json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8]
  ) throws(JSONError) {
    let start = offset
    let found = try JSONScanner.string(in: json, at: &offset)
    if found.isCanonical {
      output.append(json.extracting(start..<offset))
      return
    }
    let content = json.extracting((start + 1)..<(offset - 1))
    output.append(0x22)
    var position = 0
    while let scalar = try nextEscape(in: content, at: &position, copyingTo: &output) {
      appendScalar(scalar, to: &output)
    }
    output.append(0x22)
  }

  private static func appendNumber(
    in json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8]
  ) throws(JSONError) {
    let start = offset
    if try JSONScanner.number(in: json, at: &offset) {
      output.append(json.extracting(start..<offset))
    } else {
      appendDouble(try JSONScanner.double(in: json, start..<offset), to: &output)
    }
  }

  // MARK: Unescaping

  /// The text of a string's content, without its quotes.
  package static func unescape(_ content: Span<UInt8>) throws(JSONError) -> String {
    var end = 0
    let found = try JSONScanner.content(in: content, at: &end)
    guard end == content.count else {
      throw .expected("string content", in: content, at: end)
    }
    guard found.hasEscapes else { return String(repairing: content) }
    let text = try unescapedBytes(content)
    return String(repairing: text.span)
  }

  /// The unescaped UTF-8 of content whose escapes have not been validated yet.
  static func unescapedBytes(_ content: Span<UInt8>) throws(JSONError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var position = 0
    while let scalar = try nextEscape(in: content, at: &position, copyingTo: &text) {
      text.append(contentsOf: Character(scalar).utf8)
    }
    return text
  }

  /// Copies content up to the next escape and moves past it. Returns the escaped scalar, or nil at
  /// the end.
  private static func nextEscape(
    in content: Span<UInt8>, at offset: inout Int, copyingTo output: inout [UInt8]
  ) throws(JSONError) -> Unicode.Scalar? {
    let start = offset
    while offset < content.count, content[offset] != 0x5C { offset += 1 }
    output.append(content.extracting(start..<offset))
    guard offset < content.count else { return nil }
    let escape = try JSONScanner.escape(in: content, at: offset)
    offset = escape.end
    return escape.scalar
  }
}
