import Basics
import HostCore

/// Carries out parsed lines, and tells whoever sent them what became of them. Inputs wait in a
/// batch, so that they are delivered together.
struct LineTaker {
  /// How many inputs are delivered together.
  private static let maxBatch = 4096

  let interpreter: ScriptInterpreter
  let output: Output
  let signals: SignalWatch
  /// The name of the script or pipe, for messages.
  let source: String
  /// Whether whoever sends the lines acts on what comes out. A line that is overtaken by that is no
  /// mistake then.
  let isLive: Bool
  /// Whether the session goes on after a mistake in a line without a number, too.
  let keepsGoing: Bool
  private(set) var isInterrupted = false
  /// Whether a line has had a number. Then the sender waits for answers.
  private var hasNumbers = false
  private var batch = InputBatch()
  /// How many inputs were delivered whose output may not be shown yet.
  private var hidden = 0

  init(
    interpreter: ScriptInterpreter, output: Output, signals: SignalWatch, source: String,
    isLive: Bool, keepsGoing: Bool
  ) {
    self.interpreter = interpreter
    self.output = output
    self.signals = signals
    self.source = source
    self.isLive = isLive
    self.keepsGoing = keepsGoing
  }

  /// - Parameters:
  ///   - bytes: the bytes that the line's ranges refer to.
  ///   - written: the line as it was written, for messages.
  ///   - number: where the line stands, from 1.
  ///   - seq: the number that the sender gave it.
  mutating func take(
    _ line: ScriptLine, _ bytes: Span<UInt8>, written: Span<UInt8>, number: Int, seq: UInt64?
  ) throws {
    if seq != nil { hasNumbers = true }
    switch line {
    case .nothing, .expectation: break
    case .rewritten(let other):
      var seq: UInt64?
      let line = try ScriptLine.parse(other.span, seq: &seq)
      try take(line, other.span, written: written, number: number, seq: seq)
    case .input(let input):
      // With a flow, this may be for an instance that the input before it opens.
      if interpreter.session.navigates(batch) { try deliverStep() }
      do {
        while try !interpreter.queue(input, bytes, tag: UInt64(number), seq: seq, in: &batch) {
          try deliver { driver, batch throws(SessionError) in try driver.start(&batch) }
        }
      } catch let error as ScriptError {
        try refuse(written, error, number: number, seq: seq)
      }
    case .command(let command):
      try finishBatch()
      do {
        try interpreter.perform(
          command, seq: seq, watching: [signals.interest], isInterrupted: pause)
      } catch {
        try refuse(written, error, number: number, seq: seq)
      }
      // A signal that ended a wait ends the session before its next line.
      isInterrupted = signals.hasCome
    }
    if batch.count >= Self.maxBatch { try startBatch() }
  }

  /// Shows the output so far before time passes.
  private func pause() -> Bool {
    // A failed write shows again at the next flush that can report it.
    try? output.flush()
    return signals.hasCome
  }

  // MARK: Batches

  /// Delivers inputs, and goes on behind each one that is refused.
  ///
  /// - Parameter body: delivers the waiting inputs. It is called again after a refusal.
  private mutating func deliver(
    _ body: (SessionDriver, inout InputBatch) throws(SessionError) -> Void
  ) throws {
    var rest = InputBatch()
    while true {
      do throws(SessionError) {
        if !rest.isEmpty { try interpreter.driver.deliver(&rest) }
        return try body(interpreter.driver, &batch)
      } catch {
        let left = interpreter.session.takeUndelivered()
        try refuse(error)
        rest = left
      }
    }
  }

  /// Delivers the waiting input as a batch of its own. The output is still shown once for as many
  /// inputs as are delivered together elsewhere.
  private mutating func deliverStep() throws {
    hidden += 1
    guard hidden < Self.maxBatch else { return try finishBatch() }
    try deliver { driver, batch throws(SessionError) in try driver.deliver(&batch) }
  }

  /// Delivers the waiting inputs, and shows what they led to.
  mutating func finishBatch() throws {
    hidden = 0
    // Looking for a signal is a system call, so it isn't done for each line.
    isInterrupted = signals.hasCome
    try deliver { driver, batch throws(SessionError) in
      try driver.deliver(&batch)
      try driver.catchUp()
    }
    try output.flush()
  }

  /// Begins to deliver the waiting inputs, and shows what the earlier ones led to. A plugin in a
  /// process of its own handles them while the next lines are read.
  private mutating func startBatch() throws {
    isInterrupted = signals.hasCome
    try deliver { driver, batch throws(SessionError) in
      try driver.start(&batch)
      if !driver.session.isUnderWay { try driver.catchUp() }
    }
    try output.flush()
  }

  private var isUnderWay: Bool { interpreter.session.isUnderWay }

  /// Begins to deliver the waiting inputs, unless the plugin is busy. Then more inputs can join
  /// them.
  mutating func startIfIdle() throws {
    if !isUnderWay { try startBatch() }
  }

  /// Waits until there is something to read, or something else has happened.
  ///
  /// Before it waits for input, it shows what the lines so far led to.
  ///
  /// - Returns: whether there is something to read.
  mutating func waitForInput(_ descriptor: Int32) throws -> Bool {
    // Answers of providers are only received in the full wait below.
    if isUnderWay && !interpreter.driver.isWaiting {
      var input = [Descriptor.Interest(descriptor)]
      try Descriptor.wait(for: &input, timeout: 0)
      if input[0].isReady { return true }
    }
    try finishBatch()
    let ready = try interpreter.driver.wait(
      atMost: nil, for: [Descriptor.Interest(descriptor), signals.interest])
    return ready[0].isReady
  }

  // MARK: Refusals

  /// Refuses a line that can't be read.
  ///
  /// - Throws: the failure that ends the session, if nobody waits for an answer.
  mutating func refuseBroken(
    _ line: Span<UInt8>, _ error: ScriptError, number: Int
  ) throws {
    var seq: UInt64?
    switch ScriptLine.seq(ofBroken: line) {
    case .missing: break
    case .unreadable: hasNumbers = true
    case .number(let number):
      hasNumbers = true
      seq = number
    }
    try refuse(line, error, number: number, seq: seq, isBroken: true)
  }

  /// Refuses a line that can't be carried out. The inputs before it are delivered first, and their
  /// errors come first.
  ///
  /// - Throws: the failure that ends the session, if the error does.
  private mutating func refuse(
    _ line: Span<UInt8>, _ error: any Error, number: Int, seq: UInt64?, isBroken: Bool = false
  ) throws {
    try finishBatch()
    let scriptError = error as? ScriptError
    let place =
      scriptError?.place(number: number, line: line).place
      ?? SessionAnswer.SourceLine(number: number, column: nil)
    if tell(SessionFailure(error), place, seq: seq, isBroken: isBroken) { return }
    if let scriptError {
      throw Failure(.usage, scriptError.report(source: source, number: number, line: line))
    }
    // An error in a flow has a location of its own, in the file that has to be changed.
    throw error is FlowError ? Failure(error) : located(Failure(error), at: number)
  }

  /// Refuses an input that was to be delivered with others.
  private func refuse(_ error: SessionError) throws {
    guard let number = error.tag ?? error.stepTag, number > 0 else { throw Failure(error) }
    let place = SessionAnswer.SourceLine(number: Int(number), column: nil)
    if tell(SessionFailure(error), place, seq: error.seq) { return }
    throw located(Failure(error), at: Int(number))
  }

  /// Tells the sender of a line that it changed nothing.
  ///
  /// - Parameter isBroken: whether the line can't be read, so that it may have a number that can't
  ///   be seen.
  /// - Returns: false if nobody waits for an answer, or if the session can't go on.
  private func tell(
    _ failure: SessionFailure, _ place: SessionAnswer.SourceLine, seq: UInt64?,
    isBroken: Bool = false
  ) -> Bool {
    guard let code = failure.refusal else { return false }
    if seq == nil && failure.isRace && isLive {
      interpreter.session.answer(
        .passedOver(message: failure.description, line: place), seq: nil)
    } else if seq != nil || keepsGoing || (isBroken && hasNumbers) {
      interpreter.session.answer(
        .refused(
          code, message: failure.description, line: seq == nil || code == .syntax ? place : nil),
        seq: seq)
    } else {
      return false
    }
    interpreter.driver.takeEvents()
    return true
  }

  /// The failure with its line, unless it isn't about the script.
  private func located(_ failure: Failure, at number: Int) -> Failure {
    switch failure.outcome {
    case .usage, .notLoaded, .brokenPlugin:
      Failure(failure.outcome, "\(source):\(number): \(failure.message)")
    default: failure
    }
  }
}
