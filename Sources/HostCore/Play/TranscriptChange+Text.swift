extension TranscriptUpdate.Change {
  /// The number of lines to show before and after the step.
  private static let context = 2
  /// The maximum number of lines of the step itself.
  private static let maxStepLines = 8
  private static let maxColumns = 70
  private static let maxNotes = 5

  /// The step with the lines around it, the difference of what it emits, and what becomes of its
  /// replies.
  ///
  /// - Parameters:
  ///   - file: the content of the transcript.
  ///   - style: colours for the difference; nil for plain text.
  package func text(in file: [UInt8], style: DiffStyle?) -> String {
    let lines = ByteLines(file)
    let last = min(end + Self.context, lines.count)
    let width = "\(last)".count
    func numbered(_ numbers: ClosedRange<Int>) -> [String] {
      numbers.map { number in
        let text = lines[number - 1].filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let shown = VisibleText.cut(text[...], columns: Self.maxColumns, counts: false)
        let digits = "\(number)"
        let gutter = String(repeating: " ", count: width - digits.count) + digits + " |"
        return shown.isEmpty ? gutter : "\(gutter) \(shown)"
      }
    }
    let stepEnd = min(step.upperBound, step.lowerBound + Self.maxStepLines - 1, lines.count)
    var texts = numbered(max(1, step.lowerBound - Self.context)...stepEnd)
    if stepEnd < step.upperBound { texts.append(String(repeating: " ", count: width) + " | …") }
    let difference = difference.text(style: style)
    texts.append(String(difference.hasSuffix("\n") ? difference.dropLast() : difference[...]))
    if last > end { texts += numbered(end + 1...last) }
    return (texts + Self.lines(of: notes)).joined(separator: "\n")
  }

  /// The first notes about replies, each in a line of its own.
  package static func lines(of notes: [String]) -> [String] {
    let lines = notes.prefix(maxNotes).map { "* \($0)" }
    guard notes.count > maxNotes else { return lines }
    return lines + ["* … and \(notes.count - maxNotes) more"]
  }
}
