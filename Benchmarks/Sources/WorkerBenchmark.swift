import BenchmarkBaselines
import Foundation
import HostCore

/// What a confined process of its own costs a plugin: the start, and an exchange.
enum WorkerBenchmark {
  private static let exchanges = 2000

  static func rows(_ setting: Setting) throws -> [Row] {
    try [start("echo", setting), start("movies", setting)] + exchange(setting)
      + [rareInputs(setting)]
  }

  // MARK: Starting

  private static func start(_ plugin: String, _ setting: Setting) throws -> Row {
    let path = setting.product("lib\(plugin).so")
    let script = try setting.file("empty.vmt", "")
    let comparison = try Comparison(
      rounds: 41,
      [
        { try timed { _ = try remote(plugin, setting) } },
        { try setting.run(setting.command(path, .inProcess, ["--script", script])) },
      ])
    let wall = comparison.wall(0)
    return Row(
      what: "a worker for \(plugin).so: started, confined, loaded, ended",
      measured: Figure.time(wall),
      baseline: "all of vmhost, in process: \(Figure.time(comparison.wall(1)))",
      ratio: Figure.times(wall / comparison.wall(1)))
  }

  private static func remote(
    _ plugin: String, _ setting: Setting, waitsAwake: Bool = true
  ) throws -> RemotePlugin {
    var sandbox = Sandbox(worker: setting.product("vmhost"))
    sandbox.waitsAwake = waitsAwake
    return try RemotePlugin(
      path: setting.product("lib\(plugin).so"), name: "\(plugin).so", sandbox: sandbox)
  }

  // MARK: Exchanging

  private static func exchange(_ setting: Setting) throws -> [Row] {
    let awake = try remote("echo", setting)
    let asleep = try remote("echo", setting, waitsAwake: false)
    let local = try LocalPlugin(path: setting.product("libecho.so"), name: "echo.so")
    let subjects: [any PluginConnection] = [awake, asleep, local]
    let hasExtism = openExtism(setting)
    let calls = hasExtism ? [{ try timed { try callExtism() } }] : []
    let quiet = try Comparison(
      rounds: 15, subjects.map { plugin in { try timed { try exchange(with: plugin) } } } + calls)
    // With a processor fewer, the host and the worker share one.
    guard bench_begin_load() == 0 else { throw BenchmarkError("there can be no other thread") }
    let busy = try Comparison(
      rounds: 15,
      subjects.prefix(2).map { plugin in { try timed { try exchange(with: plugin) } } })
    bench_end_load()
    let what = "one input of 100 bytes and its answer, confined"
    var extism = Row(
      what: what, measured: "\(Figure.time(quiet.wall(0) / Double(exchanges))) by the clock",
      baseline: "a call of Extism's C API: not installed", ratio: "–", target: "at most 1x")
    if hasExtism {
      extism = row(what, quiet, "a call of Extism's C API", 3)
      extism.target = "at most 1x"
      extism.isMet = quiet.wallRatio(0, to: 3) <= 1
    }
    return [
      extism,
      row("the same", quiet, "in process", 2),
      row("the same", quiet, "if both sides always sleep", 1),
      row("the same, while another thread is busy", busy, "if both sides always sleep", 1),
    ]
  }

  private static func openExtism(_ setting: Setting) -> Bool {
    let tools = PythonTools(setting, ["extism-sys==1.41.0"])
    guard let library = tools?.file("extism_sys/libextism_sys.so") else { return false }
    return unsafe bench_open_extism(library) == 0
  }

  private static func callExtism() throws {
    let text = String(repeating: "x", count: 100)
    try expect(unsafe bench_call_extism(text, Int64(exchanges)), Int64(exchanges))
  }

  private static func row(
    _ what: String, _ comparison: Comparison, _ baseline: String, _ subject: Int
  ) -> Row {
    let count = Double(exchanges)
    return Row(
      what: what, measured: "\(Figure.time(comparison.wall(0) / count)) by the clock",
      baseline: "\(baseline): \(Figure.time(comparison.wall(subject) / count))",
      ratio: Figure.times(comparison.wallRatio(0, to: subject)))
  }

  /// Inputs so rare that a wait without sleep is always in vain.
  private static func rareInputs(_ setting: Setting) throws -> Row {
    func cost(waitsAwake: Bool) throws -> bench_cost {
      let start = bench_family_time()
      try {
        let plugin = try remote("echo", setting, waitsAwake: waitsAwake)
        try exchange(with: plugin, count: 500, pause: 2000)
      }()
      return bench_cost(wall: 0, cpu: bench_family_time() - start)
    }
    let comparison = try Comparison(
      rounds: 5, [{ try cost(waitsAwake: true) }, { try cost(waitsAwake: false) }])
    return Row(
      what: "500 inputs, one every 2 ms, confined, start included",
      measured: "processor \(Figure.time(comparison.processor(0)))",
      baseline: "if both sides always sleep: \(Figure.time(comparison.processor(1)))",
      ratio: Figure.times(comparison.ratio(0, to: 1)))
  }

  /// One event a batch: what a person's input costs, which nothing can be gathered with.
  ///
  /// - Parameter pause: the microseconds before each event.
  private static func exchange(
    with plugin: any PluginConnection, count: Int = exchanges, pause: UInt32 = 0
  ) throws {
    var emissions = EventBatch()
    plugin.create(InstanceSpecification(viewModel: "echo"), as: 0, into: &emissions)
    defer { plugin.destroy(0, into: &emissions) }
    var batch = EventBatch()
    var record = EventBatch.Record(kind: .input, instance: 0)
    record.port = 0
    let value = Array("\"\(String(repeating: "x", count: 98))\"".utf8)
    batch.append(record, name: Array("say".utf8).span, value: value.span)
    var answers = 0
    for _ in 0..<count {
      if pause > 0 { usleep(pause) }
      emissions.removeAll()
      _ = plugin.deliver(batch, from: 0, into: &emissions)
      answers += emissions.count
    }
    try expect(Int64(answers), Int64(count))
  }
}
