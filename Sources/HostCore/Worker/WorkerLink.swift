import Basics

/// The host's end of the connection to a worker: exchanges of messages with time limits, until the
/// worker ends.
final class WorkerLink {
  /// The SHA-256 of the loaded library; empty before it is loaded.
  var digest = ""
  /// The image that the worker loads; nil in a replay for a backtrace.
  var image: SealedImage?
  /// The state of the worker's confinement.
  var report: ConfinementReport
  /// The layers that were asked for and aren't on.
  var missingLayers: [ConfinementLayer] { report.missing(of: sandbox.confinement.layers) }
  let process: any WorkerProcess
  /// The library's own file, if the worker loads it instead of the snapshot.
  let originalFile: OriginalFile?
  /// The paths of the libraries of the Swift runtime that the library needs.
  let runtime: [String]
  let sandbox: Sandbox
  /// What decides whether the library may be loaded; nil if any may.
  let gate: Gate?
  private var channel: WorkerChannel
  let sharedBuffer: SharedBuffer
  let limits: StepLimits
  /// A clock that never jumps.
  let clock: () -> Nanoseconds
  private var printed: WorkerPrintout
  /// The current exchange.
  var exchange: Exchange?
  private var exchanges: UInt32 = 0
  /// Waits for answers; nil if the host always sleeps meanwhile.
  private var awakeWait: AwakeWait?
  /// A description of how the worker ended, or nil while it runs.
  private(set) var ending: String?
  /// How the plugin failed, if that ended the worker.
  private(set) var failure: PluginFailure?
  /// How the process ended, if the host has seen it.
  private var processEnd: ProcessEnd?
  private var hasAskedForBacktrace = false
  /// What else may end the wait for the worker.
  private let interruption: Interruption?
  private var isInterrupted = false
  /// How long worker and host have waited for a processor, when that was last looked up.
  private var processorWait: (time: Nanoseconds, waited: ProcessorWait)
  /// How much of the time of all exchanges was not the plugin's own, since the machine was busy.
  private(set) var waitedTime: Nanoseconds = 0
  /// The steps of the last exchange that took long.
  private(set) var longSteps: [(step: Int, time: Nanoseconds)] = []
  /// The plugin's own bytes about instances that live on, unchecked, from the last exchange that
  /// asked for them.
  private(set) var leaks: [UInt8] = []

  /// An exchange that has begun: the message was sent, and the answer is still due.
  struct Exchange {
    /// The number of the exchange, which the answer must repeat.
    let number: UInt32
    /// What the worker answers with.
    let answer: WorkerMessage.Kind
    let steps: Range<Int>
    var check: EmissionValidator
    /// The time by which the worker must have answered or finished a step.
    var deadline: Nanoseconds
    /// When the worker had the message, or nearly all of it.
    let start: Nanoseconds
    /// A description of why there will be no answer.
    var failure: String?
  }

  /// - Parameters:
  ///   - process: the worker's process, which also has `memory` mapped.
  ///   - maxLines: the number of printed lines to show.
  init(
    _ process: any WorkerProcess, memory: consuming SharedMemory,
    image: consuming SealedImage? = nil, originalFile: OriginalFile? = nil, runtime: [String] = [],
    limits: StepLimits, sandbox: Sandbox,
    clock: @escaping () -> Nanoseconds = SystemClock.monotonic,
    maxLines: Int = WorkerPrintout.maxLines, interruption: Interruption? = nil, gate: Gate? = nil
  ) throws(SystemError) {
    self.interruption = interruption
    self.gate = gate
    self.process = process
    self.image = image
    self.originalFile = originalFile
    self.runtime = runtime
    self.limits = limits
    self.sandbox = sandbox
    self.clock = clock
    report = process.report
    awakeWait = sandbox.waitsAwake && Processors.available > 1 ? AwakeWait() : nil
    processorWait = (clock(), process.processorWait())
    sharedBuffer = SharedBuffer(memory)
    channel = WorkerChannel(number: process.socketNumber)
    // A plugin's prints must not crowd out a backtrace, which goes to standard error.
    printed = WorkerPrintout(
      descriptors: process.printNumbers,
      silenced: sandbox.backtracer != nil ? process.printNumbers.first : nil, maxLines: maxLines)
    // The socket is nonblocking too, since a worker that doesn't read must not stop the host.
    for number in process.printNumbers + [process.socketNumber] {
      try Descriptor.setNonBlocking(number)
    }
  }

  // MARK: Exchanges

  /// Shows prints that don't end in a newline yet as lines.
  func endPrintedLines() { printed.endLines() }

  /// Returns the lines that the plugin has printed since the last call. After an exchange these are
  /// all that it printed in it.
  func takePrinted() -> [String] { printed.takeLines() }

  /// Begins to count printed lines anew, for another session.
  func resetPrintLimits() { printed.resetLimits() }

  /// Whether an exchange has begun and `finish` wasn't called for it yet.
  var isUnderWay: Bool { exchange != nil }

  /// Begins to deliver events from `first` on, as many as fit into one exchange.
  ///
  /// - Parameter use: what the session's step has used up before.
  func deliver(_ events: borrowing EventBatch, from first: Int, after use: StepUse) {
    guard ending == nil else { return }
    let end = sharedBuffer.deliver(events, from: first)
    guard end == first, first < events.count else {
      var payload: [UInt8] = []
      ByteWriter.append(use, to: &payload)
      ByteWriter.append(UInt32(first), to: &payload)
      ByteWriter.append(UInt32(end - first), to: &payload)
      return begin(.deliver, payload, steps: first..<end, after: use)
    }
    var payload: [UInt8] = []
    ByteWriter.append(use, to: &payload)
    ByteWriter.append(UInt32(first), to: &payload)
    unsafe events.withMemory(of: first..<first + 1) { record, bytes in
      unsafe payload.append(contentsOf: record)
      unsafe payload.append(contentsOf: bytes)
    }
    begin(.deliverOne, payload, steps: first..<first + 1, after: use)
  }

  /// Begins an exchange: sends a message and doesn't wait for the answer.
  ///
  /// - Parameters:
  ///   - steps: the steps that the message asks for.
  ///   - use: what the session's step has used up before.
  func begin(
    _ kind: WorkerMessage.Kind, _ payload: [UInt8], steps: Range<Int>,
    after use: StepUse = StepUse()
  ) {
    guard ending == nil else { return }
    exchanges &+= 1
    let start = clock()
    if start - processorWait.time >= StepWatch.firstLook {
      processorWait = (start, process.processorWait())
    }
    let deadline = start + max(limits.time - use.time, 0)
    var failure: String?
    do throws(SystemError) {
      if try channel.hasStrayBytes() { failure = Self.protocolError }
    } catch { failure = end() }
    sharedBuffer.begin()
    if failure == nil {
      var bytes = WorkerMessage.header(kind, count: payload.count + 4)
      ByteWriter.append(exchanges, to: &bytes)
      // Another copy of a large payload would cost more than another system call.
      let isLarge = payload.count > Self.maxCopied
      if !isLarge { bytes += payload }
      failure = send(bytes.span, by: deadline, limit: limits.time)
      if isLarge && failure == nil {
        failure = send(payload.span, by: deadline, limit: limits.time)
      }
      if awakeWait != nil { sharedBuffer.announce(exchanges) }
    }
    exchange = Exchange(
      number: exchanges, answer: kind == .destroy || kind == .leaks ? .leaked : .done, steps: steps,
      check: EmissionValidator(steps: steps, limits: limits, after: use), deadline: deadline,
      start: clock(), failure: failure)
  }

  /// Waits for the end of the current exchange, and appends what the plugin emitted in it.
  ///
  /// If the worker doesn't finish, `emissions` ends with a `death`, after the emissions of the
  /// finished steps.
  ///
  /// - Parameter doing: returns the instance of a step, and what the plugin does in it as the end
  ///   of a sentence.
  /// - Returns: the first step that the worker has not made, or nil if it ended in an earlier
  ///   exchange.
  func finish(
    into emissions: inout EventBatch, doing: (Int) -> (instance: Int32, activity: String)
  ) -> Int? {
    guard var exchange else { return nil }
    self.exchange = nil
    if let failure = exchange.failure {
      return fail(failure, in: &exchange, doing, into: &emissions)
    }
    let limit = Wait(
      until: exchange.deadline, limit: limits.time, steps: exchange.steps.count,
      maxPayload: exchange.answer == .leaked ? Self.maxLeaks : ExchangeEnd.maxPayload(limits))
    var watch: StepWatch? = StepWatch(
      of: exchange.steps.count, from: exchange.start, waited: processorWait.waited.worker, process)
    let first = exchange.steps.lowerBound
    longSteps = []
    awakeWait?.wait { sharedBuffer.isAnswered(exchange.number) }
    let answer = wait(limit, watching: &watch)
    let time = clock() - exchange.start
    if time >= StepWatch.firstLook {
      let waited = process.processorWait().sum - processorWait.waited.sum
      waitedTime += min(waited, time - time / (1 + StepLimits.mostWaiting))
    }
    switch answer {
    case .message(let message):
      let (count, start) = (emissions.count, emissions.bytes.count)
      if let next = take(message, of: &exchange, into: &emissions) {
        longSteps = watch.map { $0.long.map { (first + $0.step, $0.time) } } ?? []
        return next
      }
      emissions.truncate(toRecords: count, bytes: start)
      return fail(Self.protocolError, in: &exchange, doing, into: &emissions, survives: false)
    case .failure(let text):
      return fail(text, in: &exchange, doing, into: &emissions)
    }
  }

  private static let maxLeaks = 4 + 1 << 16

  /// Validates the answer and appends its emissions. Returns nil if it is invalid.
  private func take(
    _ message: WorkerMessage, of exchange: inout Exchange, into emissions: inout EventBatch
  ) -> Int? {
    let payload = message.payload
    guard message.kind == exchange.answer else { return nil }
    if message.kind == .leaked {
      var reader = ByteReader()
      let number: UInt32? = reader.read(payload.span)
      guard number == exchange.number else { return nil }
      leaks = Array(payload[reader.offset...])
      return exchange.steps.lowerBound
    }
    let (count, start) = (emissions.count, emissions.bytes.count)
    guard let end = ExchangeEnd(payload.span),
      end.number == exchange.number, sharedBuffer.takeEmitted(into: &emissions),
      exchange.check.check(&emissions, from: count, start),
      end.records.isEmpty && end.content.isEmpty
        || exchange.check.take(
          records: payload.span.extracting(end.records),
          content: payload.span.extracting(end.content), into: &emissions),
      exchange.check.isDone(before: end.next)
    else { return nil }
    return end.next
  }

  /// Kills the worker and appends a `death`.
  ///
  /// - Parameter survives: whether to keep the emissions of finished steps.
  func fail(
    _ failureText: String, in exchange: inout Exchange,
    _ doing: (Int) -> (instance: Int32, activity: String), into emissions: inout EventBatch,
    survives: Bool = true
  ) -> Int {
    process.kill()
    // The shared buffer may change until the process has ended, and nobody else may reap it.
    _ = process.end(within: Self.endLimit)
    printed.drain()
    printed.endLines()
    var step = exchange.steps.lowerBound
    let (count, start) = (emissions.count, emissions.bytes.count)
    // The worker may have forged the emissions and the number of steps.
    if survives, sharedBuffer.takeEmitted(into: &emissions),
      exchange.check.check(&emissions, from: count, start)
    {
      step += min(sharedBuffer.finishedSteps, exchange.steps.count)
    }
    step = max(min(step, exchange.steps.upperBound - 1), exchange.steps.lowerBound)
    let (instance, activity) = doing(step)
    let sentence = self.sentence(failureText, while: activity)
    ending = sentence
    emissions.appendDeath(sentence, instance: instance, step: Int32(clamping: step))
    return exchange.steps.upperBound
  }

  /// The sentence about the end of the worker: what the host has seen, and what the worker has
  /// said about it.
  func sentence(_ failureText: String, while activity: String) -> String {
    let plain = "\(failureText) while \(activity)"
    // A backtrace comes in the same lines.
    guard sandbox.backtracer == nil, failure != nil || processEnd != nil,
      let words = printed.takeLastWords()
    else { return plain }
    switch words {
    case .report(let text) where processEnd?.isTrap == true:
      return "was stopped while \(activity): \(text)"
    case .report(let text): return "\(plain): \(text)"
    case .fatalError(let text) where processEnd?.isTrap == true:
      return "crashed while \(activity): \(text)"
    case .fatalError(let text): return "\(plain): \(text)"
    }
  }

  // MARK: Messages

  /// The longest payload that is copied behind the header of its message.
  private static let maxCopied = 1 << 16

  static let protocolError = "broke the worker protocol"

  enum Answer {
    case message(WorkerMessage)
    /// The worker ended, hangs, or broke the protocol. The text says which, as in "crashed".
    case failure(String)
  }

  /// The limits of a wait for an answer.
  struct Wait {
    var until: Nanoseconds
    /// The time from a finished step to the next one.
    var limit: Nanoseconds
    /// The number of steps that can extend the wait.
    var steps = 0
    /// The longest valid payload of the answer.
    var maxPayload: Int
  }

  /// Sends bytes, and meanwhile reads the plugin's prints, which may block the plugin.
  ///
  /// - Returns: a description of the failure, or nil.
  func send(
    _ bytes: Span<UInt8>, by deadline: Nanoseconds, limit: Nanoseconds
  ) -> String? {
    var sent = 0
    do throws(SystemError) {
      while sent < bytes.count {
        if let count = try Descriptor.sendSome(
          channel.number, bytes.extracting(sent..<bytes.count))
        {
          sent += count
          continue
        }
        let left = deadline - clock()
        guard left > 0 else { return hang(after: limit) }
        var interests =
          [Descriptor.Interest(channel.number, reading: false, writing: true)] + printed.interests
        try Descriptor.wait(for: &interests, timeout: left)
        printed.take(interests.dropFirst())
      }
    } catch { return end() }
    return nil
  }

  func wait(_ wait: Wait) -> Answer {
    var watch: StepWatch?
    return self.wait(wait, watching: &watch)
  }

  private func wait(_ wait: Wait, watching watch: inout StepWatch?) -> Answer {
    var deadline = wait.until
    var steps = 0
    var waited = processorWait.waited.sum
    // Worker and host may wait at the same time, which counts twice.
    var lastDeadline = deadline + StepLimits.mostWaiting * wait.limit
    // The interruption may have been read before this wait.
    if interruption?.hasCome() == true { interrupt(&deadline) }
    while true {
      let before = clock()
      let prints = printed.interests
      let interruptions = isInterrupted ? [] : interruption?.interests() ?? []
      var interests = [Descriptor.Interest(channel.number)] + prints + interruptions
      do throws(SystemError) {
        // Even after the deadline this checks once, since the host may have been busy itself. The
        // socket is checked first: what was printed before the answer was sent is there, too.
        try Descriptor.wait(
          for: &interests, timeout: max(min(deadline, watch?.next ?? deadline) - before, 0))
        printed.take(interests[1..<(1 + prints.count)])
        if interests[(prints.count + 1)...].contains(where: \.isReady),
          interruption?.hasCome() == true
        {
          interrupt(&deadline)
        }
        if hasAskedForBacktrace && printed.hasBacktrace {
          // The process hangs again after its backtrace.
          deadline = min(deadline, clock() + Self.endLimit)
        }
        if interests[0].isReady {
          watch?.end(at: clock())
          switch try channel.receive(limit: wait.maxPayload) {
          case .message(let message): return .message(message)
          case .nothing: break
          case .garbage: return .failure(Self.protocolError)
          case .end: return .failure(end())
          }
        }
      } catch {
        return .failure(end())
      }
      watch?.look(
        at: before, finished: min(sharedBuffer.finishedSteps, wait.steps), clock)
      // Each finished step extends the deadline, but the worker can't claim more steps than there
      // are.
      let finished = min(sharedBuffer.finishedSteps, wait.steps)
      let now = clock()
      if finished > steps && !isInterrupted {
        steps = finished
        deadline = now + wait.limit
        lastDeadline = deadline + StepLimits.mostWaiting * wait.limit
      }
      guard now >= deadline else { continue }
      guard !isInterrupted else { return .failure(interrupted()) }
      let more = process.processorWait().sum - waited
      if more >= wait.limit / Self.leastWait && now < lastDeadline {
        waited += more
        deadline = min(now + more, lastDeadline)
        continue
      }
      guard let backtracer = sandbox.backtracer, !hasAskedForBacktrace else {
        return .failure(hang(after: wait.limit))
      }
      hasAskedForBacktrace = true
      // Otherwise the plugin has crashed, and the backtracer may be running already.
      if backtracer.interruptsHangs { process.requestBacktrace() }
      deadline = now + Backtracer.timeLimit
    }
  }

  /// A worker gets more time if it has waited for a processor for this part of its time.
  private static let leastWait: Nanoseconds = 20

  private func interrupt(_ deadline: inout Nanoseconds) {
    isInterrupted = true
    deadline = min(deadline, clock() + Interruption.grace)
  }

  private func interrupted() -> String {
    process.kill()
    printed.drain()
    return "was still busy"
  }

  private func hang(after limit: Nanoseconds) -> String {
    failure = .hang
    process.kill()
    printed.drain()
    return "hangs: it did not return within \(TimeSpan.text(limit))"
  }

  /// Describes how the worker ended.
  private func end() -> String {
    printed.drain()
    let end = process.end(within: Self.endLimit)
    // It may have printed until its end.
    printed.drain()
    guard let end else {
      process.kill()
      return "closed its connection to vmhost"
    }
    if case .killed = end { failure = .crash }
    processEnd = end
    return switch end {
    case .exited(let status): "ended its process (exit status \(status))"
    case .killed: "crashed with \(end)"
    case .unknown: "ended"
    }
  }

  /// The time for a worker to end after it has closed its connection.
  private static let endLimit: Nanoseconds = 1_000_000_000
}
