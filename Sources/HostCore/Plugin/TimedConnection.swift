/// A plugin whose steps are measured, which are made one by one for that.
package final class TimedConnection: PluginConnection {
  /// What a step was made for, and how long it took in real time.
  package struct Step: Sendable {
    package let viewModel: String
    package let event: String
    package let time: Nanoseconds
  }

  private let plugin: any PluginConnection
  private let didMeasure: (Step) -> Void
  private var viewModels: [Int32: String] = [:]

  /// - Parameter didMeasure: gets each step once it is made.
  package init(_ plugin: any PluginConnection, didMeasure: @escaping (Step) -> Void) {
    self.plugin = plugin
    self.didMeasure = didMeasure
  }

  package var manifest: PluginManifest { plugin.manifest }
  package var digest: String? { plugin.digest }
  package var missingLayers: [String] { plugin.missingLayers }
  package var isIsolated: Bool { plugin.isIsolated }
  package var waitedTime: Nanoseconds { plugin.waitedTime }
  package var recentLines: RecentLines { plugin.recentLines }
  package var slowSteps: SlowSteps { plugin.slowSteps }
  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] {
    plugin.takeLeaks(into: &emissions)
  }
  package func takePrinted() -> [String] { plugin.takePrinted() }

  package func another() throws(PluginLoadError) -> (any PluginConnection)? {
    try plugin.another().map { TimedConnection($0, didMeasure: didMeasure) }
  }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    viewModels[number] = specification.viewModel
    measure(specification.viewModel, "(opening)") {
      plugin.create(specification, as: number, after: use, into: &emissions)
    }
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    var one = EventBatch()
    one.append(events, at: first)
    let record = events.records[first]
    let name = events.name(of: record)
    measure(
      viewModels[record.instance] ?? "", record.isOf(.input) ? name : "(reply to \(name))"
    ) {
      _ = plugin.deliver(one, from: 0, after: use, into: &emissions)
    }
    emissions.setStep(Int32(clamping: first))
    return first + 1
  }

  package func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    measure(viewModels.removeValue(forKey: number) ?? "", "(closing)") {
      plugin.destroy(number, isLast: isLast, into: &emissions)
    }
  }

  private func measure(_ viewModel: String, _ event: String, _ body: () -> Void) {
    let start = SystemClock.monotonic()
    body()
    didMeasure(Step(viewModel: viewModel, event: event, time: SystemClock.monotonic() - start))
  }
}
