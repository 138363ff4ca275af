import HostCore

/// A plugin that keeps its contract: it says what it is given, refuses text, and asks for `http`.
final class SoundPlugin: PluginConnection {
  private static let manifestText = """
    {"id":"sound","version":"1","viewModels":[
      {"id":"sound","inputs":[{"name":"put","schema":{}},{"name":"ask"},{"name":"drop"}],
       "states":[{"name":"last","schema":{},"first":0}],"signals":[{"name":"rang"}],
       "requests":["http"]}]}
    """
  private static let sharedManifest = try? PluginManifest(json: Array(manifestText.utf8))

  let manifest: PluginManifest
  let digest: String? = nil
  let recentLines = RecentLines()
  let slowSteps = SlowSteps()
  /// The open requests of each instance.
  private var open: [Int32: [UInt64]] = [:]
  private var lastRequest: UInt64 = 0

  init() throws(FuzzFinding) {
    guard let manifest = Self.sharedManifest else { throw FuzzFinding("the manifest is one") }
    self.manifest = manifest
  }

  func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    open[number] = []
    emit(.output, "last", "0", as: number, step: 0, into: &emissions)
  }

  func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    for index in first..<events.count where !handle(events, index, into: &emissions) {
      return index + 1
    }
    return events.count
  }

  func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    open[number] = nil
  }

  /// Returns false if the session must see what the step emitted before the next event.
  private func handle(
    _ events: borrowing EventBatch, _ index: Int, into emissions: inout EventBatch
  ) -> Bool {
    let record = events.records[index]
    let (number, step) = (record.instance, Int32(index))
    guard record.kind == .input else {
      open[number]?.removeAll { $0 == record.id }
      emit(.output, "rang", "", as: number, step: step, into: &emissions)
      return false
    }
    switch events.name(of: record) {
    case "ask":
      lastRequest += 1
      open[number]?.append(lastRequest)
      emit(.request, "http", "{}", id: lastRequest, as: number, step: step, into: &emissions)
      return false
    case "drop":
      guard let request = open[number]?.popLast() else { return true }
      emit(.cancel, "", "", id: request, as: number, step: step, into: &emissions)
      return false
    default:
      let value = events.value(of: record)
      guard !value.isEmpty, value.first != "\"" else {
        let status = UInt64(bitPattern: -5)
        emit(.refusal, "", "", id: status, as: number, step: step, into: &emissions)
        return false
      }
      emit(.output, "last", value, as: number, step: step, into: &emissions)
      return true
    }
  }

  private func emit(
    _ kind: EventKind, _ name: String, _ value: String, id: UInt64 = 0, as number: Int32,
    step: Int32, into emissions: inout EventBatch
  ) {
    var record = EventBatch.Record(kind: kind, instance: number, id: id)
    record.step = step
    emissions.append(record, name: Array(name.utf8).span, value: Array(value.utf8).span)
  }
}
