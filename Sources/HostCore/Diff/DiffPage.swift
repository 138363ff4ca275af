/// Collects the lines of a diff as text.
struct DiffPage {
  enum Side {
    case expected, found, both
  }

  /// The maximum number of characters of a line with a difference. A longer one is cut.
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

  /// Adds the old and the new form of a changed line, and a caret under their first difference.
  mutating func add(_ pair: VisibleText.Pair) {
    add(.expected, pair.old)
    add(.found, pair.new)
    if let column = pair.caret { addNote(String(repeating: " ", count: column) + "^") }
  }

  /// Adds a line that belongs to neither side.
  mutating func addNote(_ note: String) {
    append(style?.dim("  " + note) ?? "  " + note)
  }

  private mutating func append(_ line: String) {
    text += line
    text += "\n"
    lineCount += 1
  }
}
