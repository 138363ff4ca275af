/// A line of a diff.
package struct DiffLine: Equatable, Sendable {
  package enum Side: String, Sendable {
    case expected, found, both
  }

  /// Nil for a note about the lines around it.
  package let side: Side?
  package let text: String

  package init(side: Side?, text: String) { (self.side, self.text) = (side, text) }
}

/// Collects the lines of a diff.
struct DiffPage {
  /// The maximum number of characters of a line with a difference. A longer one is cut.
  static let width = 160

  private(set) var lines: [DiffLine] = []

  mutating func add(_ side: DiffLine.Side, _ line: String) {
    lines.append(DiffLine(side: side, text: line))
  }

  /// Adds the old and the new form of a changed line, and a caret under their first difference.
  mutating func add(_ pair: VisibleText.Pair) {
    add(.expected, pair.old)
    add(.found, pair.new)
    if let column = pair.caret { addNote(String(repeating: " ", count: column) + "^") }
  }

  /// Adds a line that belongs to neither side.
  mutating func addNote(_ note: String) { lines.append(DiffLine(side: nil, text: note)) }

  /// The lines as text.
  ///
  /// - Parameters:
  ///   - style: colours; nil for plain text.
  ///   - hasLegend: whether it begins with what the signs mean.
  func text(style: DiffStyle?, hasLegend: Bool) -> String {
    var text = ""
    if hasLegend {
      let legend = "- expected (the transcript)   + found (this run)"
      text += (style?.legend(legend) ?? legend) + "\n"
    }
    for line in lines {
      let plain =
        switch line.side {
        case .expected: "- " + line.text
        case .found: "+ " + line.text
        case .both, nil: "  " + line.text
        }
      let styled =
        switch line.side {
        case .expected: style?.expected(plain)
        case .found: style?.found(plain)
        case nil: style?.dim(plain)
        case .both: plain
        }
      text += (styled ?? plain) + "\n"
    }
    return text
  }
}
