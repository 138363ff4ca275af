/// The host's end of a worker: exchanges of frames, within limits of time, until it dies.
final class WorkerLink {
  /// How long the kernel and the linker may take to load a library.
  private static let loadLimit: Nanoseconds = 30_000_000_000

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
  private var incoming: [UInt8] = []
  /// How the worker ended, once it has.
  private var ending: String?

  init(
    path: String, limits: StepLimits, sandbox: Sandbox, printed: @escaping (String) -> Void
  ) throws(SystemError) {
    self.limits = limits
    self.sandbox = sandbox
    let place = try Files.absolute(path)
    identity = try FileIdentity(of: place)
    let image = try SealedImage(copying: place)
    let memory = try SharedMemory(count: SharedWindow.size)
    let needs = ConfinedProcess.Command.needs(of: place, sandbox)
    self.place = needs.dependOnPlace ? place : nil
    process = try ConfinedProcess(
      ConfinedProcess.Command(
        loading: needs.files + (needs.dependOnPlace ? [place] : []), sandbox),
      image: image, memory: memory)
    report = process.report
    // The worker starts meanwhile.
    digest = try image.digest()
    window = SharedWindow(memory)
    channel = WorkerChannel(number: process.socket.number)
    for descriptor in [process.output.number, process.errors.number] {
      try Descriptor.setNonBlocking(descriptor)
    }
    self.printed = WorkerPrintout(
      descriptors: [process.output.number, process.errors.number], line: printed)
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
      send(WorkerFrame(.load, payload))
      switch wait(limit: Self.loadLimit) {
      case .frame(let frame) where frame.kind == .loaded:
        let size = ConfinementReport.encodedSize
        guard frame.payload.count >= size else { throw .words("its worker broke the protocol") }
        try adopt(Array(frame.payload[..<size]), .afterLoading)
        if let place, (try? FileIdentity(of: place)) != identity {
          throw .words("it changed while it was loaded: try again")
        }
        return Array(frame.payload[size...])
      case .frame(let frame) where frame.kind == .refused:
        throw .refusal(String(repairing: frame.payload.span))
      case .frame: throw .words("its worker broke the protocol")
      case .failure(let words): throw .death("it \(words) while it was loaded")
      }
    } catch {
      process.kill()
      switch error {
      case .words(let words): throw PluginLoadError(name, .worker("\(words)."))
      case .refusal(let text): throw PluginLoadError(name, .worker(text))
      case .death(let words):
        throw PluginLoadError(name, .died("\(words).\(recentLines.appendix)"))
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
    switch wait(limit: Self.loadLimit) {
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

  /// Takes over what the worker says of its confinement, and checks it from outside.
  private func adopt(
    _ bytes: [UInt8], _ stage: ConfinementVerification.Stage
  ) throws(LoadFailure) {
    guard let worker = ConfinementReport(encoded: bytes.span) else {
      throw .words("its worker broke the protocol")
    }
    report.adopt(worker)
    do throws(ConfinementError) {
      try ConfinementVerification.verify(
        process.identifier, sandbox.confinement, report, stage)
      if sandbox.mode == .strict { try report.requireAll(stage) }
    } catch { throw .refusal(error.description) }
  }

  // MARK: Exchanges

  /// Sends a frame and takes in what the plugin emits, until the worker says that it is done.
  ///
  /// If the worker doesn't get there, `emissions` ends with a `death`, after all that the finished
  /// steps emitted.
  ///
  /// - Parameters:
  ///   - steps: how many steps the frame asks for.
  ///   - doing: the instance that a step is about, and words for what the plugin is at in it.
  /// - Returns: how many steps the worker has made.
  func exchange(
    _ frame: WorkerFrame, steps: Int, into emissions: inout EventBatch,
    doing: (Int) -> (instance: Int32, words: String)
  ) -> Int {
    guard ending == nil else { return steps }
    incoming.removeAll(keepingCapacity: true)
    send(frame)
    while true {
      switch wait(limit: limits.time) {
      case .frame(let frame) where frame.kind == .window:
        guard take(SharedWindow.capacity, into: &emissions) else {
          return fail("sent events that are none", 0, doing, into: &emissions, steps)
        }
        send(WorkerFrame(.drained))
      case .frame(let frame) where frame.kind == .done:
        var reader = ByteReader()
        guard let consumed: UInt32 = reader.read(frame.payload.span), consumed <= steps,
          take(window.finishedBytes, into: &emissions), incoming.isEmpty
        else { return fail("sent events that are none", 0, doing, into: &emissions, steps) }
        return Int(consumed)
      case .frame:
        return fail("broke the protocol of workers", 0, doing, into: &emissions, steps)
      case .failure(let words):
        _ = take(window.finishedBytes, into: &emissions)
        return fail(words, window.finishedSteps, doing, into: &emissions, steps)
      }
    }
  }

  private func take(_ count: Int, into emissions: inout EventBatch) -> Bool {
    window.copy(count, to: &incoming)
    let bytes = incoming
    guard
      let used = EventStream.read(
        bytes.span, into: &emissions, longestValue: limits.bytes,
        isAllowed: { $0.isEmission || $0 == .refusal || $0 == .violation })
    else { return false }
    incoming.removeSubrange(..<used)
    return true
  }

  private func fail(
    _ words: String, _ finished: Int, _ doing: (Int) -> (instance: Int32, words: String),
    into emissions: inout EventBatch, _ steps: Int
  ) -> Int {
    process.kill()
    ending = words
    // The worker's count may be a lie.
    let step = min(finished, max(steps - 1, 0))
    let (instance, activity) = doing(step)
    emissions.appendDeath(
      "\(words) while \(activity)", instance: instance, step: Int32(clamping: step))
    return steps
  }

  // MARK: Frames

  private enum Answer {
    case frame(WorkerFrame)
    /// It ended, hangs, or talks nonsense; in words.
    case failure(String)
  }

  private func send(_ frame: WorkerFrame) {
    // A worker that is gone shows when its answer is waited for.
    _ = try? channel.send(frame)
  }

  private func wait(limit: Nanoseconds) -> Answer {
    var deadline = SystemClock.monotonic() + limit
    var steps = window.finishedSteps
    while true {
      var interests = [Descriptor.Interest(channel.number)] + printed.interests
      let left = deadline - SystemClock.monotonic()
      guard left > 0 else {
        process.kill()
        printed.drain()
        return .failure("hangs: it did not come back within \(TimeSpan.text(limit))")
      }
      do throws(SystemError) {
        try Descriptor.wait(for: &interests, timeout: left)
        printed.take(interests.dropFirst())
        if interests[0].isReady {
          switch try channel.receive() {
          case .frame(let frame): return .frame(frame)
          case .nothing: break
          case .garbage: return .failure("broke the protocol of workers")
          case .end: return .failure(end())
          }
        }
      } catch {
        return .failure(end())
      }
      // Time is counted for each step.
      if window.finishedSteps != steps {
        steps = window.finishedSteps
        deadline = SystemClock.monotonic() + limit
      }
    }
  }

  /// What the worker did when it ended, in words.
  private func end() -> String {
    printed.drain()
    let end = process.finish(within: Self.endLimit)
    return switch end {
    case .exited(let status): "ended its process (exit status \(status))"
    case .killed: "crashed with \(end)"
    case .unknown: "ended"
    }
  }

  /// How long a worker that hung up may take to end.
  private static let endLimit: Nanoseconds = 1_000_000_000
}
