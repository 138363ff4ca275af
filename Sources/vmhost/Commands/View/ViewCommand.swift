import Basics
import HostCore

/// `vmhost view`: writes a page that shows sessions.
struct ViewCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      return try ViewCommand(arguments).run()
    } catch { throw Failure(error) }
  }

  private let paths: [String]
  private let target: String
  /// Whether to show only what the files say.
  private let isUnplayed: Bool
  private let context: ReplayContext
  private let isolation: PluginIsolation
  private let lock: PluginLock?
  private let limits: StepLimits
  private let signals: SignalWatch
  private let hangReport: HangReport

  private init(_ arguments: ParsedArguments) throws {
    paths = arguments.positionals
    target = arguments.value(of: "output") ?? Self.target(for: paths)
    isUnplayed = arguments.flag("unplayed")
    context = ReplayContext(pluginPath: arguments.values(of: "plugin-path"))
    isolation = try PluginIsolation(arguments)
    lock = try arguments.lock()
    limits = try arguments.limits()
    signals = try SignalWatch()
    hangReport = HangReport(Watchdog(limits: limits), output: Output(descriptor: nil))
  }

  /// The name of the page if the user gives none: that of the first transcript, in the current
  /// folder.
  private static func target(for paths: [String]) -> String {
    let name = Files.name(of: paths[0])
    return (name.hasSuffix(".vmt") ? String(name.dropLast(4)) : name) + ".html"
  }

  private func run() throws -> Outcome {
    // A mistake in any of the files is reported before a plugin is loaded.
    let files = try paths.map(TranscriptFile.init)
    if !isUnplayed, let notice = isolation.notice { Console.complain(notice) }
    var lines: [UInt8] = []
    for file in files {
      lines += try isUnplayed ? Self.unplayed(file) : played(file)
      if let number = signals.number { return .signal(number) }
    }
    let title = paths.count == 1 ? Files.name(of: paths[0]) : Count.of(paths.count, "session")
    let page = Page.bytes(.session, title: title, lines: lines)
    guard target != "-" else {
      try Descriptor.write(Descriptor.standardOutput, page.span)
      return .success
    }
    try ReportFile.write(page, to: target)
    Console.complain("vmhost: wrote \(target.terminalSafeLine)\n")
    return .success
  }

  private static func unplayed(_ file: TranscriptFile) throws(TranscriptError) -> [UInt8] {
    SessionTrace.head(file.path, isPlayed: false) + (try UnplayedTranscript.lines(of: file))
  }

  /// Plays a transcript. If a plugin can't be loaded, the page shows what the file says.
  private func played(_ file: TranscriptFile) throws -> [UInt8] {
    let trace = SessionTrace(source: file.path, isolation: isolation.name)
    var status = Outcome.success
    var message = ""
    do {
      let run = try TranscriptRun(file, context, limits) { path, name in
        try isolation.load(
          path, named: name, limits, lock: lock,
          inProcess: { try LocalPlugin.load(path, name, limits, watch: hangReport.watch) })
      }
      _ = try run.play(
        compares: file.summary.hasExpectations, breaksOff: file.breaksOff, observer: trace,
        isInterrupted: { [signals] in signals.hasCome })
    } catch {
      let failure = Failure(error)
      guard failure.outcome != .notLoaded else {
        Console.complain(failure)
        Console.complain(
          "vmhost: \(file.path.terminalSafeLine): the page shows what the file says.\n")
        return try Self.unplayed(file)
      }
      status = failure.outcome
      message = failure.message
    }
    let verdict = trace.hasDifference || status != .success ? "failed" : "passed"
    return trace.whole(
      verdict: file.summary.hasExpectations ? verdict : nil,
      status: (status == .success && trace.hasDifference ? .failed : status).status,
      message: message)
  }
}
