import Basics

/// The host's end of a worker: exchanges of frames, within limits of time, until it dies.
final class WorkerLink {
  /// The SHA-256 of the library as it was loaded; empty before.
  var digest = ""
  /// What the worker loads, until it is hashed.
  var image: SealedImage?
  /// What confines the worker.
  var report: ConfinementReport
  let process: any WorkerProcess
  /// The library's file, if the worker loads that and not the snapshot.
  let place: Place?
  let sandbox: Sandbox
  private var channel: WorkerChannel
  private let window: SharedBuffer
  let limits: StepLimits
  /// Time that never jumps.
  let clock: () -> Nanoseconds
  private var printed: WorkerPrintout
  /// What the worker is at.
  private var exchange: Exchange?
  private var exchanges: UInt32 = 0
  /// How the worker ended, once it has.
  private(set) var ending: String?
  /// What the plugin did to end it, if that is what happened.
  private(set) var failure: PluginFailure?
  private var hasAskedForBacktrace = false
  /// What else may end the wait for the worker, and whether it did.
  private let interruption: Interruption?
  private var isInterrupted = false

  /// An exchange that has begun: a frame was sent, and its answer was not waited for yet.
  private struct Exchange {
    /// The answer must name it.
    let number: UInt32
    let steps: Range<Int>
    var check: EmissionValidator
    /// When the worker must have answered, or have finished a step.
    var deadline: Nanoseconds
    /// Why there will be no answer, in words.
    var failure: String?
  }

  /// A library that has to stay the file that it is.
  struct Place {
    let path: String
    let identity: FileIdentity
  }

  /// - Parameters:
  ///   - process: what is at the other end of its socket, and sees `memory` too.
  ///   - maxLines: of what the plugin prints, more is not shown.
  init(
    _ process: any WorkerProcess, memory: consuming SharedMemory,
    image: consuming SealedImage? = nil, place: Place? = nil, limits: StepLimits, sandbox: Sandbox,
    clock: @escaping () -> Nanoseconds = SystemClock.monotonic,
    maxLines: Int = WorkerPrintout.maxLines, interruption: Interruption? = nil,
    printed: @escaping (String) -> Void
  ) throws(SystemError) {
    self.interruption = interruption
    self.process = process
    self.image = image
    self.place = place
    self.limits = limits
    self.sandbox = sandbox
    self.clock = clock
    report = process.report
    window = SharedBuffer(memory)
    channel = WorkerChannel(number: process.socketNumber)
    // What a plugin prints must not crowd out a backtrace, which goes to standard error.
    self.printed = WorkerPrintout(
      descriptors: process.printNumbers,
      silenced: sandbox.backtracer != nil ? process.printNumbers.first : nil,
      maxLines: maxLines, line: printed)
    // The socket too: a worker that doesn't read must not stop the host.
    for number in process.printNumbers + [process.socketNumber] {
      try Descriptor.setNonBlocking(number)
    }
  }

  // MARK: Exchanges

  /// Shows what was printed so far as a line, though it has no end yet.
  func endPrintedLines() { printed.endLines() }

  /// Whether an exchange has begun that `finish` was not called for.
  var isUnderWay: Bool { exchange != nil }

  /// Begins to deliver events from `first` on, as many as go at once.
  func deliver(_ events: borrowing EventBatch, from first: Int) {
    guard ending == nil else { return }
    let end = window.deliver(events, from: first)
    guard end == first, first < events.count else {
      var payload: [UInt8] = []
      ByteWriter.append(UInt32(first), to: &payload)
      ByteWriter.append(UInt32(end - first), to: &payload)
      return begin(.deliver, payload, steps: first..<end)
    }
    var payload: [UInt8] = []
    ByteWriter.append(UInt32(first), to: &payload)
    unsafe events.withMemory(of: first..<first + 1) { record, bytes in
      unsafe payload.append(contentsOf: record)
      unsafe payload.append(contentsOf: bytes)
    }
    begin(.deliverOne, payload, steps: first..<first + 1)
  }

  /// Begins an exchange: sends a frame, and doesn't wait for the answer.
  ///
  /// - Parameter steps: the steps that the frame asks for.
  func begin(_ kind: WorkerMessage.Kind, _ payload: [UInt8], steps: Range<Int>) {
    guard ending == nil else { return }
    exchanges &+= 1
    let deadline = clock() + limits.time
    var failure: String?
    do throws(SystemError) {
      if try channel.hasStrayBytes() { failure = Self.nonsense }
    } catch { failure = end() }
    window.begin()
    if failure == nil {
      var bytes = WorkerMessage.header(kind, count: payload.count + 4)
      ByteWriter.append(exchanges, to: &bytes)
      bytes += payload
      failure = send(bytes.span, by: deadline, limit: limits.time)
    }
    exchange = Exchange(
      number: exchanges, steps: steps, check: EmissionValidator(steps: steps, limits: limits),
      deadline: deadline, failure: failure)
  }

  /// Takes in what the plugin emitted in the exchange that has begun, once the worker says that it
  /// is done.
  ///
  /// If the worker doesn't get there, `emissions` ends with a `death`, after all that the finished
  /// steps emitted.
  ///
  /// - Parameter doing: the instance that a step is about, and words for what the plugin is at in
  ///   it.
  /// - Returns: the first step that the worker has not made; nil if it ended in an exchange before.
  func finish(
    into emissions: inout EventBatch, doing: (Int) -> (instance: Int32, words: String)
  ) -> Int? {
    guard var exchange else { return nil }
    self.exchange = nil
    if let failure = exchange.failure {
      return fail(failure, in: &exchange, doing, into: &emissions)
    }
    let limit = Wait(
      until: exchange.deadline, limit: limits.time, steps: exchange.steps.count,
      longest: ExchangeEnd.maxPayload(limits))
    switch wait(limit) {
    case .frame(let frame):
      let (count, start) = (emissions.count, emissions.bytes.count)
      if let next = take(frame, of: &exchange, into: &emissions) { return next }
      emissions.truncate(toRecords: count, bytes: start)
      return fail(Self.nonsense, in: &exchange, doing, into: &emissions, survives: false)
    case .failure(let words):
      return fail(words, in: &exchange, doing, into: &emissions)
    }
  }

  /// Has the worker play a transcript. It is killed if it takes long, for the host can't see what
  /// it is at.
  ///
  /// - Returns: nil if the worker ended.
  func play(_ transcript: [UInt8]) -> WorkerVerdict? {
    begin(.play, transcript, steps: 0..<0)
    guard var exchange else { return nil }
    self.exchange = nil
    var words = exchange.failure
    if words == nil {
      let patience = min(limits.time, WorkerVerdict.patience)
      switch wait(Wait(until: clock() + patience, limit: patience, longest: WorkerVerdict.size)) {
      case .failure(let failure): words = failure
      case .frame(let frame):
        if frame.kind == .played,
          let verdict = WorkerVerdict(frame.payload.span, exchange: exchange.number)
        {
          return verdict
        }
        words = Self.nonsense
      }
    }
    var scrap = EventBatch()
    _ = fail(
      words ?? Self.nonsense, in: &exchange, { _ in (0, "it played a transcript") }, into: &scrap,
      survives: false)
    return nil
  }

  /// Takes in the answer; nil if it is nonsense.
  private func take(
    _ frame: WorkerMessage, of exchange: inout Exchange, into emissions: inout EventBatch
  ) -> Int? {
    let payload = frame.payload
    let (count, start) = (emissions.count, emissions.bytes.count)
    guard frame.kind == .done, let end = ExchangeEnd(payload.span),
      end.number == exchange.number, window.takeEmitted(into: &emissions),
      exchange.check.check(&emissions, from: count, start),
      end.records.isEmpty && end.content.isEmpty
        || exchange.check.take(
          records: payload.span.extracting(end.records),
          content: payload.span.extracting(end.content), into: &emissions),
      exchange.check.isDone(before: end.next)
    else { return nil }
    return end.next
  }

  /// - Parameter survives: whether what finished steps emitted counts.
  private func fail(
    _ words: String, in exchange: inout Exchange,
    _ doing: (Int) -> (instance: Int32, words: String), into emissions: inout EventBatch,
    survives: Bool = true
  ) -> Int {
    process.kill()
    // What it shares with the host changes until it has ended; and nobody else may reap it.
    _ = process.end(within: Self.endLimit)
    var step = exchange.steps.lowerBound
    let (count, start) = (emissions.count, emissions.bytes.count)
    // Both may be lies.
    if survives, window.takeEmitted(into: &emissions),
      exchange.check.check(&emissions, from: count, start)
    {
      step += min(window.finishedSteps, exchange.steps.count)
    }
    step = max(min(step, exchange.steps.upperBound - 1), exchange.steps.lowerBound)
    let (instance, activity) = doing(step)
    let sentence = "\(words) while \(activity)"
    ending = sentence
    emissions.appendDeath(sentence, instance: instance, step: Int32(clamping: step))
    return exchange.steps.upperBound
  }

  // MARK: Frames

  private static let nonsense = "broke the protocol of workers"

  enum Answer {
    case frame(WorkerMessage)
    /// It ended, hangs, or talks nonsense; in words.
    case failure(String)
  }

  /// For how long to wait, and for what.
  struct Wait {
    var until: Nanoseconds
    /// How much more time each finished step gives.
    var limit: Nanoseconds
    /// How many steps can give it.
    var steps = 0
    var longest: Int
  }

  /// Sends bytes, while taking in what the plugin prints: it may be stuck with that.
  ///
  /// - Returns: why that was not possible, in words.
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
    var deadline = wait.until
    var steps = 0
    // It may have come, and have been read, before there was anything to wait for.
    if interruption?.hasCome() == true { interrupt(&deadline) }
    while true {
      let prints = printed.interests
      let interruptions = isInterrupted ? [] : interruption?.interests() ?? []
      var interests = [Descriptor.Interest(channel.number)] + prints + interruptions
      do throws(SystemError) {
        // Whoever was busy with other things for too long looks before it judges.
        try Descriptor.wait(
          for: &interests, timeout: max(deadline - clock(), 0))
        printed.take(interests[1..<(1 + prints.count)])
        if interests[(prints.count + 1)...].contains(where: \.isReady),
          interruption?.hasCome() == true
        {
          interrupt(&deadline)
        }
        if hasAskedForBacktrace && printed.hasBacktrace {
          // A process that was interrupted goes on hanging.
          deadline = min(deadline, clock() + Self.endLimit)
        }
        if interests[0].isReady {
          switch try channel.receive(limit: wait.longest) {
          case .frame(let frame): return .frame(frame)
          case .nothing: break
          case .garbage: return .failure(Self.nonsense)
          case .end: return .failure(end())
          }
        }
      } catch {
        return .failure(end())
      }
      // Time is counted for each step, but not for more steps than there are.
      let finished = min(window.finishedSteps, wait.steps)
      let now = clock()
      if finished > steps && !isInterrupted {
        steps = finished
        deadline = now + wait.limit
      }
      guard now >= deadline else { continue }
      guard !isInterrupted else { return .failure(interrupted()) }
      guard let backtracer = sandbox.backtracer, !hasAskedForBacktrace else {
        return .failure(hang(after: wait.limit))
      }
      hasAskedForBacktrace = true
      // Elsewhere it may be at work already: what takes long is a crash.
      if backtracer.interruptsHangs { process.requestBacktrace() }
      deadline = now + Backtracer.patience
    }
  }

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
    return "hangs: it did not come back within \(TimeSpan.text(limit))"
  }

  /// What the worker did when it ended, in words.
  private func end() -> String {
    printed.drain()
    let end = process.end(within: Self.endLimit)
    // It may have had something to say until its very end.
    printed.drain()
    guard let end else {
      process.kill()
      return "closed its connection to vmhost"
    }
    if case .killed = end { failure = .crash }
    return switch end {
    case .exited(let status): "ended its process (exit status \(status))"
    case .killed: "crashed with \(end)"
    case .unknown: "ended"
    }
  }

  /// How long a worker that hung up may take to end.
  private static let endLimit: Nanoseconds = 1_000_000_000
}
