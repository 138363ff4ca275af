extension JSONScanner {
  /// The key of a member, by where it lies.
  package struct Key {
    /// Without the quotes.
    package let content: Range<Int>
    package let hasEscapes: Bool

    package var quoted: Range<Int> { (content.lowerBound - 1)..<(content.upperBound + 1) }
  }

  // All of these are for documents that were validated before: in others they may find less, more
  // or an error, but read nothing outside the document.

  /// Moves to the value of an object's next member, and returns its key.
  ///
  /// Call it with `offset` at the opening brace, or behind a member's value. Behind the last member
  /// it moves past the closing brace, and returns nil.
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

  /// Moves past an object's next member, as `nextKey` does, and past its value.
  package static func nextMember(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> (key: Key, value: Range<Int>)? {
    guard let key = try nextKey(in: bytes, at: &offset) else { return nil }
    let start = offset
    _ = try skipValue(in: bytes, at: &offset)
    return (key, start..<offset)
  }

  /// Moves to an array's next element, as `nextKey` does to a member's value; false behind the last
  /// one.
  package static func nextElement(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    try hasNext(opening: 0x5B, in: bytes, at: &offset)
  }

  /// Moves past the opening bracket or a comma, or past the closing bracket, which gives false.
  private static func hasNext(
    opening bracket: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    // For both kinds the closing bracket is two after the opening one.
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
