import Basics
import CanonicalJSON
import HostCore
import Synchronization

/// `vmhost run`: a live session from a terminal, a pipe or a script.
struct RunCommand {
  static func run(
    _ arguments: ParsedArguments, _ standby: StandbyWorker?
  ) throws(Failure) -> Outcome {
    do {
      var options = try RunOptions(arguments)
      options.session.isolation = options.session.isolation.using(standby)
      // A prompt without plugins would be of little use.
      if options.plugins.isEmpty && options.script == nil
        && Descriptor.isTerminal(Descriptor.standardInput)
      {
        throw UsageError.missingArgument(
          arguments.command,
          advice: "Name one, as in \"vmhost run movies.so\", or a script that has @plugin lines.")
      }
      return try RunCommand(options).run()
    } catch { throw Failure(error) }
  }

  static func run(_ options: RunOptions) throws(Failure) -> Outcome {
    do { return try RunCommand(options).run() } catch { throw Failure(error) }
  }

  private let options: RunOptions
  private let format: SessionFormatName
  private let output: Output
  private let interpreter: ScriptInterpreter
  private let printer: SessionPrinter
  private let page: SessionLines?
  private let signals: SignalWatch
  private let style: Style
  private let hangReport: HangReport
  private let recorder: TranscriptRecorder?
  private let watch: PluginWatch?
  /// Records what a backtrace needs; nil if none is wanted.
  private let backtrace: BacktraceReport?
  /// Measures the steps; nil if that isn't wanted.
  private let timings: StepTimings?
  private let isTerminal: Bool
  private let current = Current()

  /// What there is once the session runs.
  private final class Current {
    /// There Ctrl-C is a key.
    var terminal: TerminalSession?
    var server: PageServer?
  }

  private init(_ options: RunOptions) throws {
    self.options = options
    let configuration = options.session
    signals = try SignalWatch()
    let printsToTerminal =
      options.inspection == nil && Descriptor.isTerminal(Descriptor.standardOutput)
    isTerminal =
      options.script == nil && printsToTerminal && Descriptor.isTerminal(Descriptor.standardInput)
    format = options.format ?? (printsToTerminal ? .text : .jsonl)
    if options.showsSteps, format == .text {
      throw Failure(
        .usage, "--steps is only for JSON Lines. Add --format jsonl, or leave it out.")
    }
    output =
      options.inspection != nil
      ? Output(forLater: configuration.secrets)
      : Output(
        descriptor: isTerminal ? nil : try Descriptor.divertStandardOutput(),
        secrets: configuration.secrets, isForPrograms: format == .jsonl)
    style = Style(isTerminal: printsToTerminal, variable: Environment.value)
    if let path = options.page {
      try ReportFile.begin(path, with: Page.bytes(.session, title: options.title))
    }
    page = options.page == nil ? nil : SessionLines(configuration.secrets)
    printer = SessionPrinter(
      format: format, style: style, output: output, clock: configuration.clock,
      isolation: configuration.isolation,
      showsSteps: options.showsSteps || options.inspection != nil, page: page)
    let engineOptions = try configuration.engineOptions()
    let storage = try configuration.storage()
    recorder = try Self.recorder(options)
    let session = SessionEngine(
      options: engineOptions, storage: recorder?.watch(storage) ?? storage,
      secrets: configuration.secrets)
    if recorder == nil, configuration.isolation.sandbox != nil, !options.backtrace {
      session.keepHistory()
    }
    session.showsSteps =
      options.showsSteps || options.page != nil || options.inspection != nil
    let driver = SessionDriver(
      session: session, clock: configuration.clock,
      providers: try configuration.effectProviders(), recorder: recorder,
      report: { [printer] session in printer.print(session) },
      complain: { [output, secrets = configuration.secrets] text in
        try? output.flush()
        Console.complain("vmhost: \(secrets.redacted(text).terminalSafeLine)\n")
      })
    let limits = configuration.limits
    let locator = try configuration.locator()
    let hangReport = HangReport(Watchdog(limits: limits), output: output)
    let interruption = Interruption(
      interests: { [signals, current] in [signals.interest] + (current.terminal?.keys ?? []) },
      hasCome: { [signals, current] in
        current.terminal?.isInterruptedAtWork ?? signals.hasCome
      })
    var backtrace: BacktraceReport?
    if options.backtrace, case .worker(let sandbox) = configuration.isolation {
      backtrace = BacktraceReport(
        limits: limits, sandbox: sandbox, secrets: configuration.secrets,
        lock: configuration.lock)
    }
    let timings = options.measuresSteps ? StepTimings() : nil
    interpreter = ScriptInterpreter(
      driver: driver, storage: storage,
      locate: { try locator.absolutePath(of: $0) },
      load: { [backtrace, output, current] path, name in
        let plugin = try configuration.isolation.load(
          path, named: name, limits, lock: configuration.lock, interruption: interruption,
          inProcess: { try LocalPlugin.load(path, name, limits, watch: hangReport.watch) },
          inWorker: { load in try backtrace?.record(path, name, load) ?? load() })
        plugin.slowSteps.didFind = { step in
          // A prompt has to be drawn again below it.
          if let session = current.terminal { return session.say("vmhost: \(step.message)") }
          // If this write fails, the next one shows it.
          try? output.flush()
          Console.complain("vmhost: \(step.message)\n")
        }
        return timings.map { TimedConnection(plugin, didMeasure: $0.take) } ?? plugin
      })
    interpreter.fixed = options.givenSettings
    watch =
      options.watches ? try PluginWatch(interpreter, locator, build: options.build) : nil
    self.timings = timings
    self.hangReport = hangReport
    self.backtrace = backtrace
  }

  private static func recorder(_ options: RunOptions) throws(Failure) -> TranscriptRecorder? {
    guard let path = options.record else { return nil }
    do throws(SystemError) {
      return try TranscriptRecorder(
        path: path, secrets: options.session.secrets, headers: options.recordedHeaders,
        clock: options.session.clock)
    } catch {
      throw Failure(
        .usage, "could not record to \"\(path)\": \(NewTranscript.reason(error, path))")
    }
  }

  // MARK: The session

  private func run() throws -> Outcome {
    var outcome = Outcome.success
    var message = ""
    if let notice = options.session.isolation.notice { Console.complain(notice) }
    defer { watch?.stop() }
    do {
      try watch?.build(options.plugins, signals)
      // Before plugins are loaded, since their workers take a while to start.
      let script = try readScript()
      interpreter.driver.beginTime()
      for plugin in options.plugins where !signals.hasCome { try interpreter.load(plugin) }
      if !options.plugins.isEmpty {
        noteUselessEffects()
        noteUselessSecrets()
        try options.session.checkAdopted(among: interpreter.session.manifests.map(\.id))
      }
      try runLines(script)
      try options.session.checkAdopted(among: interpreter.session.manifests.map(\.id))
      if let number = signals.number { outcome = .signal(number) }
    } catch {
      let failure = Failure(error)
      outcome = failure.outcome
      // A plugin that was ended together with the session didn't break anything.
      if outcome == .brokenPlugin, let number = signals.number { outcome = .signal(number) }
      // The page is closed.
      if current.server != nil, outcome == .signal(Exit.brokenPipe) { outcome = .success }
      message = options.session.secrets.redacted(failure.message)
    }
    interpreter.driver.takeEvents()
    if options.plugins.isEmpty { noteUselessSecrets() }
    let left = unfinishedWork
    do throws(SessionError) {
      try interpreter.driver.finishSession()
    } catch {
      // If an earlier error stopped the session, that one is reported.
      if outcome == .success {
        outcome = Failure(error).outcome
        message = options.session.secrets.redacted(error.description)
      }
    }
    if outcome == .success && printer.hasFault && current.server == nil { outcome = .failed }
    printer.end(interpreter.session, outcome, message)
    // Ending the providers takes a while if one doesn't end by itself. So the output is written
    // first, and a second Ctrl-C meanwhile doesn't lose it.
    defer { interpreter.driver.finish() }
    try writePage()
    if isTerminal {
      try Descriptor.write(Descriptor.standardOutput, output.take().span)
    } else if let server = current.server {
      // Nobody reads it if the page is closed.
      try? output.flush()
      server.finish()
    } else {
      try output.flush()
    }
    noteRecording(outcome)
    for leak in interpreter.session.leaks {
      Console.complain("vmhost: \(leak.text): a retain cycle?\n")
    }
    if let table = timings?.table { Console.complain(table) }
    if !message.isEmpty {
      let failure = Failure(outcome, message)
      guard let backtrace, outcome == .brokenPlugin else { throw failure }
      Console.complain(failure)
      backtrace.show()
      return outcome
    }
    if outcome == .success, let left { Console.complain("vmhost: \(left)\n") }
    return outcome
  }

  private func writePage() throws(Failure) {
    guard let path = options.page, let page else { return }
    var lines = SessionTrace.head(options.title, isPlayed: true)
    SessionTrace.appendViewModels(of: interpreter.session, to: &lines)
    try ReportFile.write(
      Page.bytes(.session, title: options.title, lines: lines + page.bytes), to: path)
  }

  private func noteRecording(_ outcome: Outcome) {
    guard let recorder, recorder.steps > 0, outcome != .outputLost,
      Descriptor.isTerminal(Descriptor.standardError)
    else { return }
    let steps = "\(recorder.steps) step\(recorder.steps == 1 ? "" : "s")"
    Console.complain("vmhost: recorded \(steps) to \(recorder.path.terminalSafeLine)\n")
  }

  /// Warns about useless `--effect` options. Otherwise a misspelt one would only show as a request
  /// that nobody answers.
  private func noteUselessEffects() {
    let asked = Set(interpreter.session.manifests.flatMap(\.viewModels).flatMap(\.requests))
    let unanswered = options.session.handled.subtracting(SimulatedEffect.names).sorted()
    for name in options.session.providers.map(\.effect) + unanswered where !asked.contains(name) {
      Console.complain(
        "vmhost: --effect \(name): no view model of these plugins asks for it."
          + NearestName.hint(for: name, among: asked.sorted()) + "\n")
    }
    for name in options.session.providers.map(\.effect) where interpreter.session.simulates(name) {
      Console.complain(
        "vmhost: --effect \(name): vmhost answers it itself, unless the script says"
          + " @record \(name).\n")
    }
  }

  /// Warns about secrets for plugins that the session doesn't have.
  private func noteUselessSecrets() {
    let ids = interpreter.session.manifests.map(\.id)
    for plugin in options.session.secrets.plugins.subtracting(ids).sorted() {
      Console.complain(
        "vmhost: --secret \(plugin):…: no plugin of this session has the id \"\(plugin)\"."
          + NearestName.hint(for: plugin, among: ids) + "\n")
    }
  }

  /// The largest script, which is read twice. Standard input may be longer.
  private static let maxScript = 1 << 28

  private func runLines(_ script: Script?) throws {
    if let flow = options.flow { try interpreter.useFlow(flow, isNamedByUser: true) }
    if let inspection = options.inspection { return try runPage(inspection) }
    if let script { return try run(script) }
    try openStart()
    guard isTerminal else {
      var loop = lineLoop(source: "<stdin>", isLive: true)
      return try loop.run(descriptor: Descriptor.standardInput)
    }
    let terminal = try RawTerminal(Descriptor.standardInput)
    hangReport.restoreTerminal { [output, restore = terminal.restoration] in
      restore()
      // The program ends anyway, even if this write fails.
      try? Descriptor.write(
        Descriptor.standardOutput, (Array(LineEditor.abandonment.utf8) + output.take()).span)
    }
    let secrets = options.session.secrets
    let history = HistoryFile.path(Environment.path).flatMap {
      try? HistoryFile(path: $0, secrets: secrets)
    }
    let session = TerminalSession(
      interpreter, output: output, signals: signals, style: style, history: history,
      headers: options.recordedHeaders, watch: watch)
    current.terminal = session
    defer { current.terminal = nil }
    do {
      try session.run(on: terminal)
    } catch  where session.isInterruptedAtWork && Failure(error).outcome == .brokenPlugin {
      throw Failure(.signal(Exit.interrupt), Failure(error).message)
    }
    if session.wasInterrupted { throw Failure(.signal(Exit.interrupt), "") }
  }

  /// Takes lines from a page until it is closed.
  private func runPage(_ inspection: RunOptions.Inspection) throws {
    let server = try PageServer(Page.bytes(.live, title: options.title), signals)
    current.server = server
    output.begin(on: server.input)
    if inspection.holdsRequests { interpreter.driver.holdAll() }
    interpreter.tellHeld()
    interpreter.driver.beginTime()
    try openStart()
    try output.flush()
    Console.complain(
      "vmhost: inspecting \(options.title.terminalSafeLine) at \(server.address)"
        + " (Ctrl-C ends it)\n")
    var loop = lineLoop(source: "the page", isLive: true)
    try loop.run(descriptor: server.output)
  }

  /// A script that was read once, to find the mistakes in it before anything happens.
  private struct Script {
    let path: String
    let bytes: [UInt8]
    let summary: ScriptSummary
  }

  /// Reads the script; nil if lines come from standard input or a page.
  private func readScript() throws(Failure) -> Script? {
    guard let path = options.script, path != "-", options.inspection == nil else { return nil }
    let script: [UInt8]
    do throws(SystemError) {
      script = try Files.read(path, limit: Self.maxScript)
    } catch {
      throw Failure(.usage, "could not read the script \"\(path)\": \(error.reason).")
    }
    return Script(
      path: path, bytes: script,
      summary: try Self.summary(of: script, path, options.session.secrets))
  }

  private func run(_ script: Script) throws {
    for command in script.summary.settings { try interpreter.configure(command) }
    interpreter.isConfigured = true
    interpreter.folder = Files.folder(of: script.path)
    try openStart()
    var loop = lineLoop(source: script.path, isLive: false)
    try loop.run(script: script.bytes)
  }

  private func lineLoop(source: String, isLive: Bool) -> LineLoop {
    LineLoop(
      interpreter, output: output, signals: signals, source: source,
      secrets: options.session.secrets, watch: watch,
      LineTaker.Strictness(
        isLive: isLive, keepsGoing: options.keepsGoing || options.inspection != nil))
  }

  /// - Throws: `Failure` for the first line that can't be understood.
  private static func summary(
    of script: [UInt8], _ path: String, _ secrets: Secrets
  ) throws(Failure) -> ScriptSummary {
    var summary = ScriptSummary()
    var reader = LineReader()
    reader.fill { $0 = script }
    do throws(ScriptError) {
      while let line = try reader.next(atEnd: true) { try summary.take(line) }
      return summary
    } catch {
      let message = reader.withLine {
        error.report(source: path, number: reader.number, line: $0, secrets: secrets)
      }
      throw Failure(.usage, message)
    }
  }

  /// Opens the first instances. The command line alone says which they are, so that a terminal, a
  /// pipe and a script begin alike, and a front end can wait for the first frame.
  private func openStart() throws {
    let session = interpreter.session
    let openings = startOpenings
    if !openings.isEmpty { printer.begin(session) }
    for opening in openings where !(opening.unlessOpen && session.isOpen(opening.name)) {
      try interpreter.openAtStart(
        opening.viewModel, as: opening.handle, config: opening.config)
    }
  }

  private var startOpenings: [RunOptions.Opening] {
    guard options.openings.isEmpty else { return options.openings }
    if let starts = interpreter.session.flow?.starts {
      return starts.map {
        RunOptions.Opening(
          viewModel: $0.viewModel, handle: $0.givenHandle, config: options.config ?? $0.config,
          unlessOpen: true)
      }
    }
    return interpreter.session.manifests.compactMap(\.viewModels.first).map {
      RunOptions.Opening(viewModel: $0.id, handle: nil, config: options.config)
    }
  }

  /// The message about work that is still under way at the end; nil for none. Without it, a script
  /// that ends too early would look like a plugin that does nothing.
  private var unfinishedWork: String? {
    let session = interpreter.session
    guard !isTerminal, options.inspection == nil else { return nil }
    if interpreter.driver.isWaiting || session.nextDeadline != nil {
      let what = interpreter.driver.isWaiting ? "an answer" : "a timer"
      return "the input ended while the plugin was waiting for \(what)."
        + " End it with \"+ idle\" to wait."
    } else if let (handle, id, effect) = session.oldestOpenRequest {
      let prefix = session.instances.count > 1 ? "\(handle)." : ""
      return "nobody answered request \(id) of \(handle), \"\(effect)\"."
        + " A line \"! \(prefix)\(id) …\" can, or a program: --effect \(effect)=COMMAND."
    }
    return nil
  }
}
