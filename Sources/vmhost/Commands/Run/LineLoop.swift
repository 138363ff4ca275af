import Basics
import HostCore

/// Reads lines from a script or a pipe and carries them out, in order, up to the first error that
/// ends the session.
struct LineLoop: ~Copyable {
  private static let readSize = 1 << 18

  private let interpreter: ScriptInterpreter
  private let signals: SignalWatch
  /// Loads plugins anew when they change; nil if they aren't watched.
  private let watch: PluginWatch?
  /// The name of the script or pipe, for messages.
  private let source: String
  private let secrets: Secrets
  private var reader = LineReader()
  private var taker: LineTaker
  /// A step of a script that waits for the lines that may follow it directly.
  private var held: HeldLine?

  private struct HeldLine {
    let content: ScriptLine
    let bytes: [UInt8]
    let number: Int
    let seq: UInt64?
  }

  init(
    _ interpreter: ScriptInterpreter, output: Output, signals: SignalWatch, source: String,
    secrets: Secrets, watch: PluginWatch?, _ strictness: LineTaker.Strictness
  ) {
    self.interpreter = interpreter
    self.watch = watch
    self.signals = signals
    self.source = source
    self.secrets = secrets
    taker = LineTaker(
      interpreter, strictness, interests: { [signals.interest] }, flush: { try output.flush() },
      isAskedToEnd: { signals.hasCome })
  }

  /// Carries out a whole script.
  mutating func run(script: [UInt8]) throws {
    do {
      reader.fill { $0 = script }
      try takeLines(atEnd: true, holdsSteps: true)
      try takeHeld()
      try taker.finishBatch()
      while watch != nil && !signals.hasCome { _ = try wait(for: []) }
    } catch let failure as LineFailure { throw Failure(failure, source, secrets) }
  }

  /// Carries out lines from a descriptor until it ends or a signal comes.
  mutating func run(descriptor: Int32) throws {
    do {
      var hasEnded = false
      while !hasEnded && !signals.hasCome {
        guard try waitForInput(descriptor) else { continue }
        let count = try reader.fill { (bytes: inout [UInt8]) throws(SystemError) in
          try Descriptor.read(descriptor, limit: Self.readSize, into: &bytes)
        }
        hasEnded = count == 0
        try takeLines(atEnd: hasEnded)
        try taker.startIfIdle()
      }
      try taker.finishBatch()
    } catch let failure as LineFailure { throw Failure(failure, source, secrets) }
  }

  /// Waits until there is something to read, or something else has happened.
  ///
  /// Before it waits for input, it shows what the lines so far led to.
  ///
  /// - Returns: whether there is something to read.
  private mutating func waitForInput(_ descriptor: Int32) throws -> Bool {
    // Answers of providers are only received in the full wait below.
    if interpreter.session.isUnderWay && !interpreter.driver.isWaiting {
      var input = [Descriptor.Interest(descriptor)]
      try Descriptor.wait(for: &input, timeout: 0)
      if input[0].isReady { return true }
    }
    return try wait(for: [Descriptor.Interest(descriptor)])
  }

  /// Waits until something happens.
  ///
  /// - Returns: whether the first descriptor is ready.
  private mutating func wait(for input: [Descriptor.Interest]) throws -> Bool {
    try taker.finishBatch()
    let ready = try interpreter.driver.wait(
      atMost: watch?.timeout, for: input + [signals.interest] + (watch?.interests ?? []))
    try watch?.take(isInterrupted: { [signals] in signals.hasCome })
    return ready[0].isReady
  }

  /// - Parameter holdsSteps: whether `@storage` and `@plugin` directly after a step take effect
  ///   before it. A recorder writes them there, because it learns only within a step what the step
  ///   reads.
  private mutating func takeLines(atEnd: Bool, holdsSteps: Bool = false) throws {
    while !taker.isInterrupted {
      if !holdsSteps { try taker.takeRepeats(from: &reader) }
      let line: ScriptLine
      do throws(ScriptError) {
        guard let next = try reader.next(atEnd: atEnd) else { return }
        line = next
      } catch {
        try takeHeld()
        let number = reader.number
        try reader.withLine { try taker.refuse($0, error, number: number) }
        continue
      }
      if holdsSteps {
        if case .nothing = line { continue }
        if line.role != .beforeStep { try takeHeld() }
        if held == nil && line.role == .step {
          hold(line)
          continue
        }
      }
      let (number, seq) = (reader.number, reader.seq)
      try reader.withLine { try taker.take(line, $0, number: number, seq: seq) }
    }
  }

  private mutating func hold(_ line: ScriptLine) {
    var bytes: [UInt8] = []
    reader.withLine { bytes.append($0) }
    held = HeldLine(content: line, bytes: bytes, number: reader.number, seq: reader.seq)
  }

  private mutating func takeHeld() throws {
    guard let line = held else { return }
    held = nil
    guard !taker.isInterrupted else { return }
    try taker.take(line.content, line.bytes.span, number: line.number, seq: line.seq)
  }
}

extension Failure {
  /// - Parameter source: the name of the script or pipe.
  fileprivate init(_ failure: LineFailure, _ source: String, _ secrets: Secrets) {
    if let error = failure.error as? ScriptError {
      self.init(
        .usage,
        error.report(
          source: source, number: failure.number, line: failure.line.span, secrets: secrets))
      return
    }
    self.init(failure.error)
    // An error in a flow has a location of its own, in the file that has to be changed.
    guard !(failure.error is FlowError) else { return }
    switch outcome {
    case .usage, .notLoaded, .brokenPlugin:
      self.init(outcome, "\(source):\(failure.number): \(message)")
    case .success, .failed, .nothingToTest, .nondeterministic, .internalError, .outputLost,
      .signal:
      break
    }
  }
}
