import HostCore

/// Gathers what comes of one transcript.
final class TranscriptReport: TranscriptObserver {
  /// More differences than this are counted, not shown.
  private static let mostShown = 10
  private static let longestSummary = 1000

  private let path: String
  private let style: DiffStyle?
  private let wantsUpdate: Bool
  private let wantsCoverage: Bool
  private let isInterrupted: () -> Bool

  private(set) var differences = 0
  private(set) var line = 0
  private(set) var summary = ""
  /// What goes beyond the summary, a text each; for a report, and as a terminal shows it.
  private var texts: [(plain: String, shown: String)] = []
  private var isNoted = false
  private var leftOut = 0
  /// Whether something went wrong that no rewriting of lines can be the answer to.
  private(set) var hasFault = false
  /// Whether a request is open at the end.
  private(set) var hasLeftOver = false
  private(set) var update = TranscriptUpdate()
  private(set) var coverage = PortCoverage()
  private(set) var trace: TranscriptTrace?

  init(
    _ path: String, style: DiffStyle?, wantsUpdate: Bool, wantsCoverage: Bool, wantsTrace: Bool,
    isInterrupted: @escaping () -> Bool
  ) {
    self.path = path
    self.style = style
    self.wantsUpdate = wantsUpdate
    self.wantsCoverage = wantsCoverage
    self.isInterrupted = isInterrupted
    trace = wantsTrace ? TranscriptTrace() : nil
  }

  func didPlay(
    _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
  ) -> Bool {
    trace?.append(comparison)
    if wantsCoverage { cover(step, comparison) }
    if let fault = comparison.fault {
      hasFault = true
      note(fault, at: step.numbers.lowerBound)
    }
    if let difference {
      differences += 1
      note(difference.summary, at: difference.line) { [self] in text(difference, step, $0) }
      if wantsUpdate { update.add(comparison, difference) }
    }
    return isInterrupted()
  }

  func didLeave(_ message: String, line: Int) {
    hasLeftOver = true
    note(message, at: line)
  }

  /// The diffs in plain text.
  var details: String { joined(texts.map(\.plain)) }
  /// The diffs as a terminal shows them.
  var shownDetails: String { joined(texts.map(\.shown)) }

  private func joined(_ texts: [String]) -> String {
    guard leftOut > 0 else { return texts.joined(separator: "\n\n") }
    return (texts + ["… \(Count.of(leftOut, "more failure")) of this transcript"])
      .joined(separator: "\n\n")
  }

  /// Keeps what is wrong in words, the first of all as the summary, with the diff that explains it.
  private func note(_ words: String, at line: Int, diff: ((DiffStyle?) -> String)? = nil) {
    // A plugin's own words may be of any length.
    let words = words.count > Self.longestSummary ? words.prefix(Self.longestSummary) + "…" : words
    var head: [String] = []
    if isNoted {
      guard texts.count < Self.mostShown else {
        leftOut += 1
        return
      }
      head = ["\(path):\(line): \(words)"]
    } else {
      isNoted = true
      (summary, self.line) = (words, line)
    }
    let text = { (style: DiffStyle?) in
      (head + (diff.map { [$0(style)] } ?? [])).joined(separator: "\n")
    }
    let plain = text(nil)
    if !plain.isEmpty { texts.append((plain, style == nil ? plain : text(style))) }
  }

  private func text(
    _ difference: StepDifference, _ step: TranscriptStep, _ style: DiffStyle?
  ) -> String {
    "the step at \(path):\(step.numbers.lowerBound): \(StepText.compact(step.text))\n"
      + difference.text(style: style).withoutLineEnd
  }

  private func cover(_ step: TranscriptStep, _ comparison: StepComparison) {
    let session = comparison.session
    coverage.declare(session.manifests)
    if case .input(let input) = step.action {
      let name = String(repairing: step.text.span.extracting(input.name))
      let handle = String(repairing: step.text.span.extracting(input.handle))
      let target = session.instances.first { handle.isEmpty || $0.handle == handle }
      if let target { coverage.touch(input: name, of: target.viewModel) }
    }
    // A first frame has every state, which says nothing about it; but the lines of a transcript do.
    if case .command(.open) = step.action, step.expected.isEmpty { return }
    for record in comparison.records where record.isOf(.output) {
      let instances = session.instances
      guard let instance = instances.first(where: { $0.number == record.instance }) else {
        continue
      }
      coverage.touch(output: Int(record.port), of: instance.viewModel)
    }
  }
}

extension String {
  fileprivate var withoutLineEnd: Substring { hasSuffix("\n") ? dropLast() : self[...] }
}
