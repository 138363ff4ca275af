/// `vmhost run` as a whole process, from start to exit: as it was built here, and as people install
/// it.
enum StartBenchmark {
  private struct Subject {
    var what: String
    var command: [String]
    /// How many times as long as an empty program it may take; nil if that is only watched.
    var target: Double?
  }

  static func rows(_ setting: Setting) throws -> [Row] {
    let subjects = try Setting.Isolation.allCases.flatMap { isolation in
      try Self.subjects(setting, setting.product("vmhost"), isolation)
        + (setting.installed.map { try Self.subjects(setting, $0, isolation, ", installed") } ?? [])
    }
    let commands = subjects.map(\.command) + [[setting.product("vmhost-baseline")]]
    let comparison = try Comparison(
      rounds: 41, commands.map { command in { try setting.run(command) } })
    let empty = comparison.wall(subjects.count)
    return subjects.enumerated().map { index, subject in
      let wall = comparison.wall(index)
      return Row(
        what: subject.what,
        measured: "\(Figure.time(wall)) (processor \(Figure.time(comparison.processor(index))))",
        baseline: "empty C program: \(Figure.time(empty))",
        ratio: Figure.times(wall / empty),
        target: subject.target.map { "at most \(Int($0))x" } ?? "–",
        isMet: subject.target.map { wall / empty <= $0 })
    }
  }

  private static func subjects(
    _ setting: Setting, _ vmhost: String, _ isolation: Setting.Isolation, _ suffix: String = ""
  ) throws -> [Subject] {
    let script = try setting.file("empty.vmt", "")
    let pushes = try setting.file("pushes.vmt", "> bind\n> updateModelFromMockWeb\n+ 5s\n")
    func subject(
      _ what: String, _ plugin: String, _ more: [String], target: Double
    ) -> Subject {
      Subject(
        what: "\(what), \(isolation.words)\(suffix)",
        command: [vmhost, "run", plugin] + isolation.options + more,
        target: isolation == .confined ? target : nil)
    }
    return [
      subject("run movies.so on an empty script", "movies.so", ["--script", script], target: 4),
      subject("run echo.so on an empty script", "echo.so", ["--script", script], target: 3),
      subject(
        "account.profile's pushes at 0, 3 and 5 s", "account.so",
        ["--view-model", "account.profile", "--clock", "virtual", "--script", pushes], target: 6),
    ]
  }
}
