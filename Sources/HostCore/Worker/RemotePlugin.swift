/// A plugin in a worker process. What comes from there is taken for a lie until it is checked.
package final class RemotePlugin: PluginConnection {
  package let manifest: PluginManifest
  package let recentLines: RecentLines
  package var digest: String? { link.digest }
  private let link: WorkerLink
  private let limits: StepLimits
  private var viewModels: [Int32: ViewModelManifest] = [:]

  /// Starts a worker and has it load a plugin.
  ///
  /// - Parameters:
  ///   - path: the library.
  ///   - name: the plugin as the user named it, for errors.
  ///   - printed: called with each line that the plugin prints.
  package init(
    path: String, name: String, limits: StepLimits = StepLimits(), sandbox: Sandbox = Sandbox(),
    printed: @escaping (String) -> Void
  ) throws(PluginLoadError) {
    self.limits = limits
    // The rest of the library is for the worker to look at.
    _ = try LibraryFile.start(of: path, named: name, limit: 1)
    let recentLines = RecentLines()
    self.recentLines = recentLines
    do throws(SystemError) {
      link = try WorkerLink(path: path, limits: limits, sandbox: sandbox) { line in
        recentLines.append("printed", line)
        printed(line)
      }
    } catch {
      throw PluginLoadError(name, .worker("its worker could not be started: \(error)."))
    }
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
    _ = link.exchange(WorkerFrame(.create, payload), steps: 1, into: &emissions) { _ in
      (number, "it opened \(specification.viewModel)")
    }
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, into emissions: inout EventBatch
  ) -> Int {
    var payload: [UInt8] = []
    payload.reserveCapacity(events.bytes.count + events.count * EventStream.headerSize)
    for record in events.records[first...] {
      EventStream.append(record, of: events, to: &payload)
    }
    let records = events.records
    let names = { (index: Int) -> (Int32, String) in
      let record = records[min(first + index, records.count - 1)]
      return (record.instance, self.words(for: record))
    }
    let before = emissions.count
    let consumed = link.exchange(
      WorkerFrame(.deliver, payload), steps: events.count - first, into: &emissions,
      doing: names)
    // The worker counts steps from the start of what it was sent.
    if first > 0 { emissions.shiftSteps(by: Int32(first), from: before) }
    return first + consumed
  }

  private func words(for record: EventBatch.Record) -> String {
    guard record.kind == .input else { return "it handled a reply" }
    let inputs = viewModels[record.instance]?.inputs ?? []
    let index = Int(record.port)
    return inputs.indices.contains(index)
      ? "it handled the input \"\(inputs[index].name)\"" : "it handled an input"
  }

  package func destroy(_ number: Int32) {
    viewModels[number] = nil
    var payload: [UInt8] = []
    ByteWriter.append(number, to: &payload)
    var emissions = EventBatch()
    _ = link.exchange(WorkerFrame(.destroy, payload), steps: 0, into: &emissions) { _ in
      (number, "it ended an instance")
    }
  }
}
