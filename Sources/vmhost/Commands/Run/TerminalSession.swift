import CanonicalJSON
import HostCore

/// An interactive session on a terminal: a prompt with completion, and outputs above it.
final class TerminalSession {
  private let interpreter: ScriptInterpreter
  private let output: Output
  private let signals: SignalWatch
  /// Loads plugins anew when they change; nil if they aren't watched.
  private let watch: PluginWatch?
  private let style: Style
  private let history: HistoryFile?
  /// The response headers that a transcript keeps besides the usual ones.
  private let headers: [String]
  private var editor: LineEditor
  private var typed: [UInt8] = []
  private var hasEnded = false
  private var isInterrupted = false

  /// How long an ESC may wait for the rest of the key that it begins.
  private static let escapeTimeout: Nanoseconds = 50_000_000

  /// - Parameter history: where the lines of the session are kept; nil for nowhere.
  init(
    _ interpreter: ScriptInterpreter, output: Output, signals: SignalWatch, style: Style,
    history: HistoryFile?, headers: [String], watch: PluginWatch?
  ) {
    self.watch = watch
    self.interpreter = interpreter
    self.output = output
    self.signals = signals
    self.style = style
    self.history = history
    self.headers = headers
    editor = LineEditor(history: history?.lines ?? [])
    editor.complete = { Self.completions(of: $0, in: interpreter.session) }
    watch?.say = { [output] text in output.write { $0 += Array("\(text)\n".utf8) } }
  }

  /// Reads and carries out lines until Ctrl-D, Ctrl-C twice or a signal.
  func run(on terminal: borrowing RawTerminal) throws {
    say(welcome)
    editor.begin()
    let outcome = Result { try takeTurns() }
    // Even after an error, the editor has to undo its changes to the terminal.
    editor.end()
    let farewell = Result { try refresh() }
    try outcome.get()
    try farewell.get()
  }

  private func takeTurns() throws {
    while !hasEnded && !signals.hasCome {
      try refresh()
      let limits = [editor.awaitsKeyAfterEscape ? Self.escapeTimeout : nil, watch?.timeout]
      let ready = try interpreter.driver.wait(
        atMost: limits.compactMap { $0 }.min(),
        for: keys + [signals.interest] + (watch?.interests ?? []))
      try watch?.take(isInterrupted: isInterruptedNow)
      if ready[0].isReady {
        try read()
      } else if editor.awaitsKeyAfterEscape {
        editor.endEscape()
      }
      try takeTyped()
    }
  }

  private func read() throws(SystemError) {
    let count = try Descriptor.read(Descriptor.standardInput, limit: 4096, into: &typed)
    if count == 0 { hasEnded = true }
  }

  private func takeTyped() throws {
    while !hasEnded && !typed.isEmpty {
      var bytes = typed[...]
      let action = editor.next(from: &bytes)
      // While a line is carried out, more may be typed, which has to be searched for a Ctrl-C.
      typed = Array(bytes)
      switch action {
      case .line(let text):
        history?.add(text)
        try take(text)
      case .endOfInput: hasEnded = true
      case .interrupt(isSecond: false): say("Ctrl-C again or Ctrl-D ends the session.")
      case .interrupt(isSecond: true):
        isInterrupted = true
        hasEnded = true
      case nil: break
      }
    }
  }

  /// Whether Ctrl-C ended the session.
  var wasInterrupted: Bool { isInterrupted }

  /// The descriptor from which a Ctrl-C comes.
  var keys: [Descriptor.Interest] { [Descriptor.Interest(Descriptor.standardInput)] }

  /// Whether a Ctrl-C or a signal has come while a plugin handles an event.
  var isInterruptedAtWork: Bool {
    poll {}
    return typed.contains(3) || signals.hasCome || hasEnded
  }

  /// Reads what was typed in the meantime, without waiting.
  private func poll(_ refresh: () throws(SystemError) -> Void) {
    var input = keys
    do throws(SystemError) {
      try refresh()
      try Descriptor.wait(for: &input, timeout: 0)
      if input[0].isReady { try read() }
    } catch {
      // The terminal has gone; the session notices at its next turn.
      hasEnded = true
    }
  }

  // MARK: Lines

  private func take(_ text: String) throws {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let line = String(
      text.trimmingPrefix(while: isBlank).reversed().trimmingPrefix(while: isBlank).reversed())
    if line == ":quit" || line == ":q" {
      hasEnded = true
      return
    }
    if line.hasPrefix(":") { return try takeCommand(line) }
    if let hint = TerminalHelp.hint(line, interpreter.session) { return say(hint) }
    // The prompt stands for the sigil of an input.
    let isBare = line.unicodeScalars.first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
    var seq: UInt64?
    do {
      try carryOut(Array((isBare ? "> \(line)" : line).utf8), &seq)
    } catch {
      let failure = SessionFailure(error)
      if seq != nil, let code = failure.refusal {
        interpreter.session.answer(
          .refused(code, message: failure.description, line: nil), seq: seq)
        return interpreter.driver.takeEvents()
      }
      try show(error)
    }
  }

  /// Shows an error after which the session goes on.
  ///
  /// - Throws: any other error.
  private func show(_ error: any Error) throws {
    let failure = SessionFailure(error)
    switch failure.kind {
    case .invalid, .refused, .endless, .storage, .notLoaded, .brokenWhileLoading:
      say(style.error(failure.description.terminalSafe))
    case .brokenPlugin, .recording, .system, .unknown: throw error
    }
  }

  /// Carries out a command that begins with a colon.
  private func takeCommand(_ line: String) throws {
    do {
      guard let command = try TimeTravelCommand(line) else {
        return say(TerminalHelp.answer(line, interpreter.session, style))
      }
      try interpreter.driver.catchUp()
      let text = try command.perform(
        in: interpreter, headers: headers, style, isInterrupted: isInterruptedNow)
      interpreter.driver.takeEvents()
      say(text)
    } catch { try show(error) }
  }

  private func carryOut(_ bytes: [UInt8], _ seq: inout UInt64?) throws {
    switch try ScriptLine.parse(bytes.span, seq: &seq) {
    case .nothing, .expectation: break
    case .rewritten(let other): try carryOut(other, &seq)
    case .input(let input):
      try interpreter.driver.catchUp()
      var batch = InputBatch()
      let isAdded = try interpreter.queue(input, bytes.span, tag: 0, seq: seq, in: &batch)
      precondition(isAdded, "an empty batch takes any plugin's input")
      try interpreter.driver.deliver(&batch)
    case .command(let command):
      try interpreter.perform(
        command, seq: seq, watching: [signals.interest] + keys, isInterrupted: isInterruptedNow)
    }
  }

  /// Called while time passes. It shows what has happened, and searches the typed bytes for a
  /// Ctrl-C.
  private func isInterruptedNow() -> Bool {
    poll(refresh)
    if let stop = typed.firstIndex(of: 3) {
      // It ends the wait, not the session.
      typed.removeSubrange(...stop)
      return true
    }
    return hasEnded || signals.hasCome
  }

  // MARK: The screen

  private var welcome: String {
    let names = interpreter.session.manifests.map { "\($0.id) \($0.version)" }.joined(
      separator: ", ")
    return "\(names.isEmpty ? "vmhost" : names). Type an input, :ports to see them, :help for more,"
      + " Ctrl-D to end."
  }

  /// Shows text above the prompt.
  func say(_ text: String) {
    guard !text.isEmpty else { return }
    output.write { $0 += Array("\(text)\n".utf8) }
  }

  private func refresh() throws(SystemError) {
    editor.width = RawTerminal.width(of: Descriptor.standardOutput) ?? 80
    let above = output.take()
    if !above.isEmpty { editor.show(above: above) }
    try Descriptor.write(Descriptor.standardOutput, editor.takeOutput().span)
  }

  // MARK: Completion

  /// The possible completions of a line.
  ///
  /// - Parameter text: the text before the cursor.
  static func completions(of text: String, in session: SessionEngine) -> [String] {
    if text.hasPrefix(":") {
      return TerminalHelp.commands.map(\.name).filter { $0.hasPrefix(text) }
    }
    if text.hasPrefix("@") { return directives(in: session).filter { $0.hasPrefix(text) } }
    let sigil = text.hasPrefix("> ") ? "> " : ""
    let word = text.dropFirst(sigil.count)
    guard !word.contains(" ") else { return [] }
    let isOnly = session.instances.count == 1
    return session.instances.flatMap { instance in
      instance.viewModel.inputs.flatMap { input in
        let name = input.name + (input.hasValue ? " " : "")
        let whole = "\(instance.handle).\(name)"
        guard isOnly else { return [whole] }
        // The only instance needn't be named, but may be.
        return word.isEmpty ? [name] : [name, whole]
      }
    }
    .map { sigil + $0 }.filter { $0.hasPrefix(text) }
  }

  private static func directives(in session: SessionEngine) -> [String] {
    // An instance that the user has closed is known to the flow only under the flow's handle.
    let inFlow = (session.flow?.openings ?? []).compactMap { opening in
      opening.givenHandle.map { "@open \(opening.viewModel) as \($0)" }
    }
    return ["@plugin "] + session.manifests.flatMap(\.viewModels).map { "@open \($0.id)" }
      + Set(inFlow).sorted() + session.instances.map { "@close \($0.handle)" }
  }
}
