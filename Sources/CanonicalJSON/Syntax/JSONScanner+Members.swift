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
    try spacedColon(in: bytes, at: &offset)
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

  private static func hasNext(
    opening bracket: UInt8, in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    skipWhitespace(in: bytes, at: &offset)
    let isFirst = offset < bytes.count && bytes[offset] == bracket
    return try hasNext(isFirst: isFirst, closing: bracket + 2, in: bytes, at: &offset)
  }
}
