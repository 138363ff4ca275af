/// The lines of a diff as they are written.
struct DiffPage {
  enum Side {
    case expected, found, both
  }

  /// Characters of a line with a difference before it is cut.
  static let width = 160

  private(set) var text = ""
  private(set) var lineCount = 0
  private let style: DiffStyle?

  init(style: DiffStyle?) {
    self.style = style
    let legend = "- expected (the transcript)   + found (this run)"
    append(style?.legend(legend) ?? legend)
  }

  mutating func add(_ side: Side, _ line: String) {
    switch side {
    case .expected: append(style?.expected("- " + line) ?? "- " + line)
    case .found: append(style?.found("+ " + line) ?? "+ " + line)
    case .both: append("  " + line)
    }
  }

  /// Two lines that are one that changed, and where they differ.
  mutating func add(_ pair: VisibleText.Pair) {
    add(.expected, pair.old)
    add(.found, pair.new)
    if let column = pair.caret { addNote(String(repeating: " ", count: column) + "^") }
  }

  /// A line that is neither side's.
  mutating func addNote(_ note: String) {
    append(style?.dim("  " + note) ?? "  " + note)
  }

  private mutating func append(_ line: String) {
    text += line
    text += "\n"
    lineCount += 1
  }
}
