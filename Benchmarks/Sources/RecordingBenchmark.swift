import BenchmarkBaselines

/// What it costs to write a session down, and to play one exchange after another.
enum RecordingBenchmark {
  private static let lineCount = 1_000_000
  private static let searchCount = 5000
  private static let transcriptCount = 1000

  static func rows(_ setting: Setting) throws -> [Row] {
    let lines = try setting.file("recorded.jsonl", PipeBenchmark.lines(lineCount))
    return try [
      recording(lines, .confined, target: 2, setting),
      recording(lines, .inProcess, target: nil, setting),
      script(setting),
      update(setting),
    ]
  }

  private static func recording(
    _ lines: String, _ isolation: Setting.Isolation, target: Double?, _ setting: Setting
  ) throws -> Row {
    let command = setting.command("echo.so", isolation)
    let file = setting.path("recorded.vmt")
    let comparison = try Comparison(
      rounds: 5,
      [
        {
          try setting.removeFile("recorded.vmt")
          return try setting.run(command + ["--record", file], input: lines, isQuiet: true)
        },
        { try setting.run(command, input: lines) },
      ])
    return row(
      "1,000,000 JSON Lines, recorded, \(isolation.words)", comparison,
      baseline: "not recorded", target: target)
  }

  /// Each search waits for its timer and is answered, so that nothing can be delivered together.
  private static func script(_ setting: Setting) throws -> Row {
    let opening = "@plugin movies.so\n@open movies.list {\"apiKey\":\"key\",\"source\":\"tmdb\"}\n"
    let text = (1...searchCount).reduce(into: opening) { text, number in
      text += "> didSearch \"batman\(number)\"\n+ 240ms\n! \(number) "
      text += "{\"status\":200,\"headers\":{},\"body\":{\"page\":1,\"total_pages\":1,"
      text += "\"results\":[]}}\n"
    }
    let script = try setting.file("searches.vmt", text)
    let options = ["--effect", "http=none", "--clock", "virtual", "--script", script]
    let comparison = try Comparison(
      rounds: 5,
      [Setting.Isolation.confined, .inProcess].map { isolation in
        let command = [setting.product("vmhost"), "run"] + isolation.options + options
        return { try setting.run(command, isQuiet: true) }
      })
    let each = comparison.wall(0) / Double(searchCount)
    return Row(
      what: "a search of a script of \(searchCount), by the clock, confined",
      measured: Figure.time(each),
      baseline: "in process: \(Figure.time(comparison.wall(1) / Double(searchCount)))",
      ratio: Figure.times(comparison.wallRatio(0, to: 1)), target: "at most 0.2 ms",
      isMet: each <= 0.0002)
  }

  /// Every file gets one line changed back, so that each round updates all of them.
  private static func update(_ setting: Setting) throws -> Row {
    let names = (1...transcriptCount).map { "\($0).vmt" }
    let searches = names.indices.map { TranscriptBenchmark.search("batman\($0 + 1)") }
    let (old, new) = ("\"title\": \"Batman Begins\"", "\"title\": \"Batman\"")
    let passing = try setting.folder("updated-passing", Array(zip(names, searches)))
    func outdated() throws -> String {
      try setting.folder(
        "updated", zip(names, searches).map { ($0, $1.replacing(old, with: new)) })
    }
    let comparison = try Comparison(
      rounds: 5,
      [
        {
          let folder = try outdated()
          return try setting.run(
            [setting.product("vmhost"), "test", "--update", folder], isQuiet: true)
        },
        { try setting.run([setting.product("vmhost"), "test", passing], isQuiet: true) },
      ])
    return row(
      "1,000 outdated movie searches through test --update", comparison,
      baseline: "test of up-to-date ones", target: 3)
  }

  private static func row(
    _ what: String, _ comparison: Comparison, baseline: String, target: Double?
  ) -> Row {
    let ratio = comparison.wallRatio(0, to: 1)
    return Row(
      what: what, measured: "\(Figure.time(comparison.wall(0))) by the clock",
      baseline: "\(baseline): \(Figure.time(comparison.wall(1)))", ratio: Figure.times(ratio),
      target: target.map { "at most \(Int($0))x" } ?? "–", isMet: target.map { ratio <= $0 })
  }
}
