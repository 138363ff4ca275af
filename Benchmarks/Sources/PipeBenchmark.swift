/// A million JSON Lines through `vmhost run` and the echo plugin.
enum PipeBenchmark {
  static let count = 1_000_000
  private static let target = 10.0

  static func rows(_ setting: Setting) throws -> [Row] {
    let lines = try setting.file("lines.jsonl", lines(count))
    let numbered = try setting.file("numbered.jsonl", Self.lines(count, hasNumbers: true))
    let turns = try setting.file("turns.jsonl", linesInTurn(count))
    return try Setting.Isolation.allCases.flatMap { isolation in
      try rows(
        "1,000,000 JSON Lines through run echo.so, \(isolation.words)", setting, isolation,
        input: lines)
        + rows(
          "the same with numbers, each answered, \(isolation.words)", setting, isolation,
          input: numbered)
        + rows(
          "the same, to two instances in turn, \(isolation.words)", setting, isolation,
          input: turns)
    }
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

  private static func greeting(_ number: Int) -> String {
    let digits = String(number)
    return "hello, line \(String(repeating: "0", count: 7 - digits.count))\(digits)"
  }

  private static func rows(
    _ what: String, _ setting: Setting, _ isolation: Setting.Isolation, input: String
  ) throws -> [Row] {
    let hasJQ = setting.finds("jq")
    var commands = [
      setting.command("echo.so", isolation),
      [setting.product("vmhost-baseline"), "echo"],
    ]
    if hasJQ { commands.append(["jq", "-c", "."]) }
    let comparison = try Comparison(
      rounds: 3, commands.map { command in { try setting.run(command, input: input) } })
    let measured =
      "\(Figure.time(comparison.processor(0))) (wall \(Figure.time(comparison.wall(0))))"
    var row = Row(
      what: what, measured: measured, baseline: "jq -c .: not installed here", ratio: "–",
      target: "at least 10x faster")
    if hasJQ {
      let ratio = comparison.ratio(2, to: 0)
      row.baseline =
        "jq -c .: \(Figure.time(comparison.processor(2))) (wall \(Figure.time(comparison.wall(2))))"
      row.ratio = "\(Figure.times(ratio)) faster"
      row.isMet = ratio >= target
    }
    return [
      row,
      Row(
        what: what, measured: measured,
        baseline: "C loop, no checks: \(Figure.time(comparison.processor(1)))",
        ratio: Figure.times(comparison.ratio(0, to: 1))),
    ]
  }
}
