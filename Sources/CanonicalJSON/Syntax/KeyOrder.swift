import Basics

/// The order of an object's keys: by UTF-16 code units, as RFC 8785 has it.
enum KeyOrder {
  /// Whether the first key comes strictly before the second; both are valid content with escapes.
  static func precedes(_ bytes: Span<UInt8>, _ first: Range<Int>, _ second: Range<Int>) -> Bool {
    compare(bytes.extracting(first), bytes.extracting(second), isEscaped: true) < 0
  }

  /// Whether the first key, a text without escapes, comes strictly before the second.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (first, second) = (first.utf8.span, second.utf8.span)
    for index in 0..<min(first.count, second.count) where first[index] != second[index] {
      return rank(first[index]) < rank(second[index])
    }
    return first.count < second.count
  }

  /// Returns a negative number, zero or a positive one, as `first` comes before, equals or comes
  /// after `second`.
  ///
  /// Backslashes in `first` begin escapes; those in `second` do only if `isEscaped` is true.
  static func compare(_ first: Span<UInt8>, _ second: Span<UInt8>, isEscaped: Bool) -> Int {
    let shared = min(first.count, second.count)
    for index in 0..<shared {
      let (one, other) = (first[index], second[index])
      if one == 0x5C || other == 0x5C {
        return compareUnits(first, second, from: index, isEscaped: isEscaped)
      }
      if one != other { return rank(one) < rank(other) ? -1 : 1 }
    }
    // The rest of the longer one is never empty text, with or without escapes.
    return first.count - second.count
  }

  /// UTF-8 and UTF-16 sort alike except for surrogates, which UTF-16 puts before U+E000.
  private static func rank(_ byte: UInt8) -> UInt8 {
    byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte
  }

  /// Compares what follows `start`, the end of the equal part without escapes, by UTF-16 units.
  private static func compareUnits(
    _ first: Span<UInt8>, _ second: Span<UInt8>, from start: Int, isEscaped: Bool
  ) -> Int {
    let one = units(of: first.extracting(start..<first.count), isEscaped: true)
    let other = units(of: second.extracting(start..<second.count), isEscaped: isEscaped)
    if one == other { return 0 }
    return one.lexicographicallyPrecedes(other) ? -1 : 1
  }

  private static func units(of content: Span<UInt8>, isEscaped: Bool) -> [UInt16] {
    guard isEscaped else { return Array(String(repairing: content).utf16) }
    // The callers' content is validated, so the fallback is never taken.
    let text = (try? CanonicalJSON.unescape(content)) ?? String(repairing: content)
    return Array(text.utf16)
  }
}
