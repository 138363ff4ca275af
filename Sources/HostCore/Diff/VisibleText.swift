import Basics

/// Turns bytes into printable text that shows each difference. Long text is cut.
enum VisibleText {
  /// Two texts and, if it helps, the column of their first difference.
  struct Pair: Equatable {
    var old: String
    var new: String
    var caret: Int?
  }

  /// The bytes as printable text.
  ///
  /// - Parameter escapesAll: whether everything but ASCII is escaped.
  static func of(_ bytes: ArraySlice<UInt8>, escapesAll: Bool = false) -> String {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    let shown = escapesAll ? Self.ascii : Self.distinct
    var text: [UInt8] = []
    shown.append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Escapes all that is hidden or looks like something else, such as spaces that aren't U+0020.
  private static let distinct = ShownText(form: .jsonEscape, keepsLines: false) { scalar in
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .unassigned: !scalar.isASCII
    default: false
    }
  }

  /// Escapes everything but ASCII.
  private static let ascii = ShownText(form: .jsonEscape, keepsLines: false) { !$0.isASCII }

  /// The beginning of a text and, if `counts`, the number of bytes that were cut off.
  static func cut(_ bytes: ArraySlice<UInt8>, columns: Int, counts: Bool = true) -> String {
    let end = forward(from: bytes.startIndex, by: columns, in: bytes)
    let rest = bytes.endIndex - end
    guard rest > 0 else { return of(bytes) }
    return of(bytes[..<end]) + (counts ? "… (\(rest) more bytes)" : "…")
  }

  // MARK: Two texts

  /// The maximum width of lines without a caret. In such lines a difference is easy to see.
  private static let maxWithoutCaret = 60
  /// The number of characters to show before the difference, in texts that are cut.
  private static let lead = 30

  /// Both texts. If one is wider than `width`, both are cut to the text around their first
  /// difference.
  ///
  /// - Parameter label: the number of bytes at their start that are always shown.
  static func pair(
    _ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>, label: Int = 0, width: Int
  ) -> Pair {
    let shared = sharedPrefix(old, new)
    let widest = max(columns(old, to: width + 1), columns(new, to: width + 1))
    let start = widest > width ? windowStart(old, at: shared, label: label) : 0
    let cut = start == 0 ? "" : of(old.prefix(label)) + "…"
    let before = cut + of(old.prefix(shared).dropFirst(start))
    let escapesAll = isHidden(old.dropFirst(shared), new.dropFirst(shared))
    let rest = { (text: ArraySlice<UInt8>) in
      let tail = text.dropFirst(shared)
      let end = forward(from: tail.startIndex, by: max(lead, width - before.count), in: tail)
      return of(tail[..<end], escapesAll: escapesAll) + (end < tail.endIndex ? "…" : "")
    }
    // A caret would be in the wrong column after wide characters.
    let isNarrow = before.allSatisfy { $0.isASCII || $0 == "…" }
    let hasCaret = isNarrow && !before.isEmpty && widest > maxWithoutCaret
    return Pair(
      old: before + rest(old), new: before + rest(new), caret: hasCaret ? before.count : nil)
  }

  /// The number of bytes to leave out before the difference; 0 for none.
  private static func windowStart(
    _ text: ArraySlice<UInt8>, at shared: Int, label: Int
  ) -> Int {
    var start = text.startIndex + shared
    for _ in 0..<lead where start > text.startIndex {
      start -= 1
      while start > text.startIndex, text[start] & 0xc0 == 0x80 { start -= 1 }
    }
    let offset = start - text.startIndex
    return offset > label + 10 ? offset : 0
  }

  /// The length in bytes of the common prefix, up to the start of a character that differs.
  static func sharedPrefix(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Int {
    let (one, other) = (old.span, new.span)
    let shorter = min(one.count, other.count)
    var shared = 0
    // Most of a huge value is equal, and comparing it in pieces is faster.
    let piece = 4096
    while shared + piece <= shorter,
      one.extracting(shared..<shared + piece).equals(other.extracting(shared..<shared + piece))
    {
      shared += piece
    }
    while shared < shorter, one[shared] == other[shared] { shared += 1 }
    for _ in 0..<3 where shared > 0 && (isWithin(one, shared) || isWithin(other, shared)) {
      shared -= 1
    }
    return shared
  }

  private static func isWithin(_ text: Span<UInt8>, _ index: Int) -> Bool {
    index < text.count && text[index] & 0xc0 == 0x80
  }

  /// Whether two texts that begin differently would look the same.
  private static func isHidden(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
    let texts = [old, new].map { String(decoding: $0.prefix(64), as: UTF8.self) }
    // Characters compare by canonical equivalence.
    if let one = texts[0].first, one == texts[1].first { return true }
    return texts.contains { text in
      guard let scalar = text.unicodeScalars.first, !scalar.isASCII else { return false }
      switch scalar.properties.generalCategory {
      case .format, .nonspacingMark, .enclosingMark: return true
      default: return false
      }
    }
  }

  // MARK: Columns

  /// The number of Unicode scalars in a text, counted up to about `limit`.
  private static func columns(_ text: ArraySlice<UInt8>, to limit: Int) -> Int {
    text.prefix(4 * limit).count { $0 & 0xc0 != 0x80 }
  }

  /// The index that is `columns` scalars after `start`, or the end.
  private static func forward(
    from start: Int, by columns: Int, in text: ArraySlice<UInt8>
  ) -> Int {
    var (index, left) = (start, columns)
    // Text of continuation bytes only isn't UTF-8. Such bytes are shown one by one.
    let limit = min(text.endIndex, start + 4 * columns)
    while index < limit {
      if text[index] & 0xc0 != 0x80 {
        if left == 0 { break }
        left -= 1
      }
      index += 1
    }
    return index
  }
}
