import HostCore

/// Prints the failures of a test run as they come, and its summary.
final class TestConsole {
  /// After this many lines, further failures are only listed at the end.
  private static let maxLines = 1000
  /// With more lines than this, the first ones have scrolled away when the run ends.
  private static let screen = 24

  let style: Style
  /// The output for people.
  private let output: Output
  /// The output for a patch, and nothing else.
  private let patch: Output?
  private let progress: TestProgress
  /// The token that lets GitHub Actions read commands again. Until it is printed, the output of
  /// plugins can't be taken for commands.
  private let resumption: String?
  private var isOpen = false
  private var lineCount = 0
  /// Whether failures that were shown before are shown again.
  private let showsAll: Bool
  /// Whether there is a limit of what is shown. There is none if people accept it.
  private let hasLimit: Bool
  /// The keys of the failures that were shown.
  private var known: Set<String> = []
  /// How many transcripts were shown.
  private var shown = 0
  /// How many transcripts fail only in ways that were shown before.
  private var alike = 0
  /// How many transcripts were not shown because others took too many lines.
  private var leftOut = 0

  init(_ options: TestOptions) throws(SystemError) {
    let terminals = (
      Descriptor.isTerminal(Descriptor.standardOutput),
      Descriptor.isTerminal(Descriptor.standardError)
    )
    let isPatch = options.update == .patch
    let standardOutput = Output(
      descriptor: options.isInProcess
        ? try Descriptor.divertStandardOutput() : Descriptor.standardOutput,
      isForPrograms: isPatch)
    patch = isPatch ? standardOutput : nil
    output = isPatch ? Output(descriptor: Descriptor.standardError) : standardOutput
    style = Style(
      isTerminal: isPatch ? terminals.1 : terminals.0, variable: Environment.value)
    progress = TestProgress(isTerminal: terminals.1, variable: Environment.value)
    resumption = options.annotates ? Annotations.newToken() : nil
    showsAll = options.isVerbose || options.showsLogs
    hasLimit = options.update == nil && !options.isVerbose && !options.showsLogs
  }

  func begin(_ count: Int) throws(SystemError) {
    isOpen = true
    if let resumption { print(Annotations.stop(resumption)) }
    try output.flush()
    progress.begin(count)
  }

  /// Counts a result.
  func add(_ result: TestResult) { progress.add(result) }

  // MARK: Transcripts

  /// Shows what went wrong with a transcript, or how an update will change it, unless it was shown
  /// for an earlier transcript.
  ///
  /// - Parameter acceptance: the result of an update.
  func show(
    _ report: TranscriptTest.Report, _ acceptance: TranscriptAcceptance.Result
  ) throws(SystemError) {
    let fresh = fresh(report.findings)
    let isShown = !fresh.isEmpty && !(hasLimit && lineCount >= Self.maxLines)
    if isShown {
      shown += 1
      known.formUnion(fresh.map(\.key))
      print(text(report, fresh))
    } else if fresh.isEmpty {
      alike += 1
    } else {
      leftOut += 1
    }
    show(acceptance, isShown: isShown)
    try output.flush()
  }

  /// The failures that haven't been shown, with the remarks on them.
  private func fresh(_ findings: [TestFinding]) -> [TestFinding] {
    guard !showsAll else { return findings }
    let fresh = findings.filter { $0.key.isEmpty || !known.contains($0.key) }
    return fresh.allSatisfy(\.key.isEmpty) ? [] : fresh
  }

  private func text(_ report: TranscriptTest.Report, _ findings: [TestFinding]) -> String {
    let result = report.result
    let isBad = result.verdict.outcome != .success
    let verdict = isBad ? style.error(result.verdict.text) : result.verdict.text
    var texts: [String] = []
    for (index, finding) in findings.enumerated() {
      var text = "\(finding.location(in: result.path).terminalSafeLine): "
      if index == 0 && !isBad { text = result.path.terminalSafeLine }
      if index > 0 && finding.line == 0 { text = "" }
      if index > 0 || isBad { text += finding.summary.terminalSafeLine }
      // Coloured details contain our own escapes, and are safe already.
      let details = style.isColoured ? finding.details : finding.details.terminalSafe
      texts.append((index == 0 ? "\(verdict): " : "") + text + (details.isEmpty ? "" : "\n"))
      texts[index] += details
    }
    return texts.joined(separator: "\n\n") + "\n"
  }

  /// Shows what plugins logged and printed in a transcript that didn't fail.
  func show(logs: String, of result: TestResult) throws(SystemError) {
    print("\(result.verdict.text): \(result.location.terminalSafeLine)\n\(logs)\n\n")
    try output.flush()
  }

  /// Shows the result of an update, and ends the output about a transcript.
  private func show(_ result: TranscriptAcceptance.Result, isShown: Bool) {
    switch result {
    case .none: break
    case .patch(let bytes):
      progress.clear()
      patch?.write { $0 += bytes }
      // An error comes up again when the rest is written.
      try? patch?.flush()
    case .done(let message): if isShown { print(message + "\n") }
    case .refused(let message): if isShown { print(style.error(message) + "\n") }
    case .lost(let message): print(style.error(message) + (isShown ? "\n" : "\n\n"))
    }
    if isShown { print("\n") }
  }

  private func print(_ text: String) {
    progress.clear()
    lineCount += text.utf8.count { $0 == 0x0a }
    output.write { $0 += Array(text.utf8) }
  }

  // MARK: The end

  /// Shows the summary. If failures have scrolled away, it lists them again.
  func show(_ summary: TestSummary, notes: [String]) throws(SystemError) {
    if alike > 0 {
      print("The same in \(Count.of(alike, "more transcript")) (-v shows all).\n\n")
    }
    let isList = lineCount > Self.screen || alike > 0 && shown > 1
    let listing: TestSummary.Listing? = leftOut > 0 ? .whole : isList ? .short : nil
    let text = summary.text(style, listing: listing, groups: !showsAll)
    print(notes.map { $0 + "\n" }.joined() + text)
    try output.flush()
  }

  /// Shows further text at the end.
  func show(_ text: String) throws(SystemError) {
    print(text)
    try output.flush()
  }

  /// Restores the terminal, and the commands in the log of a workflow.
  func end(_ results: [TestResult]) throws(SystemError) {
    guard isOpen else { return }
    isOpen = false
    progress.clear()
    guard let resumption else { return }
    print(Annotations.resume(resumption) + Annotations.text(results))
    try output.flush()
  }
}
