import HostCore

/// The whole of the host's end of a worker, with a worker that is the input: starting, loading,
/// opening, delivering and closing come back, and give the session only what can be.
enum WorkerLinkTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let memory = try? SharedMemory(count: SharedBuffer.size),
      let worker = try? LyingWorker(InputReader(input), window: memory)
    else { throw FuzzFinding("the system has sockets and memory") }
    try load(worker, memory)
  }

  private static func load(
    _ worker: LyingWorker, _ memory: consuming SharedMemory
  ) throws(FuzzFinding) {
    var limits = StepLimits()
    limits.events = 20
    limits.bytes = 1000
    limits.time = 1_000_000_000
    let plugin: RemotePlugin
    do throws(PluginLoadError) {
      plugin = try RemotePlugin(
        worker, memory: memory, name: "liar.so", limits: limits, sandbox: Sandbox(),
        clock: worker.clock)
    } catch {
      try require(!error.description.isEmpty, "an error has words")
      try require(worker.isOver || isManifest(error), "no worker is left behind")
      return try check(error.printed)
    }
    try SessionTarget.check(CheckedPlugin(plugin, worker))
    let verdicts = plugin.play(Array(repeating: Array("vmt 1\n".utf8), count: 3))
    try require(verdicts.count <= 3, "there are no more verdicts than transcripts")
    try require(
      !verdicts.isEmpty || worker.isOver, "a worker that doesn't say how a transcript went is ended"
    )
  }

  /// A worker whose manifest is none ends when the host lets go of it.
  private static func isManifest(_ error: PluginLoadError) -> Bool {
    if case .badManifest = error.reason { true } else { false }
  }

  /// Checks what is shown of the lines that a plugin prints.
  fileprivate static func check(_ lines: [String]) throws(FuzzFinding) {
    let shown = lines.flatMap { PrintedLine.parts(of: $0, without: Secrets()) }
    try require(shown.allSatisfy { $0 == $0.terminalSafe }, "what is printed steers no terminal")
  }
}

/// A plugin in a worker, and a look at all that comes from there.
private final class CheckedPlugin: FuzzedPlugin {
  private let plugin: RemotePlugin
  private let worker: LyingWorker
  private(set) var requests = RequestBook()
  private var finding: FuzzFinding?

  init(_ plugin: RemotePlugin, _ worker: LyingWorker) {
    self.plugin = plugin
    self.worker = worker
  }

  var input: InputReader {
    get { worker.input }
    set { worker.input = newValue }
  }
  var manifest: PluginManifest { plugin.manifest }
  var digest: String? { plugin.digest }
  var recentLines: RecentLines { plugin.recentLines }
  var slowSteps: SlowSteps { plugin.slowSteps }

  func check() throws(FuzzFinding) {
    if let finding { throw finding }
    try require(plugin.ending == nil || worker.isOver, "no worker is left behind")
    try require(
      plugin.ending != nil || !worker.hasSaidImpossible, "no exchange ends as none can end")
  }

  // MARK: What the session asks for

  func takePrinted() -> [String] { plugin.takePrinted() }

  func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    let wasOver = plugin.ending != nil
    plugin.create(specification, as: number, after: use, into: &emissions)
    requests.emit(emissions)
    note(emissions, steps: 0..<1, wasOver: wasOver)
  }

  func begin(_ events: borrowing EventBatch, from first: Int) -> Bool {
    plugin.begin(events, from: first)
  }

  func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    let wasOver = plugin.ending != nil
    let next = plugin.deliver(events, from: first, after: use, into: &emissions)
    requests.deliver(events)
    requests.emit(emissions)
    if next <= first || next > events.count {
      finding = FuzzFinding("does not hold: each exchange makes steps, and none too many")
    }
    let end = plugin.ending == nil ? next : events.count
    note(emissions, steps: first..<max(end, first + 1), wasOver: wasOver)
    return next
  }

  func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    let wasOver = plugin.ending != nil
    plugin.destroy(number, isLast: isLast, into: &emissions)
    note(emissions, steps: 0..<0, wasOver: wasOver)
  }

  // MARK: What must hold

  private func note(_ emissions: EventBatch, steps: Range<Int>, wasOver: Bool) {
    do throws(FuzzFinding) {
      try check(emissions, steps: steps, wasOver: wasOver)
    } catch { finding = finding ?? error }
  }

  private func check(
    _ emissions: EventBatch, steps: Range<Int>, wasOver: Bool
  ) throws(FuzzFinding) {
    try require(!wasOver || emissions.isEmpty, "nothing comes from a worker that has ended")
    var end = 0
    for (index, record) in emissions.records.enumerated() {
      try require(record.name.lowerBound == end, "names and values lie one after the other")
      end = record.value.upperBound
      if record.kind == .death {
        try require(index == emissions.count - 1, "nothing comes after the end")
        try require(plugin.ending == emissions.value(of: record), "the end has the same words")
        continue
      }
      if record.kind == .print {
        try WorkerLinkTarget.check([emissions.value(of: record)])
        try require(
          steps.isEmpty || steps.contains(Int(record.step)), "lines are of steps that were made")
        continue
      }
      try require(
        record.isEmission || record.kind == .refusal || record.kind == .violation,
        "only what plugins may emit comes")
      try require(steps.contains(Int(record.step)), "events are of steps that were made")
      try require(record.instance >= 0, "events are of instances")
    }
    try require(end == emissions.bytes.count, "the events account for all bytes")
    try require(
      wasOver || (plugin.ending == nil) != (emissions.records.last?.kind == .death),
      "the session hears of the end")
  }
}
