extension JSONScanner {
  /// The range of a member's key.
  package struct Key {
    /// Without the quotes.
    package let content: Range<Int>
    package let hasEscapes: Bool

    package var quoted: Range<Int> { (content.lowerBound - 1)..<(content.upperBound + 1) }
  }

  // These functions expect a valid document. In an invalid one they may throw or find the wrong
  // members, but they never read outside of it.

  /// Moves to the value of an object's next member, and returns its key.
  ///
  /// `offset` must be at the object's opening brace or after a member's value. After the last
  /// member this moves past the closing brace and returns nil.
  package static func nextKey(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Key? {
    guard try hasNext(opening: 0x7B, in: bytes, at: &offset) else { return nil }
    let key = try skipString(in: bytes, at: &offset)
    skipWhitespace(in: bytes, at: &offset)
    try colon(in: bytes, at: &offset)
    skipWhitespace(in: bytes, at: &offset)
    return Key(content: key.content, hasEscapes: key.hasEscapes)
  }

  /// Moves past an object's next member and returns its key and the range of its value.
  package static func nextMember(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> (key: Key, value: Range<Int>)? {
    guard let key = try nextKey(in: bytes, at: &offset) else { return nil }
    let start = offset
    _ = try skipValue(in: bytes, at: &offset)
    return (key, start..<offset)
  }

  /// Moves to an array's next element, like `nextKey`. Returns false after the last one.
  package static func nextElement(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    try hasNext(opening: 0x5B, in: bytes, at: &offset)
  }

  /// Moves past the opening bracket or a comma and returns true, or past the closing bracket and
  /// returns false.
  private static func hasNext(
    opening bracket: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    // In ASCII, "]" and "}" are two after "[" and "{".
    let closing = bracket + 2
    skipWhitespace(in: bytes, at: &offset)
    if offset < bytes.count, bytes[offset] == bracket {
      offset += 1
      skipWhitespace(in: bytes, at: &offset)
      guard offset < bytes.count, bytes[offset] == closing else { return true }
      offset += 1
      return false
    }
    if try separator(closing: closing, in: bytes, at: &offset) { return false }
    skipWhitespace(in: bytes, at: &offset)
    return true
  }
}
