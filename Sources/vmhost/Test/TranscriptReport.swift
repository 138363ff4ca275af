import HostCore

/// Gathers what comes of one transcript.
final class TranscriptReport: TranscriptObserver {
  /// More differences than this are counted, not shown.
  private static let mostShown = 10

  private let path: String
  private let style: DiffStyle?
  private let wantsUpdate: Bool
  private let wantsCoverage: Bool
  private let isInterrupted: () -> Bool

  private(set) var differences = 0
  private(set) var line = 0
  private(set) var summary = ""
  /// The diffs, for a report and for the terminal.
  private(set) var details: [String] = []
  private(set) var shownDetails: [String] = []
  /// Whether something went wrong that no rewriting of lines can be the answer to.
  private(set) var hasFault = false
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
      note(difference.summary, at: difference.line)
      if details.count < Self.mostShown {
        details.append(text(difference, step, nil))
        if let style { shownDetails.append(text(difference, step, style)) }
      }
      if wantsUpdate { update.add(comparison, difference) }
    }
    return isInterrupted()
  }

  func didLeave(_ message: String, line: Int) {
    hasFault = true
    note(message, at: line)
  }

  private func note(_ words: String, at line: Int) {
    guard summary.isEmpty else {
      guard details.count < Self.mostShown else { return }
      details.append("\(path):\(line): \(words)")
      if style != nil { shownDetails.append("\(path):\(line): \(words)") }
      return
    }
    summary = words
    self.line = line
  }

  private func text(
    _ difference: StepDifference, _ step: TranscriptStep, _ style: DiffStyle?
  ) -> String {
    "the step at \(path):\(step.numbers.lowerBound): \(StepText.compact(step.text))\n"
      + difference.text(style: style)
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
    // The first frame shows every state, which says nothing about it.
    if case .command(.open) = step.action { return }
    for record in comparison.records where record.isOf(.output) {
      let instances = session.instances
      guard let instance = instances.first(where: { $0.number == record.instance }) else {
        continue
      }
      coverage.touch(output: Int(record.port), of: instance.viewModel)
    }
  }
}
