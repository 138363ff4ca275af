/// `vmhost run` as a whole process, from start to exit.
enum StartBenchmark {
  private struct Subject {
    var what: String
    var command: [String]
    /// In milliseconds by the clock.
    var target: Int
  }

  static func rows(_ setting: Setting) throws -> [Row] {
    let subjects = try Setting.Isolation.allCases.flatMap { isolation in
      try Self.subjects(setting, isolation)
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
        ratio: Figure.times(wall / empty), target: "under \(subject.target) ms",
        isMet: wall < Double(subject.target) / 1000)
    }
  }

  private static func subjects(
    _ setting: Setting, _ isolation: Setting.Isolation
  ) throws -> [Subject] {
    let script = try setting.file("empty.vmt", "")
    let starts = ["movies.so", "echo.so"].map { plugin in
      Subject(
        what: "run \(plugin) on an empty script, \(isolation.words)",
        command: setting.command(plugin, isolation, ["--script", script]), target: 12)
    }
    let pushes = try setting.file("pushes.vmt", "> bind\n> updateModelFromMockWeb\n+ 5s\n")
    let profile = setting.command(
      "account.so", isolation,
      ["--view-model", "account.profile", "--clock", "virtual", "--script", pushes])
    return starts + [
      Subject(
        what: "account.profile's pushes at 0, 3 and 5 s, \(isolation.words)", command: profile,
        target: 20)
    ]
  }
}
