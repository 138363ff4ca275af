import Basics

/// Reads one character of text that is percent-encoded, or escaped as in JSON strings.
enum EscapedText {
  static let percent = UInt8(ascii: "%")
  static let backslash = UInt8(ascii: "\\")
  /// A line of JSON may have a string with JSON in it, in which a string has JSON again.
  static let maxDepth = 3

  /// The byte that `%` and two digits stand for; nil if there is no such thing at the offset.
  static func percentDecoded(
    _ text: Span<UInt8>, at offset: Int
  ) -> (byte: UInt8, end: Int)? {
    guard offset + 2 < text.count, text[offset] == percent,
      let high = digit(UInt32(text[offset + 1])), let low = digit(UInt32(text[offset + 2]))
    else { return nil }
    return (UInt8(high << 4 | low), offset + 3)
  }

  /// The character that is escaped at an offset; nil if there is no escape.
  ///
  /// - Parameter depth: how many strings are inside each other: 1 for `\n`, 2 for `\\n`.
  static func escape(
    in text: Span<UInt8>, at offset: Int, _ depth: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    guard let first = unit(in: text, at: offset, depth), let scalar = Unicode.Scalar(first.unit)
    else { return surrogates(in: text, at: offset, depth) }
    return (scalar, first.end)
  }

  private static func surrogates(
    in text: Span<UInt8>, at offset: Int, _ depth: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    guard let high = unit(in: text, at: offset, depth), 0xd800...0xdbff ~= high.unit,
      let low = unit(in: text, at: high.end, depth), 0xdc00...0xdfff ~= low.unit,
      let scalar = Unicode.Scalar(0x10000 + (high.unit & 0x3ff) << 10 + low.unit & 0x3ff)
    else { return nil }
    return (scalar, low.end)
  }

  /// The UTF-16 unit that is escaped at an offset.
  private static func unit(
    in text: Span<UInt8>, at offset: Int, _ depth: Int
  ) -> (unit: UInt32, end: Int)? {
    guard let first = character(in: text, at: offset, depth - 1), first.code == backslash,
      let second = character(in: text, at: first.end, depth - 1)
    else { return nil }
    switch UInt8(exactly: second.code) {
    case UInt8(ascii: "\""), UInt8(ascii: "/"), backslash: return (second.code, second.end)
    case UInt8(ascii: "b"): return (0x08, second.end)
    case UInt8(ascii: "f"): return (0x0c, second.end)
    case UInt8(ascii: "n"): return (0x0a, second.end)
    case UInt8(ascii: "r"): return (0x0d, second.end)
    case UInt8(ascii: "t"): return (0x09, second.end)
    case UInt8(ascii: "u"): break
    default: return nil
    }
    var (unit, end): (UInt32, Int) = (0, second.end)
    for _ in 0..<4 {
      guard let next = character(in: text, at: end, depth - 1), let digit = digit(next.code)
      else { return nil }
      (unit, end) = (unit << 4 | digit, next.end)
    }
    return (unit, end)
  }

  /// The character at an offset in the string at a depth; at depth 0 a byte, which may be
  /// percent-encoded.
  private static func character(
    in text: Span<UInt8>, at offset: Int, _ depth: Int
  ) -> (code: UInt32, end: Int)? {
    guard depth > 0 else {
      guard offset < text.count else { return nil }
      if let read = percentDecoded(text, at: offset) { return (UInt32(read.byte), read.end) }
      return (UInt32(text[offset]), offset + 1)
    }
    guard let byte = character(in: text, at: offset, depth - 1) else { return nil }
    if byte.code == backslash {
      return unit(in: text, at: offset, depth).map { (code: $0.unit, end: $0.end) }
    }
    // The string ends at a quote that isn't escaped.
    return byte.code == UInt8(ascii: "\"") ? nil : byte
  }

  private static func digit(_ code: UInt32) -> UInt32? {
    switch code {
    case 0x30...0x39: code - 0x30
    case 0x41...0x46: code - 0x41 + 10
    case 0x61...0x66: code - 0x61 + 10
    default: nil
    }
  }

  /// The most bytes that one character of base64 is read from.
  private static let maxBase64 = 40

  /// The end of the ASCII character at an offset, if it is a wanted one, in whichever form.
  static func end(
    of isWanted: (UInt8) -> Bool, in text: Span<UInt8>, at offset: Int
  ) -> Int? {
    guard offset < text.count else { return nil }
    if isWanted(text[offset]) { return offset + 1 }
    guard text[offset] == percent || text[offset] == backslash else { return nil }
    if let read = percentDecoded(text, at: offset), isWanted(read.byte) { return read.end }
    for depth in 1...maxDepth {
      if let read = escape(in: text, at: offset, depth),
        let byte = UInt8(exactly: read.scalar.value), isWanted(byte)
      {
        return read.end
      }
    }
    return nil
  }

  /// The start of the ASCII character that ends at an offset, if it is a wanted one.
  ///
  /// - Parameter first: where the text begins.
  static func start(
    of isWanted: (UInt8) -> Bool, in text: Span<UInt8>, endingAt offset: Int, from first: Int
  ) -> Int? {
    // The longest, since `\/` ends as `/` does.
    (max(first, offset - maxBase64)..<max(first, offset)).first { start in
      end(of: isWanted, in: text, at: start) == offset
    }
  }
}
