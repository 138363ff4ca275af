import Basics
import HostCore

/// `vmhost replay`: plays transcripts and prints every event.
final class ReplayCommand: TranscriptObserver {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      return try ReplayCommand(arguments).run()
    } catch { throw Failure(error) }
  }

  private let paths: [String]
  private let context: ReplayContext
  private let isolation: PluginIsolation
  private let lock: PluginLock?
  private let isStrictAboutPlugins: Bool
  /// The plugins of each transcript that aren't the libraries of its recording.
  private var changedPlugins: [[ChangedPlugin]] = []
  private let format: SessionFormatName
  private let style: Style
  private let keepsGoing: Bool
  /// How much faster time passes than in the recording; nil for no waiting at all.
  private let speed: Double?
  private let limits: StepLimits
  private let watchdog: Watchdog
  private let signals: SignalWatch
  private let descriptor: Int32

  private var outcome = Outcome.success
  // The state of the transcript that is being played.
  private var ending = Outcome.success
  private var path = ""
  private var printer: SessionPrinter?
  private var output: Output?
  private var session: SessionEngine?
  private var beginning: Nanoseconds = 0
  /// Whether the rest is played only for its verdict, as the first difference has been shown.
  private var isQuiet = false

  private init(_ arguments: ParsedArguments) throws {
    paths = arguments.positionals
    context = ReplayContext(pluginPath: arguments.values(of: "plugin-path"))
    isolation = try PluginIsolation(arguments)
    lock = try arguments.lock()
    isStrictAboutPlugins = try arguments.isStrictAboutPlugins()
    keepsGoing = arguments.flag("keep-going")
    limits = try arguments.limits()
    watchdog = Watchdog(limits: limits)
    speed = try arguments.read("speed", as: "\"real\", or how many times faster, as in 10") {
      let factor = $0 == "real" ? 1 : Double($0)
      return factor.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
    let isTerminal = Descriptor.isTerminal(Descriptor.standardOutput)
    format =
      arguments.value(of: "format").flatMap(SessionFormatName.init)
      ?? (isTerminal ? .text : .jsonl)
    style = Style(isTerminal: isTerminal, variable: Environment.value)
    signals = try SignalWatch()
    descriptor = try Descriptor.divertStandardOutput()
  }

  private func run() throws -> Outcome {
    if let notice = isolation.notice { Console.complain(notice) }
    for path in paths where !signals.hasCome && (keepsGoing || outcome == .success) {
      try play(path)
    }
    for note in ChangedPlugin.notes(changedPlugins) where !isStrictAboutPlugins {
      Console.complain("vmhost: \(note)\n")
    }
    if let number = signals.number { return .signal(number) }
    return outcome
  }

  private func play(_ path: String) throws {
    self.path = path
    ending = .success
    isQuiet = false
    let file: TranscriptFile
    do throws(TranscriptError) {
      file = try TranscriptFile(path)
    } catch {
      complain(error.message)
      return note(Failure(error).outcome)
    }
    let output = Output(
      descriptor: descriptor, secrets: context.secrets(file.secrets()),
      isForPrograms: format == .jsonl)
    self.output = output
    let printer = SessionPrinter(
      format: format, style: style, output: output, clock: .virtual, isolation: isolation)
    self.printer = printer
    if paths.count > 1 && format == .text {
      output.write { $0 += Array("# \(path.terminalSafeLine)\n".utf8) }
    }
    try play(file, printer, output)
    try output.flush()
    guard !signals.hasCome else { return }
    for notice in Self.notices(of: file) {
      Console.complain("vmhost: \(path.terminalSafeLine): \(notice.terminalSafeLine)\n")
    }
  }

  /// The messages about a file that "vmhost test" would not play, or not to its end.
  private static func notices(of file: TranscriptFile) -> [String] {
    let skip = file.summary.skip.map { "\"vmhost test\" skips it: \($0)" }
    return [skip, flaw(of: file)].compactMap { $0 }
  }

  /// The message about an incomplete file; nil if it is complete.
  private static func flaw(of file: TranscriptFile) -> String? {
    if file.isEmpty {
      file.flaw
    } else if file.isCut {
      "the recording breaks off within its last line, which was left out."
    } else if file.breaksOff {
      "the recording breaks off (it has no @end); its last step may be incomplete."
    } else {
      nil
    }
  }

  private func play(_ file: TranscriptFile, _ printer: SessionPrinter, _ output: Output) throws {
    let hangReport = HangReport(watchdog, output: output)
    let interruption = Interruption(
      interests: { [signals] in [signals.interest] }, hasCome: { [signals] in signals.hasCome })
    let run = try TranscriptRun(file, context, limits) { [isolation, limits, lock] path, name in
      try isolation.load(
        path, named: name, limits, lock: lock, interruption: interruption,
        inProcess: { try LocalPlugin.load(path, name, limits, watch: hangReport.watch) })
    }
    session = run.session
    beginning = SystemClock.monotonic()
    var message = ""
    do throws(TranscriptError) {
      _ = try run.play(
        compares: file.summary.hasExpectations, breaksOff: file.breaksOff, observer: self,
        isInterrupted: { [signals] in signals.hasCome })
    } catch {
      note(Failure(error).outcome)
      message = error.message
    }
    let changed = ChangedPlugin.all(of: run.session.connections, since: run.summary)
    changedPlugins.append(changed)
    if isStrictAboutPlugins, let first = changed.first {
      note(.failed)
      if message.isEmpty { message = "\(path): \(first.failure)" }
    }
    if printer.hasFault { note(.failed) }
    let signal = signals.hasCome ? signals.number : nil
    printer.end(run.session, signal.map(Outcome.signal) ?? ending, message)
    try output.flush()
    if !message.isEmpty { complain(message) }
  }

  /// Notes an outcome. The worst one decides the status.
  private func note(_ outcome: Outcome) {
    ending = [ending, outcome].worst
    self.outcome = [self.outcome, outcome].worst
  }

  private func complain(_ message: String) { Console.complain(Failure(.failed, message)) }

  // MARK: Events

  func didPlay(
    _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
  ) -> Bool {
    guard !isQuiet else { return false }
    guard let printer else { return true }
    printer.print(step, comparison)
    guard show(comparison, printer) else { return true }
    guard let difference else { return false }
    let text = difference.text(style: nil).dropLast()
    defer { isQuiet = !keepsGoing }
    return !show(difference.summary, line: difference.line, details: "\(text)")
  }

  func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool {
    guard !isQuiet, let printer, let session else { return false }
    printer.print(step, session)
    guard unplayed.isDifference else {
      printer.print(skipped: unplayed.summary, line: unplayed.line, session)
      return false
    }
    defer { isQuiet = !keepsGoing }
    return !show(unplayed.summary, line: unplayed.line, details: unplayed.details)
  }

  func didLeave(_ request: LeftRequest) {
    guard !isQuiet else { return }
    _ = show(request.message, line: request.line, details: "")
  }

  /// Shows a difference.
  ///
  /// - Returns: false if the output can't be written.
  private func show(_ summary: String, line: Int, details: String) -> Bool {
    note(.failed)
    guard let printer, let session, let output else { return false }
    printer.print(difference: summary, line: line, session)
    // Standard output may be the same terminal, so everything before the difference comes first.
    do throws(SystemError) { try output.flush() } catch { return false }
    complain("\(path):\(line): \(summary)" + (details.isEmpty ? "" : "\n\(details)"))
    return true
  }

  func didEnd(_ session: SessionEngine) { printer?.print(session) }

  /// Prints what a step emitted, each event at its time if a speed was asked for.
  ///
  /// - Returns: false if a signal came meanwhile.
  private func show(_ comparison: StepComparison, _ printer: SessionPrinter) -> Bool {
    guard speed != nil else {
      printer.print(comparison.range, of: comparison)
      return true
    }
    let records = comparison.events.records
    var next = comparison.range.lowerBound
    while next < comparison.range.upperBound {
      let time = records[next].time
      let rest = next..<comparison.range.upperBound
      let end = rest.first { records[$0].time != time } ?? rest.upperBound
      guard wait(until: time) else { return false }
      printer.print(next..<end, of: comparison)
      next = end
    }
    return wait(until: comparison.session.now)
  }

  /// Waits until a time of the session is reached at the speed that was asked for.
  ///
  /// - Returns: false if a signal came meanwhile.
  private func wait(until time: Nanoseconds) -> Bool {
    guard let speed else { return true }
    // Clamped, so that the sum can't overflow at a very low speed.
    let end = beginning + Nanoseconds(min(Double(time) / speed, 0x1p62))
    // Flush even if there is nothing to wait for, since the next step may take long. A failed write
    // shows at the next flush.
    try? output?.flush()
    while !signals.hasCome {
      let left = end - SystemClock.monotonic()
      guard left > 0 else { return true }
      var interests = [signals.interest]
      do throws(SystemError) {
        try Descriptor.wait(for: &interests, timeout: left)
      } catch { return true }
    }
    return false
  }
}
