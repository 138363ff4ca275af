import BenchmarkBaselines
import HostCore

/// What a confined process of its own costs a plugin: the start, and an exchange.
enum WorkerBenchmark {
  private static let exchanges = 2000

  static func rows(_ setting: Setting) throws -> [Row] {
    [try start("echo", setting), try start("movies", setting), try exchange(setting)]
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

  private static func remote(_ plugin: String, _ setting: Setting) throws -> RemotePlugin {
    try RemotePlugin(
      path: setting.product("lib\(plugin).so"), name: "\(plugin).so",
      sandbox: Sandbox(worker: setting.product("vmhost")))
  }

  // MARK: Exchanging

  private static func exchange(_ setting: Setting) throws -> Row {
    let confined = try remote("echo", setting)
    let local = try LocalPlugin(path: setting.product("libecho.so"), name: "echo.so")
    let comparison = try Comparison(
      rounds: 15,
      [
        { try timed { try exchange(with: confined) } },
        { try timed { try exchange(with: local) } },
      ])
    let count = Double(exchanges)
    let wall = comparison.wall(0)
    return Row(
      what: "one input of 100 bytes and its answer, confined",
      measured: "\(Figure.time(wall / count)) by the clock",
      baseline: "in process: \(Figure.time(comparison.wall(1) / count))",
      ratio: Figure.times(wall / comparison.wall(1)))
  }

  /// One event a batch: what a person's input costs, which nothing can be gathered with.
  private static func exchange(with plugin: any PluginConnection) throws {
    var emissions = EventBatch()
    plugin.create(InstanceSpecification(viewModel: "echo"), as: 0, into: &emissions)
    defer { plugin.destroy(0, into: &emissions) }
    var batch = EventBatch()
    var record = EventBatch.Record(kind: .input, instance: 0)
    record.port = 0
    let value = Array("\"\(String(repeating: "x", count: 98))\"".utf8)
    batch.append(record, name: Array("say".utf8).span, value: value.span)
    var answers = 0
    for _ in 0..<exchanges {
      emissions.removeAll()
      _ = plugin.deliver(batch, from: 0, into: &emissions)
      answers += emissions.count
    }
    try expect(Int64(answers), Int64(exchanges))
  }
}
