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
  /// How many failures were not shown.
  private var leftOut = 0
  private let showsAll: Bool
  /// The location where each load error was first shown. Many transcripts may have the same one.
  private var locations: [String: String] = [:]

  init(_ options: TestOptions) throws(SystemError) {
    let terminals = (
      Descriptor.isTerminal(Descriptor.standardOutput),
      Descriptor.isTerminal(Descriptor.standardError)
    )
    let standardOutput = Output(
      descriptor: options.isInProcess
        ? try Descriptor.divertStandardOutput() : Descriptor.standardOutput)
    let isPatch = options.update == .patch
    patch = isPatch ? standardOutput : nil
    output = isPatch ? Output(descriptor: Descriptor.standardError) : standardOutput
    style = Style(
      isTerminal: isPatch ? terminals.1 : terminals.0, variable: Environment.value)
    progress = TestProgress(isTerminal: terminals.1, variable: Environment.value)
    resumption =
      !isPatch && Annotations.isWanted(variable: Environment.value) ? Annotations.newToken() : nil
    // With `--update`, people have to see everything that they accept.
    showsAll = options.update != nil
  }

  var annotates: Bool { resumption != nil }

  func begin(_ count: Int) throws(SystemError) {
    isOpen = true
    if let resumption { print(Annotations.stop(resumption)) }
    try output.flush()
    progress.begin(count)
  }

  /// Counts a result.
  func add(_ result: TestResult) { progress.add(result) }

  /// Shows what went wrong with a transcript, or how an update will change it.
  func show(_ report: TranscriptTest.Report) throws(SystemError) {
    guard showsAll || lineCount < Self.maxLines else {
      leftOut += 1
      return
    }
    let result = report.result
    let isBad = result.verdict.outcome != .success
    let verdict = isBad ? style.error(result.verdict.text) : result.verdict.text
    var text = "\(verdict): \(result.location.terminalSafeLine)"
    let summary = shortened(result)
    if !summary.isEmpty { text += ": \(summary.terminalSafeLine)" }
    text += "\n"
    // Coloured details contain our own escapes, and are safe already.
    let details = style.isColoured ? report.shownDetails : report.shownDetails.terminalSafe
    if !details.isEmpty { text += details + "\n" }
    print(text)
    try output.flush()
  }

  /// The summary, or a reference to the first transcript with the same load error.
  private func shortened(_ result: TestResult) -> String {
    guard result.verdict == .notLoaded else { return result.summary }
    if let first = locations[result.summary] { return "for the same reason as \(first)" }
    locations[result.summary] = result.location
    return result.summary
  }

  /// Shows the result of an update, and ends the output about a transcript.
  func show(_ result: TranscriptAcceptance.Result) throws(SystemError) {
    switch result {
    case .none: break
    case .patch(let bytes):
      progress.clear()
      patch?.write { $0 += bytes }
      try patch?.flush()
    case .done(let message): print(message + "\n")
    case .refused(let message): print(style.error(message) + "\n")
    }
    if leftOut == 0 { print("\n") }
    try output.flush()
  }

  private func print(_ text: String) {
    progress.clear()
    lineCount += text.utf8.count { $0 == 0x0a }
    output.write { $0 += Array(text.utf8) }
  }

  /// Shows the summary. If failures have scrolled away, it lists them again.
  func show(_ summary: TestSummary, notes: [String]) throws(SystemError) {
    let listing: TestSummary.Listing? =
      leftOut > 0 ? .whole : lineCount > Self.screen ? .short : nil
    print(notes.map { $0 + "\n" }.joined() + summary.text(style, listing: listing))
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
