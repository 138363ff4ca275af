/// A plugin in a worker process. Nothing from the worker is trusted until it is validated.
package final class RemotePlugin: PluginConnection {
  package let manifest: PluginManifest
  package let recentLines: RecentLines
  package var digest: String? { link.digest }
  /// A description of how the worker ended, or nil while it runs.
  package var ending: String? { link.ending }
  /// How the plugin failed, if the worker ended because it crashed or hung.
  package var failure: PluginFailure? { link.failure }
  private let link: WorkerLink
  private var viewModels: [Int32: ViewModelManifest] = [:]

  /// Starts a worker and has it load a plugin.
  ///
  /// - Parameters:
  ///   - path: the library.
  ///   - name: the plugin as the user named it, for errors.
  ///   - interruption: ends a busy plugin and the wait for it.
  ///   - printed: called with each line that the plugin prints.
  /// - Throws: `PluginLoadError` if the library can't be read, the worker can't be started or
  ///   confined as asked, or the plugin doesn't load.
  package convenience init(
    path: String, name: String, limits: StepLimits = StepLimits(), sandbox: Sandbox = Sandbox(),
    interruption: Interruption? = nil, printed: @escaping (String) -> Void
  ) throws(PluginLoadError) {
    // The worker checks the rest of the library.
    _ = try LibraryFile.start(of: path, named: name, limit: 1)
    let recentLines = RecentLines()
    let link: WorkerLink
    do throws(SystemError) {
      link = try WorkerLink(
        path: path, limits: limits, sandbox: sandbox, interruption: interruption
      ) { line in
        recentLines.append("printed", line)
        printed(line)
      }
    } catch {
      throw PluginLoadError(name, .worker("its worker could not be started: \(error)."))
    }
    try self.init(link, name: name, recentLines)
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
    limits: StepLimits, sandbox: Sandbox, clock: @escaping () -> Nanoseconds,
    printed: @escaping (String) -> Void
  ) throws(PluginLoadError) {
    let recentLines = RecentLines()
    let link: WorkerLink
    do throws(SystemError) {
      link = try WorkerLink(
        process, memory: memory, limits: limits, sandbox: sandbox, clock: clock
      ) { line in
        recentLines.append("printed", line)
        printed(line)
      }
    } catch {
      throw PluginLoadError(name, .worker("its worker could not be talked to: \(error)."))
    }
    try self.init(link, name: name, recentLines)
  }

  private init(
    _ link: WorkerLink, name: String, _ recentLines: RecentLines
  ) throws(PluginLoadError) {
    self.link = link
    self.recentLines = recentLines
    let json = try link.load(name, recentLines)
    do throws(ManifestError) {
      manifest = try PluginManifest(json: json)
    } catch {
      throw PluginLoadError(name, .badManifest(error.description))
    }
  }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, into emissions: inout EventBatch
  ) {
    viewModels[number] = manifest.viewModel(specification.viewModel)
    var payload: [UInt8] = []
    ByteWriter.append(number, to: &payload)
    ByteWriter.append(text: specification.viewModel, to: &payload)
    ByteWriter.append(run: specification.config.span, to: &payload)
    ByteWriter.append(text: specification.locale, to: &payload)
    ByteWriter.append(text: specification.timeZone, to: &payload)
    ByteWriter.append(specification.seed, to: &payload)
    ByteWriter.append(specification.epoch, to: &payload)
    ByteWriter.append(specification.time, to: &payload)
    link.begin(.create, payload, steps: 0..<1)
    _ = link.finish(into: &emissions) { _ in (number, "it opened \(specification.viewModel)") }
  }

  package func begin(_ events: borrowing EventBatch, from first: Int) -> Bool {
    link.deliver(events, from: first)
    return true
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, into emissions: inout EventBatch
  ) -> Int {
    if !link.isUnderWay { link.deliver(events, from: first) }
    let records = events.records
    return link.finish(into: &emissions) { step in
      let record = records[min(step, records.count - 1)]
      return (record.instance, self.activity(for: record))
    } ?? events.count
  }

  /// What the plugin did with an event, as the end of a sentence.
  private func activity(for record: EventBatch.Record) -> String {
    guard record.isOf(.input) else { return "it handled a reply" }
    let inputs = viewModels[record.instance]?.inputs ?? []
    let index = Int(record.port)
    return inputs.indices.contains(index)
      ? "it handled the input \"\(inputs[index].name)\"" : "it handled an input"
  }

  /// Makes the worker play a transcript that uses only this plugin, and compare the emissions of
  /// each step with its lines.
  ///
  /// - Returns: the verdict, or nil if the worker ended. Then `failure` may say more.
  package func play(_ transcript: [UInt8]) -> WorkerVerdict? {
    defer { link.endPrintedLines() }
    return link.play(transcript)
  }

  package func destroy(_ number: Int32, into emissions: inout EventBatch) {
    let viewModel = viewModels.removeValue(forKey: number)?.id ?? "an instance"
    var payload: [UInt8] = []
    ByteWriter.append(number, to: &payload)
    link.begin(.destroy, payload, steps: 0..<0)
    _ = link.finish(into: &emissions) { _ in (number, "it closed \(viewModel)") }
    link.endPrintedLines()
  }
}
