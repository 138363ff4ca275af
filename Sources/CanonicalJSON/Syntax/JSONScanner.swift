/// Validates JSON in place, in one pass, without building anything.
///
/// Allocates nothing on success, except for a number with an exponent or more than 15 significant
/// digits, which has to be parsed to find its canonical form.
package enum JSONScanner {
  /// How many containers may be open at once.
  package static let maxDepth = 256

  /// Validates one value that starts at `offset` and moves `offset` past it.
  ///
  /// Returns true if the bytes it passed are canonical, which also means that no key is repeated.
  /// Returns false for valid JSON that may not be canonical and may repeat keys. Leading whitespace
  /// is valid, but not canonical.
  package static func skipValue(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    let start = offset
    skipWhitespace(in: bytes, at: &offset)
    let isTight = start == offset
    return try value(in: bytes, at: &offset, depth: 0) && isTight
  }

  /// Whether the bytes are canonical JSON: one value, without whitespace around it.
  package static func isCanonical(_ bytes: Span<UInt8>) -> Bool {
    // Most values are strings without escapes, which take a single call.
    if bytes.count > 1, bytes[0] == 0x22, endOfPlainRun(in: bytes, from: 1) == bytes.count - 1 {
      return bytes[bytes.count - 1] == 0x22
    }
    var end = 0
    do throws(JSONError) { return try skipValue(in: bytes, at: &end) && end == bytes.count } catch {
      return false
    }
  }

  /// Moves `offset` past the string that starts there.
  ///
  /// Returns the range of the content, without the quotes, and whether it has escapes.
  package static func skipString(
    in bytes: Span<UInt8>, at offset: inout Int, expected: String = "a string"
  ) throws(JSONError) -> (content: Range<Int>, hasEscapes: Bool) {
    guard offset < bytes.count, bytes[offset] == 0x22 else {
      throw .expected(expected, in: bytes, at: offset)
    }
    let start = offset + 1
    let content = try string(in: bytes, at: &offset)
    return (start..<(offset - 1), content.hasEscapes)
  }

  package static func skipWhitespace(in bytes: Span<UInt8>, at offset: inout Int) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// Moves `offset` past whitespace, and refuses anything after it.
  static func expectEnd(of bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) {
    skipWhitespace(in: bytes, at: &offset)
    guard offset < bytes.count else { return }
    throw JSONError(
      code: .trailingData, offset: offset,
      detail: "expected nothing after the value, found \(JSONError.describe(bytes[offset]))")
  }

  // MARK: Values

  /// Does what `skipValue` does, inside of `depth` containers.
  static func skipInnerValue(
    in bytes: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> Bool {
    try value(in: bytes, at: &offset, depth: depth)
  }

  private static func value(
    in bytes: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> Bool {
    guard offset < bytes.count else { throw .expected("a value", in: bytes, at: offset) }
    switch bytes[offset] {
    case 0x22: return try string(in: bytes, at: &offset).isCanonical
    case 0x7B, 0x5B: return try container(in: bytes, at: &offset, depth: depth + 1)
    case 0x2D, 0x30...0x39: return try number(in: bytes, at: &offset)
    default:
      try literal(in: bytes, at: &offset)
      return true
    }
  }

  /// Moves `offset` past `true`, `false` or `null`. Throws for anything else.
  static func literal(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) {
    guard offset < bytes.count else { throw .expected("a value", in: bytes, at: offset) }
    let word: StaticString
    switch bytes[offset] {
    case 0x74: word = "true"
    case 0x66: word = "false"
    case 0x6E: word = "null"
    default: throw notAValue(in: bytes, at: offset)
    }
    for index in 1..<word.utf8CodeUnitCount {
      let position = offset + index
      guard position < bytes.count, unsafe bytes[position] == word.utf8Start[index] else {
        throw .expected("\"\(word)\"", in: bytes, at: position)
      }
    }
    offset += word.utf8CodeUnitCount
  }

  private static func notAValue(in bytes: Span<UInt8>, at offset: Int) -> JSONError {
    let hasMark =
      bytes.count - offset >= 3 && bytes[offset] == 0xEF && bytes[offset + 1] == 0xBB
      && bytes[offset + 2] == 0xBF
    guard hasMark else { return .expected("a value", in: bytes, at: offset) }
    return JSONError(
      code: .byteOrderMark, offset: offset,
      detail: "expected a value, found a byte order mark; save the text without it")
  }

  static func checkDepth(_ depth: Int, at offset: Int) throws(JSONError) {
    guard depth > maxDepth else { return }
    throw JSONError(
      code: .tooDeep, offset: offset,
      detail: "expected at most \(maxDepth) nested arrays and objects, found one more")
  }

  private static func container(
    in bytes: Span<UInt8>, at offset: inout Int, depth: Int
  ) throws(JSONError) -> Bool {
    try checkDepth(depth, at: offset)
    let opening = bytes[offset]
    // In ASCII, "]" and "}" are two after "[" and "{".
    let closing = opening + 2
    offset += 1
    var isCanonical = !skippedWhitespace(in: bytes, at: &offset)
    if offset < bytes.count, bytes[offset] == closing {
      offset += 1
      return isCanonical
    }
    var previousKey: Range<Int>?
    while true {
      if opening == 0x7B {
        let keyStart = offset + 1
        if try !key(in: bytes, at: &offset) { isCanonical = false }
        let key = keyStart..<(offset - 1)
        if isCanonical {
          if let previousKey { isCanonical = KeyOrder.precedes(bytes, previousKey, key) }
          previousKey = key
        }
        if skippedWhitespace(in: bytes, at: &offset) { isCanonical = false }
        try colon(in: bytes, at: &offset)
        if skippedWhitespace(in: bytes, at: &offset) { isCanonical = false }
      }
      if try !value(in: bytes, at: &offset, depth: depth) { isCanonical = false }
      if skippedWhitespace(in: bytes, at: &offset) { isCanonical = false }
      let ends = try separator(closing: closing, in: bytes, at: &offset)
      if ends { return isCanonical }
      if skippedWhitespace(in: bytes, at: &offset) { isCanonical = false }
    }
  }

  @inline(__always)
  private static func skippedWhitespace(in bytes: Span<UInt8>, at offset: inout Int) -> Bool {
    guard offset < bytes.count, bytes[offset] <= 0x20 else { return false }
    let start = offset
    skipWhitespace(in: bytes, at: &offset)
    return offset != start
  }

  /// Moves past an object's key, and tells whether it is canonical.
  static func key(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) -> Bool {
    guard offset < bytes.count, bytes[offset] == 0x22 else {
      throw .expected("a key in quotes", in: bytes, at: offset)
    }
    return try string(in: bytes, at: &offset).isCanonical
  }

  /// Moves past the colon after a key.
  @inline(__always)
  static func colon(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) {
    guard offset < bytes.count, bytes[offset] == 0x3A else {
      throw .expected("\":\" after a key", in: bytes, at: offset)
    }
    offset += 1
  }

  /// Moves past the colon after a key, and the whitespace around it.
  @inline(__always)
  static func spacedColon(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) {
    skipWhitespace(in: bytes, at: &offset)
    try colon(in: bytes, at: &offset)
    skipWhitespace(in: bytes, at: &offset)
  }

  /// Moves past a comma (false) or the closing bracket (true).
  @inline(__always)
  private static func separator(
    closing bracket: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    guard offset < bytes.count, bytes[offset] == 0x2C || bytes[offset] == bracket else {
      let closing = bracket == 0x5D ? "\"]\"" : "\"}\""
      throw .expected("\",\" or \(closing)", in: bytes, at: offset)
    }
    offset += 1
    return bytes[offset - 1] == bracket
  }

  /// Moves to the next element or key of a container and returns true, or past the closing bracket
  /// and returns false.
  ///
  /// `offset` must be at the opening bracket for the first one, else after a value.
  @inline(__always)
  static func hasNext(
    isFirst: Bool, closing bracket: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    if isFirst {
      offset += 1
      skipWhitespace(in: bytes, at: &offset)
      guard offset < bytes.count, bytes[offset] == bracket else { return true }
      offset += 1
      return false
    }
    skipWhitespace(in: bytes, at: &offset)
    if try separator(closing: bracket, in: bytes, at: &offset) { return false }
    skipWhitespace(in: bytes, at: &offset)
    return true
  }
}
