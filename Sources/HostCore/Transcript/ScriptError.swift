import Basics

/// What is wrong with a line of a script, and where.
package struct ScriptError: Error, Equatable, Sendable {
  /// Bytes from the start of the line.
  package var offset: Int
  package let message: String
  /// The line ends within its value, which may go on in the next line.
  package let isIncomplete: Bool

  package init(_ message: String, at offset: Int, isIncomplete: Bool = false) {
    self.message = message
    self.offset = offset
    self.isIncomplete = isIncomplete
  }

  /// The error as a compiler would show it: place, words, the line, a mark under the place.
  ///
  /// - Parameters:
  ///   - source: the file's name.
  ///   - number: the line's, from 1; of several lines that belong together, the first one's.
  ///   - line: its bytes, or the beginning of them.
  package func report(source: String, number first: Int, line lines: Span<UInt8>) -> String {
    var (number, start) = (first, 0)
    while let lineBreak = lines.firstIndex(of: 0x0a, from: start), lineBreak < offset {
      (number, start) = (number + 1, lineBreak + 1)
    }
    let end = lines.firstIndex(of: 0x0a, from: start) ?? lines.count
    let line = lines.extracting(start..<end)
    // A column is a character: a byte that doesn't continue one.
    var column = 1
    for index in 0..<min(max(offset - start, 0), line.count) where line[index] & 0xc0 != 0x80 {
      column += 1
    }
    let widest = 100
    // Enough bytes for that many characters; the line may be huge.
    let beginning = line.extracting(0..<min(line.count, 4 * widest))
    let text = String(String(repairing: beginning).prefix(widest).map { $0.isNewline ? " " : $0 })
    let place = "\(source):\(number):\(column): \(message)"
    guard column <= widest, !text.isEmpty else { return place }
    let printable = String(text.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    let margin = String(repeating: " ", count: "\(number)".count)
    let indent = String(repeating: " ", count: column - 1)
    return "\(place)\n  \(number) | \(printable)\n  \(margin) | \(indent)^"
  }
}
