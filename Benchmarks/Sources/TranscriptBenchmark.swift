import BenchmarkBaselines

/// Transcripts through `vmhost test`, against what other runners take for trivial tests.
enum TranscriptBenchmark {
  private static let count = 1000
  private static let linearTarget = 11.0
  private static let failingTarget = 2.0

  static func rows(_ setting: Setting) throws -> [Row] {
    let few = try searches(count, setting)
    let many = try searches(10 * count, setting)
    let most = try searches(100 * count, setting)
    let short = try setting.file("short.vmt", greetings(50_000))
    let long = try setting.file("long.vmt", greetings(500_000))
    // A result is kept for the reports; of a line nothing is.
    return try runners(few, setting) + [failing(few, setting)] + debugBuild(few, setting)
      + [
        growth("10,000 movie searches through test", many, "1,000", few, setting),
        memory("the same, most memory", many, "1,000", few, 9000, bytes: 1000, setting),
        growth("100,000 movie searches through test", most, "10,000", many, rounds: 1, setting),
        memory("the same, most memory", most, "10,000", many, 90_000, bytes: 1000, setting),
        growth("a transcript of 1,000,000 lines through test", long, "100,000", short, setting),
        memory("the same, most memory", long, "100,000", short, 900_000, bytes: 1, setting),
      ]
  }

  // MARK: Against other runners

  // By the clock: what lit's own processes take isn't in what the kernel says of it. All of them
  // may use all processors.

  private static func runners(_ searches: String, _ setting: Setting) throws -> [Row] {
    let tools = PythonTools(setting, ["cram==0.7", "lit==23.1.5"])
    let others = [
      (name: "cram", path: tools?.path("cram"), folder: try crams(setting), target: 50.0),
      (name: "lit", path: tools?.path("lit"), folder: try lits(setting), target: 25.0),
    ]
    let installed = others.compactMap { other in other.path.map { [$0, other.folder] } }
    let commands = [test(searches, setting)] + installed
    let comparison = try Comparison(
      rounds: 5, commands.map { command in { try setting.run(command, isQuiet: true) } })
    func figure(_ subject: Int) -> String { Figure.time(comparison.wall(subject)) }
    return others.enumerated().map { index, other in
      var row = Row(
        what: "1,000 movie searches through test, by the clock", measured: figure(0),
        baseline: "\(other.name), 1,000 trivial tests: not installed", ratio: "–",
        target: "at least \(Int(other.target))x faster")
      if other.path != nil {
        let ratio = comparison.wallRatio(index + 1, to: 0)
        row.baseline = "\(other.name), 1,000 trivial tests: \(figure(index + 1))"
        row.ratio = "\(Figure.times(ratio)) faster"
        row.isMet = ratio >= other.target
      }
      return row
    }
  }

  private static func crams(_ setting: Setting) throws -> String {
    try setting.folder(
      "cram", (1...count).map { ("\($0).t", "  $ echo hello \($0)\n  hello \($0)\n") })
  }

  /// lit compares nothing itself: what a program prints is piped into one that checks it.
  private static func lits(_ setting: Setting) throws -> String {
    let config = """
      import lit.formats
      config.name = "trivial"
      config.test_format = lit.formats.ShTest()
      config.suffixes = [".txt"]

      """
    let tests = (1...count).map { number in
      ("\(number).txt", "# RUN: echo hello \(number) | grep -x 'hello \(number)'\n")
    }
    return try setting.folder("lit", [("lit.cfg.py", config)] + tests)
  }

  // MARK: Failing

  private static func failing(_ passing: String, _ setting: Setting) throws -> Row {
    let failing = try setting.folder(
      "failing-\(count)",
      (1...count).map { number in
        let (old, new) = ("\"title\": \"Batman Begins\"", "\"title\": \"Batman\"")
        return ("\(number).vmt", search("batman\(number)").replacing(old, with: new))
      })
    let comparison = try Comparison(
      rounds: 5,
      [
        { try setting.run(test(failing, setting), isQuiet: true, expecting: 1) },
        { try setting.run(test(passing, setting), isQuiet: true) },
      ])
    let ratio = comparison.wallRatio(0, to: 1)
    return Row(
      what: "1,000 failing movie searches through test", measured: Figure.time(comparison.wall(0)),
      baseline: "the same, passing: \(Figure.time(comparison.wall(1)))", ratio: Figure.times(ratio),
      target: "at most \(Int(failingTarget))x", isMet: ratio <= failingTarget)
  }

  // MARK: Debug builds

  /// What an author of a plugin waits for, whose own code isn't optimised yet.
  private static func debugBuild(_ searches: String, _ setting: Setting) throws -> [Row] {
    guard let products = setting.debugProducts else { return [] }
    let comparison = try Comparison(
      rounds: 5,
      [["--plugin-path", products], []].map { options in
        { try setting.run(test(searches, setting, options), isQuiet: true) }
      })
    return [
      Row(
        what: "1,000 movie searches with a debug build of the plugin",
        measured: Figure.time(comparison.wall(0)),
        baseline: "with a release build: \(Figure.time(comparison.wall(1)))",
        ratio: Figure.times(comparison.wallRatio(0, to: 1)))
    ]
  }

  // MARK: Ten times as much

  private static func growth(
    _ what: String, _ many: String, _ less: String, _ few: String, rounds: Int = 5,
    _ setting: Setting
  ) throws -> Row {
    let comparison = try Comparison(
      rounds: rounds,
      [many, few].map { path in { try setting.run(test(path, setting), isQuiet: true) } })
    // By the clock: a worker that is at its end when vmhost is may not be counted.
    let ratio = comparison.wallRatio(0, to: 1)
    return Row(
      what: what, measured: Figure.time(comparison.wall(0)),
      baseline: "\(less): \(Figure.time(comparison.wall(1)))", ratio: Figure.times(ratio),
      target: "at most \(Int(linearTarget))x", isMet: ratio <= linearTarget)
  }

  /// - Parameters:
  ///   - count: how many more transcripts or lines there are.
  ///   - bytes: how much more each may take.
  private static func memory(
    _ what: String, _ many: String, _ less: String, _ few: String, _ count: Int, bytes: Int,
    _ setting: Setting
  ) throws -> Row {
    let (more, fewer) = (
      try setting.peak(test(many, setting)), try setting.peak(test(few, setting))
    )
    return Row(
      what: what, measured: Figure.memory(more), baseline: "\(less): \(Figure.memory(fewer))",
      ratio: Figure.times(Double(more) / Double(fewer)),
      target: "at most \(bytes) byte\(bytes == 1 ? "" : "s") more for each more",
      isMet: more - fewer <= bytes * count)
  }

  private static func test(
    _ path: String, _ setting: Setting, _ options: [String] = []
  ) -> [String] {
    [setting.product("vmhost"), "test", path] + options
  }

  // MARK: Transcripts

  private static func searches(_ count: Int, _ setting: Setting) throws -> String {
    try setting.folder(
      "searches-\(count)", (1...count).map { ("\($0).vmt", search("batman\($0)")) })
  }

  /// A search as a user makes it: the spinner, the request, its answer, the rows.
  static func search(_ query: String) -> String {
    """
    vmt 1
    @plugin movies.so
    @open movies.list {"apiKey":"$secret:tmdb","source":"tmdb"}
    < items []
    < isEmpty true
    < loading "none"
    < query ""
    < error ""
    < labels {
        "emptyDataTitle": "Search results",
        "errorTitle": "Error",
        "screenTitle": "Movies",
        "searchBarPlaceholder": "Search Movies"
      }
    > didSearch "\(query)"
    < items []
    < loading "fullScreen"
    < query "\(query)"
    ? 1 http {
        "method": "GET",
        "url": "https://api.themoviedb.org/3/search/movie?query=\(query)&page=1\
    &api_key=SECRET_tmdb&language=en-US"
      }
    + 240ms
    ! 1 {"status":200,"headers":{"content-type":"application/json"},"body":{
        "page":1,"total_pages":1,"results":[{"id":272,"title":"Batman Begins","overview":"Fear.",
         "poster_path":"/b.jpg","release_date":"2005-06-15"}]}}
    < items [
        {
          "overview": "Fear.",
          "posterImagePath": "/b.jpg",
          "releaseDate": "Release Date: Jun 15, 2005",
          "title": "Batman Begins"
        }
      ]
    < isEmpty false
    < loading "none"

    """
  }

  /// A step has two lines.
  private static func greetings(_ steps: Int) -> String {
    (1...steps).reduce(into: "vmt 1\n@plugin echo.so\n@open echo\n") { text, number in
      text += "> say \"hello, line \(number)\"\n< said \"hello, line \(number)\"\n"
    }
  }
}
