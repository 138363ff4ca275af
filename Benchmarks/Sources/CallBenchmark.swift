import BenchmarkBaselines
import HostCore

/// One input of 100 bytes to a plugin in C and its answer back, in this process.
enum CallBenchmark {
  private static let batches = 4000
  private static let batchSize = 256
  private static let value = "\"\(String(repeating: "x", count: 98))\""

  static func rows(_ setting: Setting) throws -> [Row] {
    let table = unsafe try setting.table("libecho.so")
    guard let instance = unsafe bench_open(table, "echo") else {
      throw BenchmarkError("echo refused to open")
    }
    defer { unsafe bench_destroy(table, instance) }
    let local = try LocalPlugin(path: setting.product("libecho.so"), name: "echo.so")
    let session = try setting.session("libecho.so")
    try session.open("echo")
    session.events.removeAll()

    let comparison = try Comparison(
      rounds: 15,
      [
        { try timed { try deliver(to: local) } },
        { try timed { try step(session) } },
        {
          try timed {
            let count = Int64(batches * batchSize)
            try expect(unsafe bench_calls(table, instance, "say", value, count), count)
          }
        },
      ])
    let count = Double(batches * batchSize)
    func row(_ what: String, _ subject: Int, target: Double) -> Row {
      let ratio = comparison.ratio(subject, to: 2)
      return Row(
        what: what, measured: Figure.time(comparison.processor(subject) / count),
        baseline: "C loop: \(Figure.time(comparison.processor(2) / count))",
        ratio: Figure.times(ratio), target: "at most \(Int(target))x", isMet: ratio <= target)
    }
    return [
      row("send + poll of 100 bytes, batches of 256", 0, target: 3),
      row("the same with all of the session's checks", 1, target: 6),
    ]
  }

  /// The engine's way to a plugin and back.
  private static func deliver(to plugin: LocalPlugin) throws {
    var emissions = EventBatch()
    plugin.create(InstanceSpecification(viewModel: "echo"), as: 0, into: &emissions)
    defer { plugin.destroy(0, into: &emissions) }
    var batch = EventBatch()
    let name = Array("say".utf8)
    let value = Array(value.utf8)
    var record = EventBatch.Record(kind: .input, instance: 0)
    record.port = 0
    for _ in 0..<batchSize { batch.append(record, name: name.span, value: value.span) }
    var answers = 0
    for _ in 0..<batches {
      emissions.removeAll()
      guard plugin.deliver(batch, from: 0, into: &emissions) == batch.count else {
        throw BenchmarkError("the plugin stopped within a batch")
      }
      answers += emissions.count
    }
    try expect(Int64(answers), Int64(batches * batchSize))
  }

  /// The whole way: inputs gathered, delivered, checked, and told as events.
  private static func step(_ session: SessionEngine) throws {
    let instance = try session.instance("echo")
    let value = Array(value.utf8)
    var batch = InputBatch()
    var answers = 0
    for _ in 0..<batches {
      for _ in 0..<batchSize {
        _ = session.add(to: &batch, instance, 0, value: value.span, tag: 0)
      }
      try session.deliver(&batch)
      answers += session.events.count
      session.events.removeAll()
    }
    try expect(Int64(answers), Int64(batches * batchSize))
  }
}

/// Makes sure that the work was done.
func expect(_ found: Int64, _ expected: Int64) throws {
  guard found == expected else {
    throw BenchmarkError("\(expected) events were expected, and \(found) came")
  }
}
