/// The host's end of a worker: exchanges of frames, within limits of time, until it dies.
final class WorkerLink {
  /// How long our own program may take to start and to confine itself.
  private static let startLimit: Nanoseconds = 30_000_000_000
  /// A manifest has its own limit; the rest of what is said while loading is small.
  private static let longestManifest = (1 << 24) + (1 << 16)

  /// The SHA-256 of the library as it was loaded.
  let digest: String
  /// What confines the worker.
  private(set) var report: ConfinementReport
  private let process: ConfinedProcess
  /// The library's file, if the worker loads that and not the snapshot; and which file it was.
  private let place: String?
  private let identity: FileIdentity
  private let sandbox: Sandbox
  private var channel: WorkerChannel
  private let window: SharedWindow
  private let limits: StepLimits
  private var printed: WorkerPrintout
  /// What the worker is at.
  private var exchange: Exchange?
  private var exchanges: UInt32 = 0
  /// How the worker ended, once it has.
  private(set) var ending: String?
  /// What the plugin did to end it, if that is what happened.
  private(set) var failure: RemotePlugin.Failure?
  private var hasAskedForBacktrace = false

  /// An exchange that has begun: a frame was sent, and its answer was not waited for yet.
  private struct Exchange {
    /// The answer must name it.
    let number: UInt32
    let steps: Range<Int>
    var check: EmissionCheck
    /// When the worker must have answered, or have finished a step.
    var deadline: Nanoseconds
    /// Why there will be no answer, in words.
    var failure: String?
  }

  init(
    path: String, limits: StepLimits, sandbox: Sandbox, printed: @escaping (String) -> Void
  ) throws(SystemError) {
    self.limits = limits
    self.sandbox = sandbox
    let place = try Files.absolute(path)
    identity = try FileIdentity(of: place)
    let library = try FileDescriptor.openForReading(place)
    let isReplay = sandbox.backtracer != nil
    var image = isReplay ? try SealedImage(exposing: place) : try SealedImage()
    let memory = try SharedMemory(count: SharedWindow.size)
    let needs = ConfinedProcess.Command.needs(of: place, sandbox)
    self.place = needs.dependOnPlace ? place : nil
    process = try ConfinedProcess(
      ConfinedProcess.Command(
        loading: needs.files + (needs.dependOnPlace ? [place] : []), sandbox),
      image: image, memory: memory)
    report = process.report
    // The worker starts meanwhile, and is told to load it later.
    if !isReplay { try image.fill(from: library) }
    digest = image.digest
    window = SharedWindow(memory)
    channel = WorkerChannel(number: process.socket.number)
    // The socket too: a worker that doesn't read must not stop the host.
    let numbers = [process.output.number, process.errors.number, process.socket.number]
    for descriptor in numbers {
      try Descriptor.setNonBlocking(descriptor)
    }
    // What a plugin prints must not crowd out the backtrace, which goes to standard error.
    self.printed = WorkerPrintout(
      descriptors: [process.output.number, process.errors.number],
      silenced: isReplay ? process.output.number : nil,
      mostLines: isReplay ? .max : WorkerPrintout.mostLines, line: printed)
  }

  // MARK: Loading

  /// - Parameter recentLines: what the plugin printed; it is said if the plugin ends meanwhile.
  /// - Returns: the manifest, as the plugin gave it.
  func load(_ name: String, _ recentLines: RecentLines) throws(PluginLoadError) -> [UInt8] {
    var payload: [UInt8] = []
    ByteWriter.append(text: name, to: &payload)
    ByteWriter.append(text: place ?? "", to: &payload)
    ByteWriter.append(UInt64(limits.events), to: &payload)
    ByteWriter.append(UInt64(limits.bytes), to: &payload)
    ByteWriter.append(limits.time, to: &payload)
    do throws(LoadFailure) {
      let greeting = try self.greeting()
      try adopt(greeting, .beforeLoading)
      let deadline = SystemClock.monotonic() + limits.loadTime
      if let words = send(
        WorkerFrame(.load, payload).bytes.span, by: deadline, limit: limits.loadTime)
      {
        throw .death("it \(words) while it was loaded")
      }
      switch wait(loading(until: deadline, limit: limits.loadTime)) {
      case .frame(let frame) where frame.kind == .loaded:
        let size = ConfinementReport.encodedSize
        guard frame.payload.count >= size else { throw .words("its worker broke the protocol") }
        try adopt(Array(frame.payload[..<size]), .afterLoading)
        if let place, (try? FileIdentity(of: place)) != identity {
          throw .words("it changed while it was loaded: try again")
        }
        return Array(frame.payload[size...])
      case .frame(let frame) where frame.kind == .refused:
        // In the worker's words, which may be the plugin's.
        guard (1...Self.longestRefusal).contains(frame.payload.count) else {
          throw .words("its worker broke the protocol")
        }
        let words = String(repairing: frame.payload.span).legible
        throw .refusal(words.split(separator: "\n").joined(separator: " "))
      case .frame: throw .words("its worker broke the protocol")
      case .failure(let words): throw .death("it \(words) while it was loaded")
      }
    } catch {
      process.kill()
      switch error {
      case .words(let words): throw PluginLoadError(name, .worker("\(words)."))
      case .refusal(let text): throw PluginLoadError(name, .worker(text))
      case .death(let words):
        let text = "\(words).\(recentLines.appendix)"
        throw PluginLoadError(name, .workerEnded(text, failure, digest: digest))
      }
    }
  }

  private enum LoadFailure: Error {
    case words(String)
    /// The plugin would not load, in the worker's own sentences.
    case refusal(String)
    /// The plugin crashed, hangs or ended the process.
    case death(String)
  }

  /// Waits for the worker to say that it is there.
  ///
  /// - Returns: its report, as it came.
  private func greeting() throws(LoadFailure) -> [UInt8] {
    let deadline = SystemClock.monotonic() + Self.startLimit
    switch wait(loading(until: deadline, limit: Self.startLimit)) {
    case .frame(let frame) where frame.kind == .ready:
      var reader = ByteReader()
      guard let version: UInt32 = reader.read(frame.payload.span),
        version == WorkerFrame.version
      else { throw .words("its worker is of another version of vmhost") }
      return Array(frame.payload[4...])
    case .frame: throw .words("its worker broke the protocol")
    case .failure(let words): throw .words("its worker \(words) before it was loaded")
    }
  }

  private func loading(until deadline: Nanoseconds, limit: Nanoseconds) -> Wait {
    Wait(until: deadline, limit: limit, longest: Self.longestManifest)
  }

  /// Takes over what the worker says of its confinement, and checks it from outside.
  private func adopt(
    _ bytes: [UInt8], _ stage: ConfinementVerification.Stage
  ) throws(LoadFailure) {
    guard let worker = ConfinementReport(encoded: bytes.span) else {
      throw .words("its worker broke the protocol")
    }
    let earlier = report
    report.adopt(worker)
    do throws(ConfinementError) {
      try ConfinementVerification.verify(
        process.identifier, sandbox.confinement, report, stage)
      if stage == .afterLoading {
        try report.requireNoLess(than: earlier, wanted: sandbox.confinement.layers)
      }
      if sandbox.mode == .strict { try report.requireAll(stage) }
    } catch { throw .refusal(error.description) }
  }

  // MARK: Exchanges

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
  func begin(_ kind: WorkerFrame.Kind, _ payload: [UInt8], steps: Range<Int>) {
    guard ending == nil else { return }
    exchanges &+= 1
    let deadline = SystemClock.monotonic() + limits.time
    var failure: String?
    do throws(SystemError) {
      if try channel.hasStrayBytes() { failure = Self.nonsense }
    } catch { failure = end() }
    window.begin()
    if failure == nil {
      var bytes = WorkerFrame.header(kind, count: payload.count + 4)
      ByteWriter.append(exchanges, to: &bytes)
      bytes += payload
      failure = send(bytes.span, by: deadline, limit: limits.time)
    }
    exchange = Exchange(
      number: exchanges, steps: steps, check: EmissionCheck(steps: steps, limits: limits),
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
      longest: ExchangeEnd.largestPayload(limits))
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

  /// Takes in the answer; nil if it is nonsense.
  private func take(
    _ frame: WorkerFrame, of exchange: inout Exchange, into emissions: inout EventBatch
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
    var step = exchange.steps.lowerBound
    let (count, start) = (emissions.count, emissions.bytes.count)
    // Both may be lies.
    if survives, window.takeEmitted(into: &emissions),
      exchange.check.check(&emissions, from: count, start)
    {
      step += window.finishedSteps
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

  private enum Answer {
    case frame(WorkerFrame)
    /// It ended, hangs, or talks nonsense; in words.
    case failure(String)
  }

  /// For how long to wait, and for what.
  private struct Wait {
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
  private func send(
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
        let left = deadline - SystemClock.monotonic()
        guard left > 0 else { return hang(after: limit) }
        var interests =
          [Descriptor.Interest(channel.number, reading: false, writing: true)] + printed.interests
        try Descriptor.wait(for: &interests, timeout: left)
        printed.take(interests.dropFirst())
      }
    } catch { return end() }
    return nil
  }

  private func wait(_ wait: Wait) -> Answer {
    var deadline = wait.until
    var steps = 0
    while true {
      var interests = [Descriptor.Interest(channel.number)] + printed.interests
      do throws(SystemError) {
        // Whoever was busy with other things for too long looks before it judges.
        try Descriptor.wait(
          for: &interests, timeout: max(deadline - SystemClock.monotonic(), 0))
        printed.take(interests.dropFirst())
        if hasAskedForBacktrace && printed.hasBacktrace {
          // A process that was interrupted goes on hanging.
          deadline = min(deadline, SystemClock.monotonic() + Self.endLimit)
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
      let now = SystemClock.monotonic()
      if finished > steps {
        steps = finished
        deadline = now + wait.limit
      }
      guard now >= deadline else { continue }
      guard let backtracer = sandbox.backtracer, !hasAskedForBacktrace else {
        return .failure(hang(after: wait.limit))
      }
      hasAskedForBacktrace = true
      // Elsewhere it may be at work already: what takes long is a crash.
      if backtracer.interruptsHangs { process.requestBacktrace() }
      deadline = now + Backtracer.patience
    }
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

  /// More is not the reason why a library doesn't load.
  private static let longestRefusal = 1 << 16

  /// How long a worker that hung up may take to end.
  private static let endLimit: Nanoseconds = 1_000_000_000
}
