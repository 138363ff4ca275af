import HostCore

/// A plugin whose behaviour is an input, from which the session's user takes choices too.
protocol FuzzedPlugin: PluginConnection {
  var input: InputReader { get set }
  var requests: RequestBook { get }

  /// Throws if something that the plugin saw doesn't hold.
  func check() throws(FuzzFinding)
}

/// A plugin that emits what an input says, in the way of a worker: nothing of it is checked yet.
final class LyingPlugin: FuzzedPlugin {
  static let manifestText = """
    {"id":"liar","version":"1","viewModels":[
      {"id":"liar.full","inputs":[{"name":"go"},{"name":"put","schema":{"items":{"maximum":1}}}],
       "states":[{"name":"a","schema":{},"first":0},{"name":"b","schema":{}}],
       "signals":[{"name":"rang"},{"name":"said","schema":{"type":["integer","string"]}}],
       "requests":["http","timer","storage.get","storage.set","storage.list"]},
      {"id":"liar.bare"}]}
    """

  // Read once: it is the same for each of a million inputs.
  private static let sharedManifest = try? PluginManifest(json: Array(manifestText.utf8))

  let manifest: PluginManifest
  let digest: String? = nil
  let recentLines = RecentLines()
  let slowSteps = SlowSteps()
  var input: InputReader
  private(set) var requests = RequestBook()
  /// Whether an input came whose value doesn't fit its schema.
  private var sawMisfit = false

  init(_ input: InputReader) throws(FuzzFinding) {
    guard let manifest = Self.sharedManifest else { throw FuzzFinding("the manifest is one") }
    self.manifest = manifest
    self.input = input
  }

  func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    // Hardly an input would get anywhere if it had to bring the first frame itself.
    if input.byte() < 224, let viewModel = manifest.viewModel(specification.viewModel) {
      for state in viewModel.states {
        emissions.append(
          EventBatch.Record(kind: .output, instance: number), name: state.nameBytes.span,
          value: Array("0".utf8).span)
      }
    }
    emit(as: number, steps: 1, into: &emissions)
    requests.emit(emissions)
  }

  func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    for record in events.records where record.isOf(.input) && record.port == 1 {
      if events.value(of: record) == "[3]" { sawMisfit = true }
    }
    let consumed = first + 1 + input.number(below: min(events.count - first, 256))
    emit(as: events.records[first].instance, steps: consumed, into: &emissions)
    requests.deliver(events)
    requests.emit(emissions)
    return consumed
  }

  func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {}

  func check() throws(FuzzFinding) {
    try require(!sawMisfit, "a plugin sees no input that doesn't fit")
  }

  private func emit(as number: Int32, steps: Int, into emissions: inout EventBatch) {
    for _ in 0..<input.number(below: 8) {
      let kind = input.choice(of: Self.kinds)
      let instance = input.byte()
      var record = EventBatch.Record(
        kind: kind, instance: instance < 224 ? number : Int32(instance) - 226,
        id: UInt64(input.byte()))
      if record.id == 255 { record.id = input.word() }
      let step = input.byte()
      record.step =
        step < 224 ? Int32(Int(step) % steps) : Int32(truncatingIfNeeded: input.word() >> 33)
      record.port = Int32(step) - 1
      let name = Self.name(&input)
      emissions.append(record, name: name.span, value: Self.value(&input).span)
    }
  }

  static func name(_ input: inout InputReader) -> [UInt8] { text(names, &input) }
  static func value(_ input: inout InputReader) -> [UInt8] { text(values, &input) }

  /// One of the texts, or what the input says.
  private static func text(_ texts: [String], _ input: inout InputReader) -> [UInt8] {
    let index = input.number(below: texts.count + 1)
    return index < texts.count ? Array(texts[index].utf8) : input.bytes()
  }

  private static let kinds: [EventKind] = [
    .output, .request, .cancel, .log, .fault, .refusal, .violation, .death, .output, .request,
  ]
  private static let names = [
    "a", "b", "rang", "said", "http", "timer", "storage.get", "storage.set", "storage.list",
    "info", "",
  ]
  private static let values = [
    "", "1", "\"text\"", "{\"b\":1, \"a\":2}", "{\"after\":\"1ms\"}", "{\"key\":\"k\"}",
    "{\"key\":\"k\",\"value\":[1]}", "{\"prefix\":\"\"}",
  ]
}
