/// `vmhost run` on an empty script, from start to exit.
enum StartBenchmark {
  private static let target = 0.012
  private static let plugins = ["movies.so", "echo.so"]

  static func rows(_ setting: Setting) throws -> [Row] {
    let script = try setting.file("empty.vmt", "")
    let subjects = Setting.Isolation.allCases.flatMap { isolation in
      plugins.map { (plugin: $0, isolation: isolation) }
    }
    var commands = subjects.map { setting.command($0.plugin, $0.isolation, ["--script", script]) }
    commands.append([setting.product("vmhost-baseline")])
    let comparison = try Comparison(
      rounds: 41, commands.map { command in { try setting.run(command) } })
    let empty = comparison.wall(subjects.count)
    return subjects.enumerated().map { index, subject in
      let wall = comparison.wall(index)
      return Row(
        what: "run \(subject.plugin) on an empty script, \(subject.isolation.words)",
        measured: "\(Figure.time(wall)) (processor \(Figure.time(comparison.processor(index))))",
        baseline: "empty C program: \(Figure.time(empty))",
        ratio: Figure.times(wall / empty), target: "under 12 ms", isMet: wall < target)
    }
  }
}
