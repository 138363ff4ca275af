/// A million JSON Lines through `vmhost run` and the echo plugin, and objects through a view model
/// in Swift whose ports have schemas.
enum PipeBenchmark {
  static let count = 1_000_000
  private static let objectCount = 200_000
  private static let largeCount = 20

  static func rows(_ setting: Setting) throws -> [Row] {
    let lines = try setting.file("lines.jsonl", lines(count))
    let numbered = try setting.file("numbered.jsonl", Self.lines(count, hasNumbers: true))
    let turns = try setting.file("turns.jsonl", linesInTurn(count))
    let objects = try setting.file("objects.jsonl", objectLines(objectCount))
    let large = try setting.file("large.jsonl", largeLines(largeCount))
    var rows = [try textRow(setting, ascii: large)]
    for isolation in Setting.Isolation.allCases {
      func add(_ what: String, _ input: String, loop: [String]?) throws {
        rows += try Self.rows(
          "\(what), \(isolation.words)", setting, isolation, input: input, loop: loop)
      }
      try add("1,000,000 JSON Lines through run echo.so", lines, loop: ["echo"])
      try add("the same with numbers, each answered", numbered, loop: ["echo", "seq"])
      try add("the same, to two instances in turn", turns, loop: ["echo", "instance"])
      try add("\(largeCount) values of 10 MB through run echo.so", large, loop: nil)
      rows.append(try objectRow(setting, isolation, input: objects))
    }
    return rows
  }

  static func lines(_ count: Int, hasNumbers: Bool = false) -> String {
    (1...count).reduce(into: "") { text, number in
      text += "{\"kind\":\"input\",\"name\":\"say\",\"value\":\"\(greeting(number))\""
      text += hasNumbers ? ",\"seq\":\(number)}\n" : "}\n"
    }
  }

  /// Lines of which no two neighbours are alike but for their values.
  private static func linesInTurn(_ count: Int) -> String {
    let opening = "{\"kind\":\"open\",\"viewModel\":\"echo\",\"instance\":\"other\"}\n"
    return (1...count).reduce(into: opening) { text, number in
      text += "{\"kind\":\"input\",\"instance\":\"\(number % 2 == 0 ? "echo" : "other")\","
      text += "\"name\":\"say\",\"value\":\"\(greeting(number))\"}\n"
    }
  }

  /// Objects of 4 members, which the ports of `benchmark.object` have schemas for.
  private static func objectLines(_ count: Int) -> String {
    (1...count).reduce(into: "") { text, number in
      text += "{\"kind\":\"input\",\"name\":\"setRow\",\"value\":{\"id\":\(number),\"isNew\":true,"
      text += "\"note\":null,\"title\":\"\(greeting(number))\"}}\n"
    }
  }

  /// Values of 10 MB.
  private static func largeLines(_ count: Int, of text: String = "0123456789") -> String {
    let text = String(repeating: text, count: 10_000_000 / text.utf8.count)
    let line = "{\"kind\":\"input\",\"name\":\"say\",\"value\":\"\(text)\"}\n"
    return String(repeating: line, count: count)
  }

  private static func objectRow(
    _ setting: Setting, _ isolation: Setting.Isolation, input: String
  ) throws -> Row {
    let command = setting.command(
      "benchmark.so", isolation, ["--view-model", "benchmark.object"])
    let baseline = [setting.product("vmhost-baseline"), "echo"]
    let comparison = try Comparison(
      rounds: 3, [command, baseline].map { command in { try setting.run(command, input: input) } })
    return Row(
      what: "200,000 objects of 4 members to and from typed ports, \(isolation.words)",
      measured:
        "\(Figure.time(comparison.processor(0))) (wall \(Figure.time(comparison.wall(0))))",
      baseline: "C loop, no checks: \(Figure.time(comparison.processor(1)))",
      ratio: Figure.times(comparison.ratio(0, to: 1)))
  }

  /// Printing as text, which looks for hidden characters.
  private static func textRow(_ setting: Setting, ascii: String) throws -> Row {
    let german = try setting.file("german.jsonl", largeLines(largeCount, of: "schönes Wetter! "))
    let command = setting.command("echo.so", .inProcess, ["--format", "text"])
    let comparison = try Comparison(
      rounds: 3, [german, ascii].map { input in { try setting.run(command, input: input) } })
    return Row(
      what: "\(largeCount) values of 10 MB in German, printed as text, in process",
      measured: "\(Figure.time(comparison.processor(0)))",
      baseline: "of ASCII: \(Figure.time(comparison.processor(1)))",
      ratio: Figure.times(comparison.ratio(0, to: 1)))
  }

  private static func greeting(_ number: Int) -> String {
    let digits = String(number)
    return "hello, line \(String(repeating: "0", count: 7 - digits.count))\(digits)"
  }

  /// - Parameter loop: the arguments of the C loop that writes the same answers; nil for none, as
  ///   its buffers are small.
  private static func rows(
    _ what: String, _ setting: Setting, _ isolation: Setting.Isolation, input: String,
    loop: [String]?
  ) throws -> [Row] {
    let hasJQ = setting.finds("jq")
    var commands = [setting.command("echo.so", isolation)]
    if let loop { commands.append([setting.product("vmhost-baseline")] + loop) }
    if hasJQ { commands.append(["jq", "-c", "."]) }
    let comparison = try Comparison(
      rounds: 3, commands.map { command in { try setting.run(command, input: input) } })
    func figure(_ subject: Int) -> String {
      let wall = Figure.time(comparison.wall(subject))
      return "\(Figure.time(comparison.processor(subject))) (wall \(wall))"
    }
    var jq = Row(what: what, measured: figure(0), baseline: "jq -c .: not installed", ratio: "–")
    if hasJQ {
      // By the clock: a confined plugin works while vmhost reads the next lines.
      let last = commands.count - 1
      let ratio = comparison.wallRatio(last, to: 0)
      jq.baseline = "jq -c .: \(figure(last))"
      jq.ratio = "\(Figure.times(ratio)) faster"
      if isolation == .confined { (jq.target, jq.isMet) = ("at least 20x faster", ratio >= 20) }
    }
    guard loop != nil else { return [jq] }
    let ratio = comparison.ratio(0, to: 1)
    var row = Row(
      what: what, measured: figure(0), baseline: "C loop, no checks: \(figure(1))",
      ratio: Figure.times(ratio))
    if isolation == .inProcess { (row.target, row.isMet) = ("at most 3x", ratio <= 3) }
    return [jq, row]
  }
}
