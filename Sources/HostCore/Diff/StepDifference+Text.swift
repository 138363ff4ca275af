extension StepDifference {
  /// Equal lines around a change.
  private static let context = 3
  /// Changes after this many lines of text are only counted.
  private static let limit = 300
  /// A value that is only on one side is cut after so many lines.
  private static let maxValue = 20

  /// The diff with its legend and unchanged lines as context.
  ///
  /// However long the lines are, it is no longer than some hundred lines of limited width.
  ///
  /// - Parameter style: colours; nil is plain text.
  package func text(style: DiffStyle?) -> String {
    var page = DiffPage(style: style)
    var leftOut = 0
    for part in alignment.parts(context: Self.context) {
      switch part {
      case .hidden(let range):
        if page.lineCount < Self.limit {
          page.addNote("… \(Count.of(range.count, "equal line"))")
        }
      case .shown(let range):
        for index in range {
          if page.lineCount < Self.limit {
            append(alignment[index], to: &page)
          } else if !alignment[index].isEqual {
            leftOut += 1
          }
        }
      }
    }
    if leftOut > 0 { page.addNote("… \(Count.of(leftOut, "more difference")) left out") }
    return page.text
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

  /// A line that is on one side only.
  private func append(_ line: StepLine, _ side: DiffPage.Side, to page: inout DiffPage) {
    guard line.isLong, let lines = ValueDifference.lines(of: line) else {
      page.add(side, VisibleText.cut(line.bytes[...], columns: DiffPage.width))
      return
    }
    // Cutting one line off would take one line.
    let isWhole = lines.count <= Self.maxValue + 1
    for index in 0..<(isWhole ? lines.count : Self.maxValue) {
      let text = lines[index]
      let content = text.last == UInt8(ascii: "\n") ? text.dropLast() : text
      page.add(side, VisibleText.cut(content, columns: DiffPage.width))
    }
    if !isWhole {
      page.add(side, "… \(Count.of(lines.count - Self.maxValue, "more line")) of this value")
    }
  }
}
