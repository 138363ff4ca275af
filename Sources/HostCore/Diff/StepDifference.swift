/// The difference between the lines that a step expects and those that were found.
package struct StepDifference: Sendable {
  package enum Kind: Sendable {
    /// The step emitted other lines than expected.
    case mismatch
    /// The step emitted only some of the expected lines.
    case missing
    /// The step emitted all of the expected lines and more.
    case extra
  }

  /// A change to the lines of the step, so that they expect what was found.
  package enum Edit: Equatable, Sendable {
    case keep(expected: Int, found: Int)
    case remove(expected: Int)
    case insert(found: Int)
  }

  package let kind: Kind
  /// The number of the line with the first difference, from 1. If a line is extra, it is the line
  /// before it.
  package let line: Int
  let expected: [StepLine]
  let found: [StepLine]
  /// The requests of the whole transcript. The summary names the one that is nearest to an
  /// unexpected request. Those that this step expects may be missing.
  package var recorded: [StepLine]
  /// A sentence that explains the difference, if the session doesn't have a name in the lines.
  package var cause: String?
  let alignment: LineAlignment

  /// Compares the lines of a step. Nil if they are equal.
  ///
  /// - Parameter stepLine: the number of the step's own line, from 1.
  package init?(
    expected: [StepLine], found: [StepLine], stepLine: Int, recorded: [StepLine] = []
  ) {
    alignment = LineAlignment(expected.count, found.count) {
      expected[$0].hasSameContent(as: found[$1])
    } keys: {
      olds, news in
      [
        LineAlignment.Keys(
          olds.map { expected[$0].content }, news.map { found[$0].content }),
        LineAlignment.Keys(olds.map { expected[$0].head }, news.map { found[$0].head }),
        LineAlignment.Keys(
          olds.map { expected[$0].parts.subject }, news.map { found[$0].parts.subject }),
        LineAlignment.Keys(
          olds.map { expected[$0].parts.kind }, news.map { found[$0].parts.kind }),
      ]
    }
    guard !alignment.isEqual else { return nil }
    (self.expected, self.found, self.recorded) = (expected, found, recorded)
    kind = Self.kind(of: alignment)
    line = Self.line(of: alignment, kind, (expected, found), stepLine)
  }

  private static func kind(of alignment: LineAlignment) -> Kind {
    var (removes, inserts) = (false, false)
    for element in alignment.elements {
      switch element {
      case .equal: break
      case .removed: removes = true
      case .inserted: inserts = true
      case .changed: (removes, inserts) = (true, true)
      }
    }
    return removes && inserts ? .mismatch : removes ? .missing : .extra
  }

  private static func line(
    of alignment: LineAlignment, _ kind: Kind,
    _ sides: (expected: [StepLine], found: [StepLine]), _ stepLine: Int
  ) -> Int {
    guard let first = alignment.firstDifference else { return stepLine }
    let expected = sides.expected
    if case .changed(let old, let new) = alignment[first] {
      return expected[old].line(ofDifferenceFrom: sides.found[new])
    }
    let before = first > 0 ? alignment[first - 1].old : nil
    let next = (first..<alignment.count).lazy.compactMap { alignment[$0].old }.first
    let index = kind == .extra ? before : next ?? before
    return index.map { expected[$0].line } ?? stepLine
  }

  /// Whether the first difference is a request that no line expects, so that `recorded` matters.
  package var beginsWithRequest: Bool {
    guard let first = alignment.firstDifference, case .inserted(let new) = alignment[first] else {
      return false
    }
    return found[new].isRequest
  }

  /// The expected lines, each as one line of printable text.
  package var expectedTexts: [String] { expected.map { VisibleText.of($0.bytes[...]) } }
  /// The lines that were found, each as one line of printable text.
  package var foundTexts: [String] { found.map { VisibleText.of($0.bytes[...]) } }

  /// The edits that `update` makes to the lines, in order.
  package var edits: [Edit] {
    var edits: [Edit] = []
    edits.reserveCapacity(alignment.count)
    for index in 0..<alignment.count {
      switch alignment[index] {
      case .equal(let old, let new): edits.append(.keep(expected: old, found: new))
      case .removed(let old): edits.append(.remove(expected: old))
      case .inserted(let new): edits.append(.insert(found: new))
      case .changed(let old, let new): edits += [.remove(expected: old), .insert(found: new)]
      }
    }
    return edits
  }
}

extension LineAlignment {
  var firstDifference: Int? { elements.firstIndex { !$0.isEqual }.map { prefix + $0 } }
}

extension LineAlignment.Element {
  /// The index of the line in the old list, if it is there.
  var old: Int? {
    switch self {
    case .equal(let old, _), .changed(let old, _), .removed(let old): old
    case .inserted: nil
    }
  }
}
