import Basics

/// What plugins logged and printed while a transcript was played: the last lines up to its first
/// failure, or all lines.
package struct StepLogs: Sendable {
  /// How many lines are kept up to the first failure, and how many if all are wanted.
  private static let (maxBeforeFailure, maxInAll) = (20, 10_000)
  private static let columns = 200

  private struct Line: Sendable {
    /// The line of the step in the file; nil at the end.
    let step: Int?
    let heading: String
    let text: String
  }

  private let isWhole: Bool
  /// The last lines, and some before them.
  private var lines: [Line] = []
  /// How many lines were dropped.
  private var dropped = 0
  /// Whether a failure has come. Then only lines that are wanted in any case are added.
  private var isClosed = false
  /// The line of the last step that was looked at.
  private var last: Int?
  private var filter = StackTraceFilter()

  /// - Parameter isWhole: whether lines are wanted in any case, and not only up to a failure.
  package init(isWhole: Bool = false) { self.isWhole = isWhole }

  /// Adds what was logged and printed in a step.
  mutating func take(_ comparison: StepComparison) {
    guard isWhole || !isClosed else { return }
    let step = comparison.step
    last = step.numbers.lowerBound
    guard comparison.events.hasLogs else { return }
    take(comparison.events, comparison.range, of: comparison.session, last) {
      "line \(step.numbers.lowerBound): \(StepText.compact(step.text))"
    }
  }

  /// Adds what was printed while the session ended.
  package mutating func takeEnd(of session: SessionEngine) {
    guard isWhole || !isClosed else { return }
    take(session.events, 0..<session.events.count, of: session, nil) { "the end of the session" }
  }

  /// Notes that the step that was added last is the first one that failed.
  mutating func close() { isClosed = true }

  private mutating func take(
    _ events: EventBatch, _ range: Range<Int>, of session: SessionEngine, _ step: Int?,
    _ heading: () -> String
  ) {
    let found = range.filter { index in
      let record = events.records[index]
      return record.isOf(.log) || record.isOf(.print) && !filter.isPart(events.value(of: record))
    }
    guard !found.isEmpty else { return }
    let heading = heading()
    dropped += max(found.count - limit, 0)
    let format = TextFormat()
    for index in found.suffix(limit) {
      var bytes: [UInt8] = []
      format.append(events, index..<index + 1, of: session, since: nil, to: &bytes)
      if !session.secrets.isEmpty { session.secrets.redact(&bytes) }
      let text = VisibleText.cut(bytes.dropLast(), columns: Self.columns)
      lines.append(Line(step: step, heading: heading, text: text))
    }
    // Not each time, since the whole array moves.
    if lines.count > 2 * limit { drop(lines.count - limit) }
  }

  private var limit: Int { isWhole ? Self.maxInAll : Self.maxBeforeFailure }

  private mutating func drop(_ count: Int) {
    dropped += count
    lines.removeFirst(count)
  }

  package var isEmpty: Bool { lines.isEmpty }

  /// The lines with their heading; empty if there are none.
  package var text: String { isEmpty ? "" : "\(heading)\n\(body)" }

  package var heading: String {
    // The end has no line, and lines may be wanted whatever fails.
    guard !isWhole, let last, lines.last?.step != nil else { return "logged and printed:" }
    return "logged and printed up to line \(last):"
  }

  /// The lines below their steps.
  package var body: String {
    let shown = lines.suffix(limit)
    let earlier = dropped + lines.count - shown.count
    var texts: [String] = []
    if earlier > 0 { texts.append("  … \(Count.of(earlier, "earlier line"))") }
    var heading = ""
    for line in shown {
      if line.heading != heading { texts.append("  \(line.heading)") }
      heading = line.heading
      texts.append("    \(line.text)")
    }
    return texts.joined(separator: "\n")
  }
}
