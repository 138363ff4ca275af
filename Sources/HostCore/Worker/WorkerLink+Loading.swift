import Basics

extension WorkerLink {
  /// How long our own program may take to start and to confine itself.
  private static let startLimit: Nanoseconds = 30_000_000_000
  /// A manifest has its own limit; the rest of what is said while loading is small.
  private static let maxManifest = (1 << 24) + (1 << 16)
  /// More is not the reason why a library doesn't load.
  private static let maxRefusal = 1 << 16

  /// Starts a worker for the library at `path`.
  convenience init(
    path: String, limits: StepLimits, sandbox: Sandbox, interruption: Interruption?,
    printed: @escaping (String) -> Void
  ) throws(SystemError) {
    let place = try Files.absolute(path)
    let identity = try FileIdentity(of: place)
    let library = try FileDescriptor.openForReading(place)
    let isReplay = sandbox.backtracer != nil
    var image = isReplay ? try SealedImage(exposing: place) : try SealedImage()
    let memory = try SharedMemory(count: SharedBuffer.size)
    let needs = ConfinedProcess.Command.needs(of: place, sandbox)
    let process = try ConfinedProcess(
      ConfinedProcess.Command(
        loading: needs.files + (needs.dependOnPath ? [place] : []), sandbox),
      image: image, memory: memory)
    // The worker starts meanwhile, and is told to load it later.
    // The file itself, which is what a replay exposes, isn't hashed.
    let snapshot: SealedImage?
    if isReplay {
      snapshot = nil
    } else {
      try image.fill(from: library)
      snapshot = consume image
    }
    try self.init(
      process, memory: memory, image: snapshot,
      place: needs.dependOnPath ? Place(path: place, identity: identity) : nil,
      limits: limits, sandbox: sandbox,
      // What a plugin prints must not crowd out the backtrace behind it.
      maxLines: isReplay ? .max : WorkerPrintout.maxLines,
      interruption: interruption, printed: printed)
  }

  /// - Parameter recentLines: what the plugin printed; it is said if the plugin ends meanwhile.
  /// - Returns: the manifest, as the plugin gave it.
  func load(_ name: String, _ recentLines: RecentLines) throws(PluginLoadError) -> [UInt8] {
    var payload: [UInt8] = []
    ByteWriter.append(text: name, to: &payload)
    ByteWriter.append(text: place?.path ?? "", to: &payload)
    ByteWriter.append(UInt64(limits.events), to: &payload)
    ByteWriter.append(UInt64(limits.bytes), to: &payload)
    ByteWriter.append(limits.time, to: &payload)
    do throws(LoadFailure) {
      let greeting = try self.greeting()
      try adopt(greeting, .beforeLoading)
      let deadline = clock() + limits.loadTime
      let words = send(
        WorkerMessage(.load, payload).bytes.span, by: deadline, limit: limits.loadTime)
      try hashImage()
      if let words { throw .death("it \(words) while it was loaded") }
      switch wait(loading(until: deadline, limit: limits.loadTime)) {
      case .frame(let frame) where frame.kind == .loaded:
        let size = ConfinementReport.encodedSize
        guard frame.payload.count >= size else { throw .words("its worker broke the protocol") }
        try adopt(Array(frame.payload[..<size]), .afterLoading)
        if let place, (try? FileIdentity(of: place.path)) != place.identity {
          throw .words("it changed while it was loaded: try again")
        }
        return Array(frame.payload[size...])
      case .frame(let frame) where frame.kind == .refused:
        // In the worker's words, which may be the plugin's.
        guard (1...Self.maxRefusal).contains(frame.payload.count) else {
          throw .words("its worker broke the protocol")
        }
        let words = String(repairing: frame.payload.span).terminalSafe
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
        let text = "\(words).\(recentLines.appendix())"
        throw PluginLoadError(name, .workerEnded(text, failure, digest: digest))
      }
    }
  }

  /// Computes what the worker loads, while it loads that.
  private func hashImage() throws(LoadFailure) {
    guard let image = image.take() else { return }
    do throws(SystemError) {
      digest = try image.digest()
    } catch { throw .words("its copy can't be read: \(error.reason)") }
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
    let deadline = clock() + Self.startLimit
    switch wait(loading(until: deadline, limit: Self.startLimit)) {
    case .frame(let frame) where frame.kind == .ready:
      var reader = ByteReader()
      guard let version: UInt32 = reader.read(frame.payload.span),
        version == WorkerMessage.version
      else { throw .words("its worker is of another version of vmhost") }
      return Array(frame.payload[4...])
    case .frame: throw .words("its worker broke the protocol")
    case .failure(let words): throw .words("its worker \(words) before it was loaded")
    }
  }

  private func loading(until deadline: Nanoseconds, limit: Nanoseconds) -> Wait {
    Wait(until: deadline, limit: limit, longest: Self.maxManifest)
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
      try process.verify(sandbox.confinement, report, stage)
      if stage == .afterLoading {
        try report.requireNoLess(than: earlier, wanted: sandbox.confinement.layers)
      }
      if sandbox.mode == .strict { try report.requireAll(stage, of: sandbox.confinement.layers) }
    } catch { throw .refusal(error.description) }
  }
}
