import Basics

/// What is wrong with a line of a script, and at which offset.
package struct ScriptError: Error, Equatable, Sendable {
  /// The offset from the start of the line in bytes, unless `part` says where.
  package var offset: Int
  /// The part of the line that it is about, found where the error is shown.
  package let part: LinePart?
  package let message: String
  /// Whether the line ends within its value, which may continue in the next line.
  package let isIncomplete: Bool
  /// Why the line is refused, where refused lines don't end the session.
  package let code: RefusalCode
  /// Whether the sender couldn't know: what the line names has just closed.
  package let isRace: Bool

  package init(
    _ message: String, at offset: Int, isIncomplete: Bool = false, code: RefusalCode = .syntax
  ) {
    self.message = message
    self.offset = offset
    self.isIncomplete = isIncomplete
    self.code = code
    part = nil
    isRace = false
  }

  /// An error about a part of the line, whichever of its forms the line has.
  package init(
    _ message: String, at part: LinePart, code: RefusalCode = .syntax, isRace: Bool = false
  ) {
    self.message = message
    self.part = part
    self.code = code
    self.isRace = isRace
    offset = 0
    isIncomplete = false
  }

  /// The session's error about a part of the line.
  package init(_ error: SessionError, at part: LinePart) {
    self.init(
      error.description, at: part, code: error.refusal ?? .unsupported, isRace: error.isRace)
  }

  /// The error as a compiler would show it: place, words, the line, a mark under the place. Where
  /// the place isn't known there is no column and no mark.
  ///
  /// - Parameters:
  ///   - source: the file's name.
  ///   - number: the line's, from 1; of several lines that belong together, the first one's.
  ///   - line: its bytes, or the beginning of them.
  ///   - secrets: what to replace in the line before it is shortened.
  package func report(
    source: String, number first: Int, line lines: Span<UInt8>, secrets: Secrets = Secrets()
  ) -> String {
    let (place, range) = place(number: first, line: lines)
    let (number, column, line) = (place.number, place.column, lines.extracting(range))
    let widest = 100
    // Enough bytes for that many characters; the line may be huge.
    let count = secrets.isEmpty ? min(line.count, 4 * widest) : line.count
    let beginning = secrets.redacted(String(repairing: line.extracting(0..<count)))
    let text = String(beginning.prefix(widest).map { $0.isNewline ? " " : $0 })
    let head = "\(source):\(number):\(column.map { "\($0):" } ?? "") \(message)"
    guard column ?? 0 <= widest, !text.isEmpty else { return head }
    let printable = String(text.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    let shown = "\(head)\n  \(number) | \(printable)"
    guard let column, printable.unicodeScalars.prefix(column - 1).allSatisfy(Self.isOneWide) else {
      return shown
    }
    let margin = String(repeating: " ", count: "\(number)".count)
    let indent = String(repeating: " ", count: column - 1)
    return "\(shown)\n  \(margin) | \(indent)^"
  }

  /// Where the error is.
  ///
  /// - Parameters:
  ///   - first: the number of the line, from 1; of several lines that belong together, the first
  ///     one's.
  ///   - lines: its bytes, or the beginning of them.
  /// - Returns: the place, and which of the bytes are the line that it names.
  package func place(
    number first: Int, line lines: Span<UInt8>
  ) -> (place: SessionAnswer.SourceLine, line: Range<Int>) {
    let offset = part == nil ? self.offset : part?.offset(in: lines)
    var (number, start) = (first, 0)
    while let offset, let lineBreak = lines.firstIndex(of: 0x0a, from: start), lineBreak < offset {
      (number, start) = (number + 1, lineBreak + 1)
    }
    let end = lines.firstIndex(of: 0x0a, from: start) ?? lines.count
    let column = offset.map { Self.column(of: $0 - start, in: lines.extracting(start..<end)) }
    return (SessionAnswer.SourceLine(number: number, column: column), start..<end)
  }

  /// A column is a character: a byte that doesn't continue one.
  private static func column(of offset: Int, in line: Span<UInt8>) -> Int {
    var column = 1
    for index in 0..<min(max(offset, 0), line.count) where line[index] & 0xc0 != 0x80 {
      column += 1
    }
    return column
  }

  /// Whether a character surely takes one column of a terminal: behind others the mark would not
  /// stand where it should.
  private static func isOneWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return false
    default: break
    }
    // The first wide letters are those of Hangul; below U+2E80 only some symbols are wide.
    switch scalar.value {
    case 0..<0x1100, 0xfffd: return true
    case 0x2000..<0x2e80:
      return !scalar.properties.isEmojiPresentation && scalar.value & ~1 != 0x2329
    default: return false
    }
  }
}
