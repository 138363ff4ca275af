import BenchmarkBaselines
import HostCore

/// What one more idle instance takes.
enum MemoryBenchmark {
  private static let count = 10_000
  private static let target = 8192

  static func rows(_ setting: Setting) throws -> [Row] {
    let movies = try perInstance(of: "movies.list", in: setting.session("libmovies.so"))
    let alone = unsafe try perInstance(of: "movies.list", in: setting.table("libmovies.so"))
    let echo = try perInstance(of: "echo", in: setting.session("libecho.so"))
    func row(_ what: String, _ bytes: Int, target: Int?) -> Row {
      Row(
        what: what, measured: "\(bytes) bytes", baseline: "echo in C, host included: \(echo) bytes",
        ratio: Figure.times(Double(bytes) / Double(echo)),
        target: target.map { "under \($0) bytes" } ?? "–", isMet: target.map { bytes < $0 })
    }
    return [
      row("an idle movies.list instance, plugin and host", movies, target: target),
      row("an idle movies.list instance, the plugin's part", alone, target: nil),
    ]
  }

  private static func perInstance(of viewModel: String, in session: SessionEngine) throws -> Int {
    func open(_ handles: Range<Int>) throws {
      for number in handles {
        try session.open(viewModel, as: "i\(number)")
        session.events.removeAll()
      }
    }
    // What the first ones set up for all is not an instance's own.
    try open(0..<100)
    let before = bench_allocated()
    try open(100..<(100 + count))
    return (bench_allocated() - before) / count
  }

  private static func perInstance(
    of viewModel: String, in table: UnsafePointer<vm_plugin>
  ) throws -> Int {
    var instances = unsafe [OpaquePointer]()
    defer {
      for index in unsafe instances.indices { unsafe bench_destroy(table, instances[index]) }
    }
    unsafe instances.reserveCapacity(100 + count)
    var before = 0
    for index in 0..<(100 + count) {
      if index == 100 { before = bench_allocated() }
      guard let instance = unsafe bench_open(table, viewModel) else {
        throw BenchmarkError("\(viewModel) refused to open")
      }
      unsafe instances.append(instance)
    }
    return (bench_allocated() - before) / count
  }
}
