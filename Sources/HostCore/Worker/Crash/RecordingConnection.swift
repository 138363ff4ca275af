/// A call to a plugin, recorded for a replay.
package enum PluginCall: Sendable {
  case create(InstanceSpecification, number: Int32)
  case deliver(EventBatch)
  case destroy(Int32)

  /// The number of events that the call counts as.
  var count: Int { if case .deliver(let events) = self { events.count } else { 1 } }
}

/// A plugin in a worker, with a record of all calls to it. The record grows with the session.
package final class RecordingConnection: PluginConnection {
  package let plugin: RemotePlugin
  /// The calls in order, including the event at which the plugin crashed or hung.
  package private(set) var calls: [PluginCall] = []

  package init(_ plugin: RemotePlugin) { self.plugin = plugin }

  package var manifest: PluginManifest { plugin.manifest }
  package var digest: String? { plugin.digest }
  package var missingLayers: [String] { plugin.missingLayers }
  package var waitedTime: Nanoseconds { plugin.waitedTime }
  package var recentLines: RecentLines { plugin.recentLines }
  package var slowSteps: SlowSteps { plugin.slowSteps }

  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] {
    plugin.takeLeaks(into: &emissions)
  }
  package func takePrinted() -> [String] { plugin.takePrinted() }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    calls.append(.create(specification, number: number))
    plugin.create(specification, as: number, after: use, into: &emissions)
  }

  package func begin(_ events: borrowing EventBatch, from first: Int) -> Bool {
    plugin.begin(events, from: first)
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    let next = plugin.deliver(events, from: first, after: use, into: &emissions)
    var last = next
    // Events after the one that ended the plugin never reached it.
    if let death = emissions.records.last, death.kind == .death { last = Int(death.step) + 1 }
    var delivered = EventBatch()
    for index in first..<min(last, events.count) { delivered.append(events, at: index) }
    calls.append(.deliver(delivered))
    return next
  }

  package func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    if plugin.ending == nil { calls.append(.destroy(number)) }
    plugin.destroy(number, isLast: isLast, into: &emissions)
  }
}
