/// `vmhost run` on an empty script, from start to exit.
enum StartBenchmark {
  private static let target = 0.012

  static func rows(_ setting: Setting) throws -> [Row] {
    let script = try setting.file("empty.vmt", "")
    let host = setting.product("vmhost")
    let comparison = try Comparison(
      rounds: 41,
      [
        { try setting.run([host, "run", "movies.so", "--script", script]) },
        { try setting.run([host, "run", "echo.so", "--script", script]) },
        { try setting.run([setting.product("vmhost-baseline")]) },
      ])
    return ["movies.so", "echo.so"].enumerated().map { subject, plugin in
      let wall = comparison.wall(subject)
      return Row(
        what: "run \(plugin) on an empty script, start to exit",
        measured: "\(Figure.time(wall)) (processor \(Figure.time(comparison.processor(subject))))",
        baseline: "empty C program: \(Figure.time(comparison.wall(2)))",
        ratio: Figure.times(wall / comparison.wall(2)), target: "under 12 ms",
        isMet: wall < target)
    }
  }
}
