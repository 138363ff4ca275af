import BenchmarkBaselines
import HostCore

/// Ten times the work in at most eleven times the time.
enum LinearityBenchmark {
  private static let target = 11.0

  static func rows(_ setting: Setting) throws -> [Row] {
    try [
      lines(setting), instances(setting, 10_000), instances(setting, 100_000),
      timers(setting, 10_000), memory(setting),
    ]
  }

  private static func lines(_ setting: Setting) throws -> Row {
    let few = try setting.file("few.jsonl", PipeBenchmark.lines(PipeBenchmark.count / 10))
    let many = try setting.file("many.jsonl", PipeBenchmark.lines(PipeBenchmark.count))
    let command = setting.command("echo.so", .inProcess)
    return try row(
      "1,000,000 lines", "100,000", few: { try setting.run(command, input: few) },
      many: { try setting.run(command, input: many) })
  }

  /// All are open at once; each gets an input and is closed.
  private static func instances(_ setting: Setting, _ count: Int) throws -> Row {
    func script(_ count: Int) throws -> [String] {
      var text = "vmt 1\n"
      for number in 1...count { text += "@open echo as i\(number)\n" }
      for number in 1...count { text += "> i\(number).say \(number)\n" }
      for number in 1...count { text += "@close i\(number)\n" }
      let path = try setting.file("\(count).vmt", text)
      return setting.command("echo.so", .inProcess, ["--script", path])
    }
    let few = try script(count / 10)
    let many = try script(count)
    return try row(
      "\(grouped(count)) instances: open, one input, close", grouped(count / 10),
      few: { try setting.run(few) }, many: { try setting.run(many) })
  }

  private static func timers(_ setting: Setting, _ count: Int) throws -> Row {
    func fire(_ count: Int) throws {
      let session = try setting.session("libbenchmark.so")
      try session.open("benchmark.timers", as: "timers")
      session.events.removeAll()
      var batch = InputBatch()
      let value = Array(String(count).utf8)
      _ = session.add(
        to: &batch, try session.instance("timers"), 0, value: value.span, tag: 0)
      try session.deliver(&batch)
      let fired = try session.advance(to: 3_600_000_000_000)
      try expect(Int64(fired), Int64(count))
      try expect(Int64(session.events.count), Int64(count))
    }
    return try row(
      "\(grouped(count)) timers at once", grouped(count / 10),
      few: { try timed { try fire(count / 10) } }, many: { try timed { try fire(count) } })
  }

  private static func memory(_ setting: Setting) throws -> Row {
    func peak(_ count: Int) throws -> Int {
      let lines = try setting.file("say.txt", String(repeating: "> say 1\n", count: count))
      return try setting.peak(setting.command("echo.so", .confined), input: lines)
    }
    let (few, many) = (try peak(1_000_000), try peak(10_000_000))
    return Row(
      what: "a session of 10,000,000 inputs and outputs, most memory",
      measured: Figure.memory(many), baseline: "1,000,000: \(Figure.memory(few))",
      ratio: Figure.times(Double(many) / Double(few)), target: "at most 1 byte more for each more",
      isMet: many - few <= 9_000_000)
  }

  private static func grouped(_ count: Int) -> String { "\(count / 1000),000" }

  private static func row(
    _ what: String, _ less: String, few: @escaping () throws -> bench_cost,
    many: @escaping () throws -> bench_cost
  ) throws -> Row {
    let comparison = try Comparison(rounds: 5, [many, few])
    let ratio = comparison.ratio(0, to: 1)
    return Row(
      what: what, measured: Figure.time(comparison.processor(0)),
      baseline: "\(less): \(Figure.time(comparison.processor(1)))", ratio: Figure.times(ratio),
      target: "at most 11x", isMet: ratio <= target)
  }
}
