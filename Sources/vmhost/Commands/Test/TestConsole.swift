import HostCore

/// What a run of tests prints: failures as they come, and how it went.
final class TestConsole {
  /// Once so many lines were printed, what else failed is only listed at the end.
  private static let maxLines = 1000
  /// More lines than this have scrolled away when the run ends.
  private static let screen = 24

  let style: Style
  /// For people.
  private let output: Output
  /// For a patch, and nothing else.
  private let patch: Output?
  private let progress: TestProgress
  /// Brings back the commands of GitHub Actions: until then what plugins emit is no command.
  private let resumption: String?
  private var isOpen = false
  private var lineCount = 0
  /// How many failures were passed over.
  private var leftOut = 0
  private let showsAll: Bool
  /// Where each reason why a plugin would not load was shown: many transcripts may have the same.
  private var places: [String: String] = [:]

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
    // Nothing is accepted unseen.
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
    let words = isBad ? style.error(result.verdict.words) : result.verdict.words
    var text = "\(words): \(result.place.terminalSafeLine)"
    let summary = shortened(result)
    if !summary.isEmpty { text += ": \(summary.terminalSafeLine)" }
    text += "\n"
    // Colours are escapes too, but ours.
    let details = style.isColoured ? report.shownDetails : report.shownDetails.terminalSafe
    if !details.isEmpty { text += details + "\n" }
    print(text)
    try output.flush()
  }

  /// What is wrong, or where that was said before.
  private func shortened(_ result: TestResult) -> String {
    guard result.verdict == .notLoaded else { return result.summary }
    if let place = places[result.summary] { return "for the same reason as \(place)" }
    places[result.summary] = result.place
    return result.summary
  }

  /// Shows what came of an update, and ends what there is of a transcript.
  func show(_ result: TranscriptAcceptance.Result) throws(SystemError) {
    switch result {
    case .none: break
    case .patch(let bytes):
      progress.clear()
      patch?.write { $0 += bytes }
      try patch?.flush()
    case .done(let words): print(words + "\n")
    case .refused(let words): print(style.error(words) + "\n")
    }
    if leftOut == 0 { print("\n") }
    try output.flush()
  }

  private func print(_ text: String) {
    progress.clear()
    lineCount += text.utf8.count { $0 == 0x0a }
    output.write { $0 += Array(text.utf8) }
  }

  /// Shows how it went. Where the failures have scrolled away, they are listed.
  func show(_ summary: TestSummary, notes: [String]) throws(SystemError) {
    let listing: TestSummary.Listing? =
      leftOut > 0 ? .whole : lineCount > Self.screen ? .short : nil
    print(notes.map { $0 + "\n" }.joined() + summary.text(style, listing: listing))
    try output.flush()
  }

  /// Shows more at the end.
  func show(_ text: String) throws(SystemError) {
    print(text)
    try output.flush()
  }

  /// Leaves the terminal, and the log of a workflow, as they were.
  func end(_ results: [TestResult]) throws(SystemError) {
    guard isOpen else { return }
    isOpen = false
    progress.clear()
    guard let resumption else { return }
    print(Annotations.resume(resumption) + Annotations.text(results))
    try output.flush()
  }
}
