import Basics
import HostCore

/// Reads lines from a script or a pipe and carries them out, in order, up to the first error.
struct LineLoop: ~Copyable {
  private static let readSize = 1 << 18

  private var reader = LineReader()
  private var taker: LineTaker
  /// A step of a script that waits for the lines that may follow it directly.
  private var held: HeldLine?

  private struct HeldLine {
    let content: ScriptLine
    let bytes: [UInt8]
    let number: Int
  }

  /// - Parameter source: the name of the script or pipe, for messages.
  init(_ interpreter: ScriptInterpreter, output: Output, signals: SignalWatch, source: String) {
    taker = LineTaker(interpreter: interpreter, output: output, signals: signals, source: source)
  }

  /// Carries out a whole script.
  mutating func run(script: [UInt8]) throws {
    reader.fill { $0 = script }
    try takeLines(atEnd: true, holdsSteps: true)
    try takeHeld()
    try taker.finishBatch()
  }

  /// Carries out lines from a descriptor until it ends or a signal comes.
  mutating func run(descriptor: Int32) throws {
    var hasEnded = false
    while !hasEnded && !taker.signals.hasCome {
      guard try taker.waitForInput(descriptor) else { continue }
      let count = try reader.fill { (bytes: inout [UInt8]) throws(SystemError) in
        try Descriptor.read(descriptor, limit: Self.readSize, into: &bytes)
      }
      hasEnded = count == 0
      try takeLines(atEnd: hasEnded)
      try taker.startIfIdle()
    }
    try taker.finishBatch()
  }

  /// - Parameter holdsSteps: whether `@storage` and `@plugin` directly after a step take effect
  ///   before it. A recorder writes them there, because it learns only within a step what the step
  ///   reads.
  private mutating func takeLines(atEnd: Bool, holdsSteps: Bool = false) throws {
    do {
      while !taker.isInterrupted, let line = try reader.next(atEnd: atEnd) {
        if holdsSteps {
          if case .nothing = line { continue }
          if line.role != .beforeStep { try takeHeld() }
          if held == nil && line.role == .step {
            hold(line)
            continue
          }
        }
        let number = reader.number
        try reader.withLine { bytes in try taker.take(line, bytes, number: number) }
      }
    } catch let error as ScriptError {
      try takeHeld()
      let number = reader.number
      throw try reader.withLine { try taker.failure(error, $0, number: number) }
    } catch let error as SessionError {
      throw taker.located(error)
    }
  }

  private mutating func hold(_ line: ScriptLine) {
    var bytes: [UInt8] = []
    reader.withLine { bytes.append($0) }
    held = HeldLine(content: line, bytes: bytes, number: reader.number)
  }

  private mutating func takeHeld() throws {
    guard let line = held else { return }
    held = nil
    guard !taker.isInterrupted else { return }
    do {
      try taker.take(line.content, line.bytes.span, number: line.number)
    } catch let error as ScriptError {
      throw try taker.failure(error, line.bytes.span, number: line.number)
    } catch let error as SessionError {
      throw taker.located(error)
    }
  }
}

/// Carries out parsed lines. Inputs wait in a batch, so that they are delivered together.
struct LineTaker {
  /// How many inputs are delivered together.
  private static let maxBatch = 4096

  let interpreter: ScriptInterpreter
  let output: Output
  let signals: SignalWatch
  let source: String
  private(set) var isInterrupted = false
  private var batch = InputBatch()
  /// How many inputs were delivered whose output may not be shown yet.
  private var hidden = 0

  init(interpreter: ScriptInterpreter, output: Output, signals: SignalWatch, source: String) {
    self.interpreter = interpreter
    self.output = output
    self.signals = signals
    self.source = source
  }

  mutating func take(_ line: ScriptLine, _ bytes: Span<UInt8>, number: Int) throws {
    switch line {
    case .nothing, .expectation: break
    case .rewritten(let other):
      try take(try ScriptLine.parse(other.span), other.span, number: number)
    case .input(let input):
      // With a flow, this may be for an instance that the input before it opens.
      if interpreter.session.navigates(batch) { try deliverStep() }
      while try !interpreter.queue(input, bytes, tag: UInt64(number), in: &batch) {
        try interpreter.driver.start(&batch)
      }
      if batch.count >= Self.maxBatch { try startBatch() }
    case .command(let command):
      try finishBatch()
      do {
        try interpreter.perform(command, watching: [signals.interest], isInterrupted: pause)
      } catch let error as ScriptError {
        throw error
      } catch let error as FlowError {
        // It names its own location, in the file that has to be changed.
        throw Failure(error)
      } catch {
        throw located(Failure(error), at: number)
      }
      // A signal that ended a wait ends the session before its next line.
      isInterrupted = signals.hasCome
    }
  }

  /// Shows the output so far before time passes.
  private func pause() -> Bool {
    // A failed write shows again at the next flush that can report it.
    try? output.flush()
    return signals.hasCome
  }

  /// Delivers the waiting input as a batch of its own. The output is still shown once for as many
  /// inputs as are delivered together elsewhere.
  private mutating func deliverStep() throws {
    hidden += 1
    guard hidden < Self.maxBatch else { return try finishBatch() }
    do throws(SessionError) { try interpreter.driver.deliver(&batch) } catch {
      throw located(error)
    }
  }

  /// Delivers the waiting inputs, and shows what they led to.
  mutating func finishBatch() throws {
    hidden = 0
    // Looking for a signal is a system call, so it isn't done for each line.
    isInterrupted = signals.hasCome
    do throws(SessionError) {
      try interpreter.driver.deliver(&batch)
      try interpreter.driver.catchUp()
    } catch { throw located(error) }
    try output.flush()
  }

  /// Begins to deliver the waiting inputs, and shows what the earlier ones led to. A plugin in a
  /// process of its own handles them while the next lines are read.
  private mutating func startBatch() throws {
    isInterrupted = signals.hasCome
    do throws(SessionError) {
      try interpreter.driver.start(&batch)
      if !isUnderWay { try interpreter.driver.catchUp() }
    } catch { throw located(error) }
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

  /// The failure of a bad line. The inputs before it are delivered first, and their errors come
  /// first.
  mutating func failure(_ error: ScriptError, _ line: Span<UInt8>, number: Int) throws -> Failure {
    try finishBatch()
    return Failure(.usage, error.report(source: source, number: number, line: line))
  }

  /// The error with the line of the input that it is about, or whose step it occurred in.
  func located(_ error: SessionError) -> Failure {
    let failure = Failure(error)
    guard let number = error.tag ?? error.stepTag, number > 0 else { return failure }
    return located(failure, at: Int(number))
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
