import CanonicalJSON
import HostCore
import Synchronization

/// `vmhost run`: a live session from a terminal, a pipe or a script.
struct RunCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      let options = try RunOptions(arguments)
      // Nobody types a plugin's name into a prompt that knows nothing yet.
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

  private let options: RunOptions
  private let format: EventPrinter.Format
  private let output: Output
  private let runner: ScriptInterpreter
  private let printer: SessionPrinter
  private let signals: SignalWatch
  private let style: Style
  private let hangReport: HangReport
  private let recorder: TranscriptRecorder?
  /// Keeps what is needed for a backtrace, where one is wanted.
  private let backtrace: BacktraceReport?
  private let isTerminal: Bool
  private let terminal = CurrentTerminal()

  /// The session that somebody types into, once there is one: there Ctrl-C is a key.
  private final class CurrentTerminal {
    var session: TerminalSession?
  }

  private init(_ options: RunOptions) throws {
    self.options = options
    signals = try SignalWatch()
    let printsToTerminal = Descriptor.isTerminal(Descriptor.standardOutput)
    isTerminal =
      options.script == nil && printsToTerminal && Descriptor.isTerminal(Descriptor.standardInput)
    format = options.format ?? (printsToTerminal ? .text : .jsonl)
    output = Output(
      descriptor: isTerminal ? nil : try Descriptor.divertStandardOutput(),
      secrets: options.secrets)
    style = Style(isTerminal: printsToTerminal, variable: Environment.value)
    printer = SessionPrinter(
      format: format, style: style, output: output, clock: options.clock,
      isolation: options.isolation)

    let storage: any StorageBackend =
      try options.store.map { path throws(StorageError) in try DatabaseStorage(path: path) }
      ?? MemoryStorage()
    var sessionOptions = SessionEngine.Options()
    var random = SystemRandomNumberGenerator()
    sessionOptions.seed = options.seed ?? random.next()
    sessionOptions.epoch = options.time ?? SystemClock.wall()
    sessionOptions.locale = options.locale ?? sessionOptions.locale
    sessionOptions.timeZone = options.timeZone ?? sessionOptions.timeZone
    recorder = try Self.recorder(options)
    let session = SessionEngine(
      options: sessionOptions, storage: recorder?.watch(storage) ?? storage,
      secrets: options.secrets)
    let executable = try Files.executableFolder()
    let driver = SessionDriver(
      session: session, clock: options.clock,
      providers: Self.providers(options, executable: executable), recorder: recorder,
      report: { [printer] session in printer.print(session) },
      complain: { [output, secrets = options.secrets] text in
        try? output.flush()
        VMHost.complain("vmhost: \(secrets.redacted(text))\n")
      })
    var limits = StepLimits()
    limits.time = options.stepTimeout ?? limits.time
    let locator = PluginLocator(
      script: options.script.flatMap(Self.folder), given: options.pluginPath,
      variable: Environment.value("VMHOST_PLUGIN_PATH"), executable: executable)
    let hangReport = HangReport(output: output, limit: limits.time)
    let interruption = Interruption(
      interests: { [signals, terminal] in [signals.interest] + (terminal.session?.keys ?? []) },
      hasCome: { [signals, terminal] in
        terminal.session?.isInterruptedAtWork ?? signals.hasCome
      })
    var backtrace: BacktraceReport?
    if options.backtrace, case .worker(let sandbox) = options.isolation {
      backtrace = BacktraceReport(limits: limits, worker: sandbox.worker, secrets: options.secrets)
    }
    runner = ScriptInterpreter(
      session: session, driver: driver, storage: storage,
      locate: { try Files.absolute(try locator.path(of: $0)) },
      load: { [printer, backtrace] path, name in
        try options.isolation.load(
          path, named: name, limits, backtrace: backtrace, interruption: interruption,
          watch: hangReport.watch, printed: { printer.print(line: $0, of: name, session) })
      })
    runner.fixed = options.givenSettings
    self.hangReport = hangReport
    self.backtrace = backtrace
  }

  private static func recorder(_ options: RunOptions) throws(Failure) -> TranscriptRecorder? {
    guard let path = options.record else { return nil }
    do throws(SystemError) {
      return try TranscriptRecorder(
        path: path, secrets: options.secrets, headers: options.recordedHeaders,
        details: [
          "vmhost": .string(CommandTable.vmhost.version), "clock": .string(options.clock.rawValue),
          "cpu": .string(Processor.kind),
        ])
    } catch {
      let reason = error.isExisting ? existing(path) : "\(error.reason)."
      throw Failure(.usage, "could not record to \"\(path)\": \(reason)")
    }
  }

  /// Why a recording can't go where something is.
  private static func existing(_ path: String) -> String {
    switch try? Files.kind(of: path) {
    case .directory: "it is a folder. Name a file in it."
    case .other: "it is a device or a pipe, and a recording goes into a new file."
    // Also a link that leads nowhere.
    case .regular, nil: "it exists already. Remove it first, or choose another name."
    }
  }

  private static func folder(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// The http provider lies beside vmhost; `--effect http=…` puts another one in its place.
  private static func providers(
    _ options: RunOptions, executable: String
  ) -> [EffectProvider] {
    [EffectProvider(effect: "http", command: .executable("\(executable)/vmhost-http"))]
      + options.effects.map { EffectProvider(effect: $0.name, command: .shell($0.command)) }
  }

  // MARK: The session

  private func run() throws -> Outcome {
    var outcome = Outcome.success
    var message = ""
    if let notice = options.isolation.notice { VMHost.complain(notice) }
    do {
      for plugin in options.plugins { try runner.load(plugin) }
      noteUselessEffects()
      try runLines()
      if let number = signals.number { outcome = .signal(number) }
    } catch {
      let failure = Failure(error)
      outcome = failure.outcome
      // A plugin that was ended together with the session didn't break anything.
      if outcome == .brokenPlugin, let number = signals.number { outcome = .signal(number) }
      message = options.secrets.redacted(failure.message)
    }
    runner.driver.takeEvents()
    let left = whatIsLeft
    do throws(SessionError) {
      try runner.driver.finishSession()
    } catch {
      // What stopped the session before that came first, and one error is enough.
      if outcome == .success {
        outcome = Failure(error).outcome
        message = options.secrets.redacted(error.description)
      }
    }
    if outcome == .success && printer.hasFault { outcome = .failed }
    printer.end(runner.session, outcome, message)
    // Ending the providers takes a while where one doesn't end by itself: what there is to see
    // doesn't wait for that, and a second Ctrl-C meanwhile doesn't lose it.
    defer { runner.driver.finish() }
    if isTerminal {
      try Descriptor.write(Descriptor.standardOutput, output.take().span)
    } else {
      try output.flush()
    }
    noteRecording(outcome)
    if !message.isEmpty {
      let failure = Failure(outcome, message)
      guard let backtrace, outcome == .brokenPlugin else { throw failure }
      VMHost.complain(failure)
      backtrace.show()
      return outcome
    }
    if outcome == .success, let left { VMHost.complain("vmhost: \(left)\n") }
    return outcome
  }

  private func noteRecording(_ outcome: Outcome) {
    guard let recorder, recorder.steps > 0, outcome != .outputLost,
      Descriptor.isTerminal(Descriptor.standardError)
    else { return }
    let steps = "\(recorder.steps) step\(recorder.steps == 1 ? "" : "s")"
    VMHost.complain("vmhost: recorded \(steps) to \(recorder.path.terminalSafeLine)\n")
  }

  /// A misspelt `--effect` would else show only as a request that nobody answers.
  private func noteUselessEffects() {
    guard !options.plugins.isEmpty else { return }
    let asked = Set(runner.session.manifests.flatMap(\.viewModels).flatMap(\.requests))
    for (name, _) in options.effects where !asked.contains(name) {
      VMHost.complain(
        "vmhost: --effect \(name): no view model of these plugins asks for it."
          + NearestName.hint(for: name, among: asked.sorted()) + "\n")
    }
    for (name, _) in options.effects where runner.session.simulates(name) {
      VMHost.complain(
        "vmhost: --effect \(name): vmhost answers it itself, unless the script says"
          + " @record \(name).\n")
    }
  }

  private func runLines() throws {
    if let flow = options.flow { try runner.useFlow(flow, from: nil) }
    if let path = options.script, path != "-" { return try runScript(path) }
    try begin(opens: options.plugins.isEmpty ? [] : defaultOpenings)
    guard isTerminal else {
      var loop = LineLoop(runner, output: output, signals: signals, source: "<stdin>")
      return try loop.run(descriptor: Descriptor.standardInput)
    }
    let terminal = try RawTerminal(Descriptor.standardInput)
    hangReport.restoreTerminal { [output, restore = terminal.restoration] in
      restore()
      // A failed write changes nothing about what has to be said and done now.
      try? Descriptor.write(
        Descriptor.standardOutput, (Array(LineEditor.abandonment.utf8) + output.take()).span)
    }
    let session = TerminalSession(runner, output: output, signals: signals, style: style)
    self.terminal.session = session
    defer { self.terminal.session = nil }
    do {
      try session.run(on: terminal)
    } catch  where session.isInterruptedAtWork && Failure(error).outcome == .brokenPlugin {
      throw Failure(.signal(Exit.interrupt), Failure(error).message)
    }
    if session.wasInterrupted { throw Failure(.signal(Exit.interrupt), "") }
  }

  /// Reads the script twice: a mistake anywhere in it shows before anything happens.
  private func runScript(_ path: String) throws {
    let script: [UInt8]
    do throws(SystemError) {
      script = try Files.read(path)
    } catch {
      throw Failure(.usage, "could not read the script \"\(path)\": \(error.reason).")
    }
    let survey = try ScriptSummary(script, source: path)
    for command in survey.configuration { try runner.configure(command) }
    runner.isConfigured = true
    runner.folder = Self.folder(of: path)
    let opensItself = survey.hasOpen && options.openings.isEmpty
    if opensItself && options.config != nil {
      throw Failure(
        .usage,
        "--config is for an instance that the command line opens, but \"\(path)\" opens its own."
          + " Write the config behind its @open, or name the view model with --view-model.")
    }
    let openAll = { () throws in
      try begin(
        opens: opensItself || options.plugins.isEmpty ? options.openings : defaultOpenings)
    }
    // Where the script leaves it to the command line what is opened, its flow knows the start. It
    // may be of plugins that the script names before it.
    if survey.flow != nil && options.flow == nil {
      runner.openStart = openAll
    } else {
      try openAll()
    }
    var loop = LineLoop(runner, output: output, signals: signals, source: path)
    try loop.run(script: script)
  }

  private var defaultOpenings: [RunOptions.Opening] {
    guard options.openings.isEmpty else { return options.openings }
    if let starts = runner.session.flow?.starts {
      return starts.map {
        RunOptions.Opening(
          viewModel: $0.viewModel, handle: $0.givenHandle, config: options.config ?? $0.config,
          unlessOpen: true)
      }
    }
    return runner.session.manifests.compactMap(\.viewModels.first).map {
      RunOptions.Opening(viewModel: $0.id, handle: nil, config: options.config)
    }
  }

  private func begin(opens openings: [RunOptions.Opening]) throws {
    if !openings.isEmpty { printer.begin(runner.session) }
    for opening in openings where !(opening.unlessOpen && runner.session.isOpen(opening.name)) {
      try runner.driver.open(opening.viewModel, as: opening.handle, config: opening.config)
      runner.driver.takeEvents()
    }
  }

  /// Work that was still under way is worth a word: a script that ends too early looks like a
  /// plugin that does nothing.
  private var whatIsLeft: String? {
    let session = runner.session
    guard !isTerminal else { return nil }
    if runner.driver.isWaiting || session.nextDeadline != nil {
      let what = runner.driver.isWaiting ? "an answer" : "a timer"
      return "the input ended while the plugin was waiting for \(what)."
        + " End it with \"+ idle\" to wait."
    } else if let (handle, id, effect) = session.oldestOpenRequest {
      return "nobody answered request \(id) of \(handle), \"\(effect)\"."
        + " A line \"! \(id) …\" can, or a program: --effect \(effect)=COMMAND."
    }
    return nil
  }
}
