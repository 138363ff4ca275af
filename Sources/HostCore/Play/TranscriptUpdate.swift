/// Rewrites the lines of a transcript that differ from a run, and no others.
package struct TranscriptUpdate: Sendable {
  /// The change to the lines of one step.
  package struct Change: Sendable {
    /// The lines of the step itself.
    package let step: ClosedRange<Int>
    /// The last line that belongs to the step: its own, or one that expects something of it.
    package let end: Int
    package let difference: StepDifference
    /// The numbers of the lines to remove.
    package fileprivate(set) var removed: Set<Int> = []
    /// The bytes to insert, by the number of the line before them.
    package fileprivate(set) var inserted: [Int: [UInt8]] = [:]
    /// What becomes of the replies to its requests, each in a sentence.
    package fileprivate(set) var notes: [String] = []
  }

  /// The changes, in the order of their steps.
  package private(set) var changes: [Change] = []
  /// The indices of the changes, by the first lines of their steps.
  private var indices: [Int: Int] = [:]
  /// The indices of the changes that add a request, by its handle and number.
  private var requests: [String: Int] = [:]

  /// The plugins whose hashes the file notes if anything in it is changed.
  package var changedPlugins: [ChangedPlugin] = []

  package init() {}

  /// Adds what changes with a step.
  ///
  /// - Parameter difference: the difference between its lines and what it emitted; nil for none.
  package mutating func add(_ comparison: StepComparison, _ difference: StepDifference?) {
    let step = comparison.step
    if let rerouting = step.rerouting {
      add(step.text(answering: rerouting.id) + [0x0a], of: comparison, rerouting)
      guard rerouting.anchor == nil else { return }
    }
    if let difference { add(difference, of: comparison) }
  }

  /// Adds a reply that follows its request, to the change of the request's step.
  private mutating func add(
    _ text: [UInt8], of comparison: StepComparison, _ rerouting: TranscriptStep.Rerouting
  ) {
    let step = comparison.step
    guard let index = change(at: rerouting.requestStep) else { return }
    let reply = "the reply in line \(step.numbers.lowerBound)"
    guard let anchor = rerouting.anchor else {
      changes[index].notes.append("\(reply) is now for request \(rerouting.id).")
      changes[index].removed.formUnion(step.numbers)
      changes[index].inserted[step.numbers.upperBound, default: []] += text
      return
    }
    changes[index].removed.formUnion(step.allLines(comparison.expected))
    changes[index].notes.append("\(reply) moves after this step.")
    let before = step.before.map { $0.text + [0x0a] }
    let lines = [text] + before + comparison.foundTexts
    changes[index].inserted[anchor, default: []] += lines.joined()
  }

  /// Adds the removal of a reply whose request isn't made any more.
  package mutating func remove(_ unplayed: UnplayedStep) {
    guard let orphan = unplayed.orphan, let index = change(at: orphan.step) else { return }
    changes[index].removed.formUnion(orphan.lines)
    changes[index].notes.append("the reply in line \(unplayed.line) is removed with its request.")
  }

  /// Adds a comment that asks for the reply to a new request.
  package mutating func ask(for request: LeftRequest) {
    let key = "\(request.handle).\(request.id)"
    guard let index = requests[key] else { return }
    let name = request.name
    changes[index].notes.append("nothing answers request \(name) yet.")
    let comment =
      "# Nothing answers request \(name): write \"! \(name) …\" where its reply comes.\n"
    changes[index].inserted[changes[index].end, default: []] += Array(comment.utf8)
  }

  /// The change of the step at a line, or else the last one.
  private func change(at line: Int) -> Int? {
    indices[line] ?? changes.indices.last
  }

  private mutating func add(_ difference: StepDifference, of comparison: StepComparison) {
    let step = comparison.step
    let lines = Array(comparison.expected.lines[step.expected])
    let texts = comparison.foundTexts
    let records = comparison.records.filter(StepComparison.isCompared)
    // Lines that take effect before the step stay directly after its line.
    var last = step.before.last?.numbers.upperBound ?? step.numbers.upperBound
    var change = Change(
      step: step.numbers, end: step.lastLine(comparison.expected), difference: difference)
    for edit in difference.edits {
      switch edit {
      case .keep(let expected, _): last = lines[expected].numbers.upperBound
      case .remove(let expected):
        change.removed.formUnion(lines[expected].numbers)
        last = lines[expected].numbers.upperBound
      case .insert(let found):
        change.inserted[last, default: []] += texts[found]
        guard records[found].isOf(.request) else { continue }
        let handle = comparison.session.handle(of: records[found])
        requests["\(handle).\(records[found].id)"] = changes.count
      }
    }
    indices[step.numbers.lowerBound] = changes.count
    changes.append(change)
  }

  /// The line of a change's first difference, after other changes were applied.
  package func line(of index: Int, accepting accepted: Set<Int>) -> Int {
    let line = changes[index].difference.line
    return accepted.reduce(line) { sum, other in
      let removed = changes[other].removed.count { $0 < line }
      let inserted = changes[other].inserted.filter { $0.key < line }.values
      return sum - removed + inserted.reduce(0) { $0 + $1.count { $0 == 0x0a } }
    }
  }

  /// Applies changes to a file. All other bytes stay the same, including line breaks of either
  /// kind.
  ///
  /// - Parameter isAccepted: whether to apply the change with an index of `changes`.
  package func apply(
    to bytes: [UInt8], accepting isAccepted: (Int) -> Bool = { _ in true }
  ) -> [UInt8] {
    var removed: Set<Int> = []
    var inserted: [Int: [UInt8]] = [:]
    for (index, change) in changes.enumerated() where isAccepted(index) {
      removed.formUnion(change.removed)
      inserted.merge(change.inserted, uniquingKeysWith: +)
    }
    var result: [UInt8] = []
    var start = 0
    var number = 1
    var hasCarriageReturns = false
    var isRecording = false
    while start < bytes.count {
      let end = bytes.span.firstIndex(of: 0x0a, from: start).map { $0 + 1 } ?? bytes.count
      // The last line may have no end.
      if bytes[end - 1] == 0x0a {
        hasCarriageReturns = bytes[start..<end].suffix(2).elementsEqual([0x0d, 0x0a])
      }
      if !removed.contains(number) {
        let line = bytes[start..<end]
        isRecording = Self.isRecording(line, after: isRecording)
        result += isRecording && !(removed.isEmpty && inserted.isEmpty) ? noted(line) : line
      }
      if let lines = inserted[number] {
        if let last = result.last, last != 0x0a {
          result += hasCarriageReturns ? [0x0d, 0x0a] : [0x0a]
        }
        result += hasCarriageReturns ? Self.withCarriageReturns(lines) : lines
      }
      start = end
      number += 1
    }
    return result
  }

  /// Whether a line belongs to what a recorder says about itself, which may have several lines.
  private static func isRecording(_ line: ArraySlice<UInt8>, after before: Bool) -> Bool {
    let starts = ["@recorded", "{\"kind\":\"recorded\""]
    return starts.contains { line.starts(with: $0.utf8) }
      || before && line.first.map { " \t}]".utf8.contains($0) } ?? false
  }

  /// A line with the hashes of the plugins as they are now.
  private func noted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    changedPlugins.reduce(line) {
      $0.replacing(Array($1.recorded.utf8), with: Array($1.found.utf8))
    }
  }

  private static func withCarriageReturns(_ lines: [UInt8]) -> [UInt8] {
    lines.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
  }
}
