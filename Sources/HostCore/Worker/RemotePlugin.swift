/// A plugin in a worker process. Nothing from the worker is trusted until it is validated.
package final class RemotePlugin: PluginConnection {
  package let manifest: PluginManifest
  package let recentLines = RecentLines()
  package let slowSteps = SlowSteps()
  package var digest: String? { link.digest }
  package var missingLayers: [String] { link.missingLayers.map(\.rawValue) }
  package let isIsolated = true
  package var waitedTime: Nanoseconds { link.waitedTime }
  /// A description of how the worker ended, or nil while it runs.
  package var ending: String? { link.ending }
  /// How the plugin failed, if the worker ended because it crashed or hung.
  package var failure: PluginFailure? { link.failure }
  private let link: WorkerLink
  /// How it was loaded; nil if it was loaded by a worker that somebody else had started.
  private var origin: Origin?
  private var viewModels: [Int32: ViewModelManifest] = [:]
  /// How many instances were opened since the plugin was last asked for its leaks.
  private var opened: [String: Int] = [:]
  /// Whether the last exchange asked for the leaks, too.
  private var hasAskedForLeaks = false
  /// The lines that it printed while it was loaded.
  private let loadingLines: [String]
  /// Those of them that the session hasn't got yet.
  private var newLoadingLines: [String]

  private struct Origin {
    let path: String
    let name: String
    let limits: StepLimits
    let sandbox: Sandbox
    let lock: PluginLock?
    let interruption: Interruption?
  }

  /// Starts a worker and has it load a plugin.
  ///
  /// - Parameters:
  ///   - path: the library.
  ///   - name: the plugin as the user named it, for errors.
  ///   - lock: the libraries that may be loaded; nil for any.
  ///   - interruption: ends a busy plugin and the wait for it.
  /// - Throws: `PluginLoadError` if the library can't be read, the worker can't be started or
  ///   confined as asked, or the plugin doesn't load.
  package convenience init(
    path: String, name: String, limits: StepLimits = StepLimits(), sandbox: Sandbox = Sandbox(),
    lock: PluginLock? = nil, interruption: Interruption? = nil
  ) throws(PluginLoadError) {
    // The worker checks the rest of the library.
    _ = try LibraryFile.start(of: path, named: name, limit: 1)
    try self.init(
      Origin(
        path: path, name: name, limits: limits, sandbox: sandbox, lock: lock,
        interruption: interruption))
  }

  /// - Parameter other: a worker that has loaded the library. The new one loads the same.
  private convenience init(
    _ origin: Origin, sharingImageOf other: WorkerLink? = nil
  ) throws(PluginLoadError) {
    let link: WorkerLink
    do throws(SystemError) {
      link = try WorkerLink(
        path: origin.path, limits: origin.limits, sandbox: origin.sandbox, lock: origin.lock,
        interruption: origin.interruption, sharingImageOf: other)
    } catch {
      throw PluginLoadError(origin.name, .worker("its worker could not be started: \(error)."))
    }
    try self.init(link, name: origin.name)
    self.origin = origin
  }

  package func another() throws(PluginLoadError) -> (any PluginConnection)? {
    guard let origin else { return nil }
    return try RemotePlugin(origin, sharingImageOf: link)
  }

  /// Makes an existing worker load a plugin.
  ///
  /// - Parameters:
  ///   - memory: the memory of the shared buffer.
  ///   - clock: a clock that never jumps.
  /// - Throws: `PluginLoadError` if the worker can't be reached or isn't confined as asked, or the
  ///   plugin doesn't load.
  package convenience init(
    _ process: any WorkerProcess, memory: consuming SharedMemory, name: String,
    limits: StepLimits, sandbox: Sandbox, clock: @escaping () -> Nanoseconds
  ) throws(PluginLoadError) {
    let link: WorkerLink
    do throws(SystemError) {
      link = try WorkerLink(
        process, memory: memory, limits: limits, sandbox: sandbox, clock: clock)
    } catch {
      throw PluginLoadError(
        name,
        .worker(
          "vmhost could not communicate with its worker:"
            + " \(error)."))
    }
    try self.init(link, name: name)
  }

  private init(_ link: WorkerLink, name: String) throws(PluginLoadError) {
    self.link = link
    let (json, entry) = try link.load(name)
    loadingLines = link.takePrinted().map { LastWords.shown($0, while: "it was loaded") }
    newLoadingLines = loadingLines
    do throws(ManifestError) {
      manifest = try PluginManifest(json: json)
    } catch {
      throw PluginLoadError(name, error.reason, printed: loadingLines)
    }
    if let entry {
      try link.gate?.lock.check(manifest.id, is: entry, named: name, printed: loadingLines)
    }
    link.sandbox.missing?.add(link.missingLayers)
  }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    viewModels[number] = manifest.viewModel(specification.viewModel)
    hasAskedForLeaks = false
    opened[specification.viewModel, default: 0] += 1
    var payload: [UInt8] = []
    ByteWriter.append(use, to: &payload)
    ByteWriter.append(number, to: &payload)
    ByteWriter.append(text: specification.viewModel, to: &payload)
    ByteWriter.append(run: specification.config.span, to: &payload)
    ByteWriter.append(text: specification.locale, to: &payload)
    ByteWriter.append(text: specification.timeZone, to: &payload)
    ByteWriter.append(specification.seed, to: &payload)
    ByteWriter.append(specification.epoch, to: &payload)
    ByteWriter.append(specification.time, to: &payload)
    link.begin(.create, payload, steps: 0..<1, after: use)
    let activity = "it opened \(specification.viewModel)"
    _ = link.finish(into: &emissions) { _ in (number, activity) }
    if emissions.records.last?.isOf(.refusal) == true { viewModels[number] = nil }
    addPrinted(to: &emissions, step: 0, while: activity)
  }

  package func begin(_ events: borrowing EventBatch, from first: Int) -> Bool {
    link.deliver(events, from: first, after: StepUse())
    return true
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    if !link.isUnderWay { link.deliver(events, from: first, after: use) }
    let records = events.records
    let next =
      link.finish(into: &emissions) { step in
        let record = records[min(step, records.count - 1)]
        return (record.instance, self.activity(for: record))
      } ?? events.count
    let death = emissions.records.last.flatMap { $0.isOf(.death) ? $0.step : nil }
    for (step, time) in link.longSteps where records.indices.contains(step) {
      let record = records[step]
      guard let viewModel = viewModels[record.instance]?.id else { continue }
      slowSteps.add(SlowStep(record, name: events.name(of: record), of: viewModel, took: time))
    }
    let step = Int(death ?? Int32(clamping: next - 1))
    addPrinted(
      to: &emissions, step: Int32(clamping: step),
      while: activity(for: records[max(min(step, records.count - 1), 0)]))
    return next
  }

  /// Adds the lines that were printed in an exchange. They were printed in its last step, since a
  /// worker stops after such a step.
  private func addPrinted(
    to emissions: inout EventBatch, step: Int32, while activity: @autoclosure () -> String
  ) {
    let lines = link.takePrinted()
    guard !lines.isEmpty else { return }
    let position = emissions.records.firstIndex { $0.step >= step } ?? emissions.count
    var ordered = EventBatch()
    ordered.reserve(for: emissions)
    for index in 0..<position { ordered.append(emissions, at: index) }
    for line in lines {
      ordered.append(printed: LastWords.shown(line, while: activity()), step: step)
    }
    for index in position..<emissions.count { ordered.append(emissions, at: index) }
    emissions = ordered
  }

  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] {
    defer { opened = [:] }
    guard !opened.isEmpty, link.ending == nil else { return [] }
    if !hasAskedForLeaks {
      link.begin(.leaks, [], steps: 0..<0)
      _ = link.finish(into: &emissions) { _ in (0, "it was asked for its leaks") }
      guard link.ending == nil else { return [] }
    }
    let leaks = link.leaks
    return Leak.all(in: leaks.span, of: opened)
  }

  package func takePrinted() -> [String] {
    defer { newLoadingLines = [] }
    return newLoadingLines + link.takePrinted()
  }

  /// Forgets what was printed and logged in another session. What was printed while the plugin was
  /// loaded belongs to each session.
  func prepareForSession() {
    recentLines.removeAll()
    slowSteps.removeAll()
    newLoadingLines = loadingLines
  }

  /// What the plugin did with an event, as the end of a sentence.
  private func activity(for record: EventBatch.Record) -> String {
    guard record.isOf(.input) else { return "it handled a reply" }
    let inputs = viewModels[record.instance]?.inputs ?? []
    let index = Int(record.port)
    guard inputs.indices.contains(index) else { return "it handled an input" }
    let name = "it handled the input \"\(inputs[index].name)\""
    guard Set(viewModels.values.map(\.id)).count > 1, let viewModel = viewModels[record.instance]
    else { return name }
    return "\(name) of \(viewModel.id)"
  }

  /// Makes the worker play transcripts that use only this plugin, and compare the emissions of each
  /// step with its lines.
  ///
  /// - Returns: the verdicts on the first of them; fewer if these took long. If there is none, or
  ///   `ending` isn't nil, the worker ended in the next one. Then `failure` may say more.
  package func play(_ transcripts: [[UInt8]]) -> [WorkerVerdict] {
    defer {
      link.endPrintedLines()
      // If they matter, the host plays the transcript itself.
      _ = link.takePrinted()
      link.resetPrintLimits()
    }
    return link.play(transcripts)
  }

  package func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    let viewModel = viewModels.removeValue(forKey: number)?.id ?? "an instance"
    hasAskedForLeaks = isLast
    var payload: [UInt8] = []
    ByteWriter.append(number, to: &payload)
    ByteWriter.append(isLast ? 1 : 0 as UInt8, to: &payload)
    link.begin(.destroy, payload, steps: 0..<0)
    let activity = "it closed \(viewModel)"
    _ = link.finish(into: &emissions) { _ in (number, activity) }
    link.endPrintedLines()
    addPrinted(to: &emissions, step: 0, while: activity)
    // Whatever comes now is another session.
    if viewModels.isEmpty { link.resetPrintLimits() }
  }
}
