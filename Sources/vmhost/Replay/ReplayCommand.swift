import HostCore

/// `vmhost replay`: plays transcripts and prints every event.
final class ReplayCommand: TranscriptObserver {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      return try ReplayCommand(arguments).run()
    } catch { throw Failure(error) }
  }

  private let paths: [String]
  private let resources: ReplayResources
  private let isolation: Isolation
  private let format: EventPrinter.Format
  private let style: Style
  private let keepsGoing: Bool
  /// How much faster than it was recorded time passes; nil: at once.
  private let speed: Double?
  private let stepTimeout: Nanoseconds?
  private let signals: SignalWatch
  private let descriptor: Int32

  private var outcome = Outcome.success
  private var isInterrupted = false
  // Of the transcript that is being played.
  private var path = ""
  private var printer: SessionPrinter?
  private var output: Output?
  private var session: SessionEngine?
  private var beginning: Nanoseconds = 0

  private init(_ arguments: ParsedArguments) throws {
    paths = arguments.positionals
    resources = ReplayResources(pluginPath: arguments.values(of: "plugin-path"))
    isolation = try Isolation(arguments)
    keepsGoing = arguments.flag("keep-going")
    stepTimeout = try arguments.stepTimeout()
    speed = try arguments.read("speed", as: "\"real\", or how many times faster, as in 10") {
      let factor = $0 == "real" ? 1 : Double($0)
      return factor.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
    let isTerminal = Descriptor.isTerminal(Descriptor.standardOutput)
    format =
      arguments.value(of: "format").flatMap(EventPrinter.Format.init)
      ?? (isTerminal ? .text : .jsonl)
    style = Style(isTerminal: isTerminal, variable: Environment.value)
    signals = try SignalWatch()
    descriptor = try Descriptor.divertStandardOutput()
  }

  private func run() throws -> Outcome {
    if let notice = isolation.notice { VMHost.complain(notice) }
    for path in paths where !isInterrupted && (keepsGoing || outcome == .success) {
      try play(path)
    }
    if let number = signals.number { return .signal(number) }
    return outcome
  }

  private func play(_ path: String) throws {
    self.path = path
    let file: TranscriptFile
    do throws(TranscriptFailure) {
      file = try TranscriptFile(path)
    } catch {
      complain(error.message)
      return note(error.outcome)
    }
    let output = Output(
      descriptor: descriptor, secrets: resources.secrets(file.survey.secrets))
    self.output = output
    let printer = SessionPrinter(
      format: format, style: style, output: output, clock: .virtual, isolation: isolation)
    self.printer = printer
    if paths.count > 1 && format == .text { output.write { $0 += Array("# \(path)\n".utf8) } }
    try play(file, printer, output)
    try output.flush()
    if file.isCut {
      VMHost.complain("vmhost: \(path): the last line is cut off; it was left out.\n")
    } else if file.breaksOff {
      VMHost.complain(
        "vmhost: \(path): the recording breaks off (it has no @end); its last step may be"
          + " incomplete.\n")
    }
  }

  private func play(_ file: TranscriptFile, _ printer: SessionPrinter, _ output: Output) throws {
    var limits = StepLimits()
    limits.time = stepTimeout ?? limits.time
    let hangReport = HangReport(output: output, limit: limits.time)
    let interruption = Interruption(
      interests: { [signals] in [signals.interest] }, hasCome: { [signals] in signals.hasCome })
    let holder = SessionHolder()
    let replay = try ReplaySession(file, resources) { [isolation] path, name in
      try isolation.load(
        path, named: name, limits, interruption: interruption, watch: hangReport.watch,
        printed: { line in
          guard let session = holder.session else { return }
          printer.print(line: line, of: name, session)
        })
    }
    holder.session = replay.session
    session = replay.session
    beginning = SystemClock.monotonic()
    var ending = Outcome.success
    var message = ""
    do {
      let player = TranscriptPlayer(
        try TranscriptReader(file.source), replay.runner, found: replay.found,
        compares: file.survey.hasExpectations, breaksOff: file.breaksOff, observer: self,
        isInterrupted: { [signals] in signals.hasCome })
      try player.play()
      try replay.session.finish()
    } catch let failure as TranscriptFailure {
      (ending, message) = (failure.outcome, failure.message)
    } catch {
      let failure = Failure(error)
      (ending, message) = (failure.outcome, failure.message)
    }
    note(ending)
    if printer.hasFault { note(.failed) }
    isInterrupted = signals.hasCome
    printer.end(replay.session, outcome, message)
    try output.flush()
    if !message.isEmpty { complain(message) }
  }

  /// The first thing that goes wrong decides the status.
  private func note(_ outcome: Outcome) {
    if self.outcome == .success { self.outcome = outcome }
  }

  private func complain(_ message: String) { VMHost.complain(Failure(.failed, message)) }

  // MARK: What happens

  func didPlay(
    _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
  ) -> Bool {
    guard let printer, let session, let output else { return true }
    pace(step, session)
    printer.print(step, comparison, session)
    guard let difference else { return false }
    note(.failed)
    printer.print(difference: difference.summary, line: difference.line, session)
    // Standard out may be the same terminal: what came before the difference is shown before it.
    do throws(SystemError) { try output.flush() } catch { return true }
    complain("\(path):\(difference.line): \(difference.summary)\n\(difference.text(style: nil))")
    return !keepsGoing
  }

  func didLeave(_ message: String, line: Int) {
    note(.failed)
    if let session { printer?.print(difference: message, line: line, session) }
    complain("\(path):\(line): \(message)")
  }

  /// Waits until a step would have ended, had time passed at the speed that was asked for.
  private func pace(_ step: TranscriptStep, _ session: SessionEngine) {
    guard let speed, session.now > step.start else { return }
    // What came before is shown before the wait; a failed write shows at the next flush.
    try? output?.flush()
    let end = beginning + Nanoseconds(Double(session.now) / speed)
    while !signals.hasCome {
      let left = end - SystemClock.monotonic()
      guard left > 0 else { return }
      var interests = [signals.interest]
      do throws(SystemError) {
        try Descriptor.wait(for: &interests, timeout: left)
      } catch { return }
    }
  }

  /// What a plugin prints belongs to a session that isn't there yet while the plugin is named.
  private final class SessionHolder {
    weak var session: SessionEngine?
  }
}

extension ParsedArguments {
  /// `--step-timeout`, where a command has it.
  func stepTimeout() throws(Failure) -> Nanoseconds? {
    try read("step-timeout", as: "\(TimeSpan.form), above 0 and of at most 24h") {
      TimeSpan.parse($0).flatMap { $0 > 0 && $0 <= StepLimits.longestTime ? $0 : nil }
    }
  }
}
