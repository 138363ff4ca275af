extension StepDifference {
  /// The number of equal lines to show around a change.
  private static let context = 3
  /// The maximum number of lines of text, besides the legend. Later changes are only counted.
  private static let maxLines = 299
  /// The maximum number of lines of a value that is on one side only.
  private static let maxValueLines = 20

  /// The diff with unchanged lines as context.
  ///
  /// The text is limited to some hundred lines of limited width, however long the lines are.
  ///
  /// - Parameters:
  ///   - style: colours; nil for plain text.
  ///   - hasLegend: whether it begins with what the signs mean.
  package func text(style: DiffStyle?, hasLegend: Bool = true) -> String {
    page.text(style: style, hasLegend: hasLegend)
  }

  /// The lines of the diff.
  package var lines: [DiffLine] { page.lines }

  private var page: DiffPage {
    var page = DiffPage()
    var omitted = 0
    for part in alignment.parts(context: Self.context) {
      switch part {
      case .hidden(let range):
        if page.lines.count < Self.maxLines {
          page.addNote("… \(Count.of(range.count, "equal line"))")
        }
      case .shown(let range):
        for index in range {
          if page.lines.count < Self.maxLines {
            append(alignment[index], to: &page)
          } else if !alignment[index].isEqual {
            omitted += 1
          }
        }
      }
    }
    if omitted > 0 { page.addNote("… \(Count.of(omitted, "more difference")) left out") }
    return page
  }

  private func append(_ element: LineAlignment.Element, to page: inout DiffPage) {
    switch element {
    case .equal(_, let index):
      page.add(.both, VisibleText.cut(found[index].bytes[...], columns: 100))
    case .removed(let index): append(expected[index], .expected, to: &page)
    case .inserted(let index): append(found[index], .found, to: &page)
    case .changed(let old, let new):
      let (one, other) = (expected[old], found[new])
      if one.isLong || other.isLong, let difference = ValueDifference(expected: one, found: other) {
        difference.append(to: &page)
      } else {
        let isShort = one.head == other.head && one.head.utf8.count < 60
        page.add(
          VisibleText.pair(
            one.bytes[...], other.bytes[...], label: isShort ? one.head.utf8.count + 1 : 0,
            width: DiffPage.width))
      }
    }
  }

  /// Appends a line that is on one side only.
  private func append(_ line: StepLine, _ side: DiffLine.Side, to page: inout DiffPage) {
    guard line.isLong, let lines = ValueDifference.lines(of: line) else {
      page.add(side, VisibleText.cut(line.bytes[...], columns: DiffPage.width))
      return
    }
    // The note about a single omitted line would take a line as well.
    let isWhole = lines.count <= Self.maxValueLines + 1
    for index in 0..<(isWhole ? lines.count : Self.maxValueLines) {
      let text = lines[index]
      let content = text.last == UInt8(ascii: "\n") ? text.dropLast() : text
      page.add(side, VisibleText.cut(content, columns: DiffPage.width))
    }
    if !isWhole {
      page.add(side, "… \(Count.of(lines.count - Self.maxValueLines, "more line")) of this value")
    }
  }
}
