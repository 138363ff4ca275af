import Basics
import Glibc

extension WorkerLink {
  /// A lock, and the library that it has to allow.
  struct Gate {
    let lock: PluginLock
    let path: String
  }

  /// A library's file, which must not change while it is loaded.
  struct OriginalFile {
    let path: String
    let identity: FileIdentity
  }

  /// The time limit for our own program to start and to confine itself.
  private static let startLimit: Nanoseconds = 30_000_000_000
  /// The longest message while loading. A manifest has its own limit, and the rest is small.
  private static let maxManifest = (1 << 24) + (1 << 16)
  /// The longest reason why a library doesn't load.
  private static let maxRefusal = 1 << 16

  /// Starts a worker for the library at `path`.
  ///
  /// - Parameter other: a worker that has loaded the library. The new one loads the same, even if
  ///   the file has changed since.
  convenience init(
    path: String, limits: StepLimits, sandbox: Sandbox, lock: PluginLock?,
    interruption: Interruption?, sharingImageOf other: WorkerLink? = nil
  ) throws(SystemError) {
    let path = try Files.absolute(path)
    let identity = try FileIdentity(of: path)
    let library = try FileDescriptor.openForReading(path)
    let isReplay = sandbox.backtracer != nil
    if let original = other?.originalFile, original.identity != identity {
      throw SystemError("open", number: ESTALE, detail: "its file has changed since")
    }
    let shared = try other?.image?.another()
    let isFilled = shared != nil
    let command = ConfinedProcess.Command(sandbox)
    let worker: StartedWorker
    if let shared {
      worker = try StartedWorker(command, image: shared)
    } else if isReplay {
      worker = try StartedWorker(
        command, image: SealedImage(exposing: path), separatesErrors: true)
    } else if let standby = sandbox.standby?.take(command) {
      worker = standby
    } else {
      worker = try StartedWorker(command, image: SealedImage())
    }
    let process = worker.process
    let memory = worker.memory
    var image = worker.image
    let needs = ConfinedProcess.Command.needs(of: path, sandbox)
    let confinement = ConfinedProcess.Command.confinement(
      loading: needs.files + (needs.dependOnPath ? [path] : []), sandbox)
    process.send(confinement)
    // The worker starts while the image is filled, and is told to load it later. A replay exposes
    // the file itself, which isn't hashed.
    let snapshot: SealedImage?
    if isReplay {
      snapshot = nil
    } else {
      if !isFilled { try image.fill(from: library) }
      snapshot = consume image
    }
    try self.init(
      process, memory: memory, image: snapshot,
      originalFile: needs.dependOnPath ? OriginalFile(path: path, identity: identity) : nil,
      runtime: RuntimeLibraries.needed(
        by: path, installed: sandbox.installation.swiftRuntime, needs: needs),
      limits: limits, sandbox: sandbox,
      // A plugin's prints must not crowd out the backtrace after them.
      maxLines: isReplay ? .max : WorkerPrintout.maxLines,
      interruption: interruption, gate: lock.map { Gate(lock: $0, path: path) })
  }

  /// Makes the worker load the plugin.
  ///
  /// - Returns: the manifest as the plugin gave it, unchecked, and the lock's entry for the
  ///   library.
  /// - Throws: `PluginLoadError` if the worker isn't confined as asked, breaks the protocol or
  ///   ends, or the plugin doesn't load in time.
  func load(
    _ name: String
  ) throws(PluginLoadError) -> (manifest: [UInt8], entry: PluginLock.Entry?) {
    var payload: [UInt8] = []
    ByteWriter.append(text: name, to: &payload)
    ByteWriter.append(text: originalFile?.path ?? "", to: &payload)
    for limit in StepLimit.allCases { ByteWriter.append(UInt64(limits[limit]), to: &payload) }
    ByteWriter.append(limits.time, to: &payload)
    for library in runtime { ByteWriter.append(text: library, to: &payload) }
    do throws(LoadFailure) {
      let greeting = try self.greeting()
      try adopt(greeting, .beforeLoading)
      let admission = try admit(name)
      let deadline = clock() + limits.loadTime
      let failureText = send(
        WorkerMessage(.load, payload).bytes.span, by: deadline, limit: limits.loadTime)
      try hashImage()
      if let failureText { throw .death("it " + sentence(failureText, while: "it was loaded")) }
      switch wait(loading(until: deadline, limit: limits.loadTime)) {
      case .message(let message) where message.kind == .loaded:
        let size = ConfinementReport.encodedSize
        guard message.payload.count >= size else { throw .worker("its worker broke the protocol") }
        try adopt(Array(message.payload[..<size]), .afterLoading)
        if let originalFile, (try? FileIdentity(of: originalFile.path)) != originalFile.identity {
          throw .worker(Self.changed)
        }
        try verify(admission, name)
        return (Array(message.payload[size...]), admission?.entry)
      case .message(let message) where message.kind == .refused:
        // This is the worker's own text, which the plugin may have forged.
        guard (1...Self.maxRefusal).contains(message.payload.count) else {
          throw .worker("its worker broke the protocol")
        }
        let text = String(repairing: message.payload.span).terminalSafe
        throw .refusal(text.split(separator: "\n").joined(separator: " "))
      case .message: throw .worker("its worker broke the protocol")
      case .failure(let text): throw .death("it " + sentence(text, while: "it was loaded"))
      }
    } catch {
      process.kill()
      let printed = takePrinted()
      throw PluginLoadError(name, reason(for: error, printed), printed: printed)
    }
  }

  private func reason(
    for failure: LoadFailure, _ printed: [String]
  ) -> PluginLoadError.Reason {
    switch failure {
    case .error(let error): return error.reason
    case .worker(let text): return .worker("\(text).")
    case .refusal(let text): return .worker(text)
    case .death(let text):
      let lines = RecentLines()
      for line in printed { lines.append("printed", line) }
      return .workerEnded("\(text).\(lines.appendix())", self.failure, digest: digest)
    }
  }

  /// Computes the digest of the library while the worker loads it.
  private func hashImage() throws(LoadFailure) {
    do throws(SystemError) {
      digest = try image?.digest() ?? ""
    } catch {
      throw .worker(error.number == ESTALE ? Self.changed : "it can't be read: \(error.reason)")
    }
  }

  private static let changed = "it changed while it was loaded: try again"

  private typealias Admission = (
    entry: PluginLock.Entry, hashes: LibraryHashes, ownFiles: Set<PathKey>
  )

  /// Has the lock decide, before any code of the library runs. Returns nil without a lock.
  private func admit(_ name: String) throws(LoadFailure) -> Admission? {
    guard let gate else { return nil }
    try hashImage()
    do throws(PluginLoadError) {
      let hashes = try LibraryHashes(
        of: gate.path, named: name, digest: digest.isEmpty ? nil : digest,
        installation: sandbox.installation)
      let entry = try gate.lock.entry(for: hashes, at: gate.path, named: name)
      return (entry, hashes, try codeFiles(name))
    } catch { throw .error(error) }
  }

  /// Throws if something else than what the lock has was loaded.
  private func verify(_ admission: Admission?, _ name: String) throws(LoadFailure) {
    guard let admission else { return }
    do throws(PluginLoadError) {
      try admission.hashes.requireUnchanged()
      try admission.hashes.requireOnly(try codeFiles(name), besides: admission.ownFiles)
    } catch { throw .error(error) }
  }

  private func codeFiles(_ name: String) throws(PluginLoadError) -> Set<PathKey> {
    do throws(SystemError) { return try process.codeFiles() } catch {
      throw PluginLoadError(
        name, .locked("the list of what it has loaded can't be read: \(error.reason)."))
    }
  }

  private enum LoadFailure: Error {
    /// The library may not be loaded.
    case error(PluginLoadError)
    /// The worker failed: a sentence without its period.
    case worker(String)
    /// The plugin could not be loaded: the worker's own text.
    case refusal(String)
    /// The plugin crashed, hangs or ended the process: a sentence without its period.
    case death(String)
  }

  /// Waits for the worker's first message.
  ///
  /// - Returns: the bytes of its report, unchecked.
  private func greeting() throws(LoadFailure) -> [UInt8] {
    let deadline = clock() + Self.startLimit
    switch wait(loading(until: deadline, limit: Self.startLimit)) {
    case .message(let message) where message.kind == .ready:
      var reader = ByteReader()
      guard let version: UInt32 = reader.read(message.payload.span),
        version == WorkerMessage.version
      else { throw .worker("its worker is of another version of vmhost") }
      return Array(message.payload[4...])
    case .message: throw .worker("its worker broke the protocol")
    case .failure(let text): throw .worker("its worker \(text) before it was loaded")
    }
  }

  private func loading(until deadline: Nanoseconds, limit: Nanoseconds) -> Wait {
    Wait(until: deadline, limit: limit, maxPayload: Self.maxManifest)
  }

  /// Adopts the worker's report on its confinement, and verifies it from outside.
  private func adopt(
    _ bytes: [UInt8], _ stage: ConfinementVerification.Stage
  ) throws(LoadFailure) {
    guard let worker = ConfinementReport(encoded: bytes.span) else {
      throw .worker("its worker broke the protocol")
    }
    let earlier = report
    report.adopt(worker)
    do throws(ConfinementError) {
      try process.verify(sandbox.confinement, report, stage)
      if stage == .afterLoading {
        try report.requireNoLess(than: earlier, wanted: sandbox.confinement.layers)
      }
      try report.require(sandbox.mode, stage)
    } catch { throw .refusal(error.description) }
  }
}
