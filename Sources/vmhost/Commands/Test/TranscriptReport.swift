import Basics
import HostCore

/// Collects the findings, the update and the coverage of one transcript.
final class TranscriptReport: TranscriptObserver {
  /// How many findings are shown besides the summary. Further ones are counted.
  private static let maxShown = 10

  private let path: String
  private let style: DiffStyle?
  private let wantsUpdate: Bool
  private let wantsCoverage: Bool

  private(set) var findings: TranscriptFindings
  /// The fingerprint of each difference, in the order of the file.
  private var fingerprints: [String] = []
  private(set) var update = TranscriptUpdate()
  private(set) var coverage = PortCoverage()
  /// The view models by the numbers of their instances: those that are open, and those that the
  /// current step closes.
  private var viewModels: [Int32: ViewModelManifest] = [:]
  /// The session's count of changes for which `viewModels` is up to date.
  private var changes = 0
  private(set) var trace: TranscriptTrace?
  /// What a page shows of the session; nil if none is wanted.
  let session: SessionTrace?

  init(
    _ path: String, style: DiffStyle?, wantsUpdate: Bool, wantsCoverage: Bool, wantsTrace: Bool,
    wantsAllLogs: Bool, session: SessionTrace?
  ) {
    findings = TranscriptFindings(keepsAllLogs: wantsAllLogs)
    self.path = path
    self.style = style
    self.wantsUpdate = wantsUpdate
    self.wantsCoverage = wantsCoverage
    trace = wantsTrace ? TranscriptTrace() : nil
    self.session = session
  }

  func didPlay(
    _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
  ) -> Bool {
    trace?.append(comparison)
    _ = session?.didPlay(step, comparison, difference)
    if wantsCoverage { cover(step, comparison) }
    findings.take(comparison, difference)
    if let difference { fingerprints.append(difference.fingerprint) }
    if wantsUpdate { update.add(comparison, difference) }
    return false
  }

  func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool {
    findings.take(unplayed)
    _ = session?.didSkip(step, unplayed)
    if wantsUpdate { update.remove(unplayed) }
    return false
  }

  func didLeave(_ request: LeftRequest) {
    findings.take(request)
    session?.didLeave(request)
    if wantsUpdate { update.ask(for: request) }
  }

  func didEnd(_ session: SessionEngine) {
    findings.logs.takeEnd(of: session)
    self.session?.didEnd(session)
  }

  // MARK: Texts

  /// The finding that the transcript is named after: the first one, or with an update the first one
  /// that the update leaves.
  var headline: TranscriptFinding? {
    wantsUpdate ? findings.lasting ?? findings.kept.first : findings.kept.first
  }
  /// The first finding before the error that stopped the transcript, as the end of its details.
  var earlierFinding: String {
    guard let first = findings.kept.first else { return "" }
    return "\n\nBefore that, \(path):\(first.line): \(first.summary)"
  }

  /// Everything besides the summary, in plain text.
  var details: String {
    var texts: [String] = []
    var isHeadlineShown = false
    for finding in findings.kept where texts.count < Self.maxShown {
      let isHeadline = finding.line == headline?.line && finding.summary == headline?.summary
      let heading = isHeadline ? "" : "\(path):\(finding.line): \(finding.summary)"
      let text = [heading, finding.details(in: path, style: nil)].filter { !$0.isEmpty }
      isHeadlineShown = isHeadlineShown || isHeadline && !text.isEmpty
      if !text.isEmpty { texts.append(text.joined(separator: "\n")) }
    }
    let left = findings.count - texts.count - (isHeadlineShown ? 0 : 1)
    if left > 0 { texts.append("… \(Count.of(left, "more failure")) of this transcript") }
    if findings.skipped > 0 { texts.append(UnplayedStep.note(findings.skipped)) }
    return texts.joined(separator: "\n\n")
  }

  /// The failures for the console, with the style of the terminal. Equal ones are there once.
  var shownFindings: [TestFinding] {
    let counts = fingerprints.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var shown: [TestFinding] = []
    var known: Set<String> = []
    var (count, differences) = (0, 0)
    let (path, style) = (path, style)
    for finding in findings.kept.prefix(Self.maxShown) {
      var key = finding.summary
      if finding.difference != nil {
        key = fingerprints[differences]
        differences += 1
      }
      guard known.insert(key).inserted else { continue }
      let same = max(counts[key] ?? 1, 1)
      count += same
      let more = same > 1 ? "\n… the same in \(Count.of(same - 1, "more step"))" : ""
      let isHeadline = finding.line == headline?.line && finding.summary == headline?.summary
      shown.insert(
        TestFinding(
          key: key, line: finding.line, summary: finding.summary,
          isChange: finding.difference != nil,
          lines: session == nil ? [] : finding.difference?.difference.lines ?? [],
          details: finding.details(in: path, style: style) + more),
        at: isHeadline ? 0 : shown.count)
    }
    let left = findings.count - count
    if left > 0 {
      let others = fingerprints.filter { !known.contains($0) }
      shown.append(
        TestFinding(
          key: SHA256.digest(of: Array(others.joined().utf8)), line: 0,
          summary: "… \(Count.of(left, "more failure")) of this transcript", isChange: true,
          details: ""))
    }
    if findings.skipped > 0 {
      shown.append(TestFinding(remark: UnplayedStep.note(findings.skipped)))
    }
    return shown
  }

  // MARK: Coverage

  private func cover(_ step: TranscriptStep, _ comparison: StepComparison) {
    let session = comparison.session
    coverage.declare(session.manifests)
    addInstances(of: comparison)
    defer { forgetClosed(in: session) }
    if case .input(let input) = step.action, let number = step.instance,
      let viewModel = viewModels[number]
    {
      let name = String(repairing: step.text.span.extracting(input.name))
      coverage.touch(input: name, of: viewModel)
    }
    // A first frame has every state, so only expected lines show that a transcript tests them.
    if case .command(.open) = step.action, step.expected.isEmpty { return }
    for record in comparison.records where record.isOf(.output) {
      guard let viewModel = viewModels[record.instance] else { continue }
      coverage.touch(output: Int(record.port), of: viewModel)
    }
  }

  private func addInstances(of comparison: StepComparison) {
    let session = comparison.session
    guard session.changes != changes else { return }
    for instance in session.instances { viewModels[instance.number] = instance.viewModel }
    // A flow may have closed an instance in the step that opened it.
    for record in comparison.records where record.isOf(.opened) {
      let id = comparison.events.name(of: record)
      viewModels[record.instance] = session.manifests.lazy.compactMap { $0.viewModel(id) }.first
    }
  }

  private func forgetClosed(in session: SessionEngine) {
    guard session.changes != changes else { return }
    changes = session.changes
    let living = Set(session.instances.map(\.number))
    viewModels = viewModels.filter { living.contains($0.key) }
  }
}
