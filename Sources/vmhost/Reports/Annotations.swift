/// Results as workflow commands of GitHub Actions, which shows them beside the lines of the files.
enum Annotations {
  /// Whether vmhost runs in a step of GitHub Actions. `variable` looks up an environment variable.
  static func isWanted(variable: (String) -> String?) -> Bool {
    variable("GITHUB_ACTIONS") == "true"
  }

  /// GitHub shows no more of a job.
  private static let maxCount = 50

  /// An `error` for each transcript that went wrong, in the order of their paths.
  ///
  /// GitHub finds the files if vmhost runs in the repository's folder, or their paths are absolute.
  static func text(_ results: [TestResult]) -> String {
    results.filter { $0.verdict.outcome != .success }.sortedByPath.prefix(maxCount).map(command)
      .joined()
  }

  // MARK: What isn't a command

  /// A word that no plugin can know.
  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return "vmhost-" + String(random.next(), radix: 16) + String(random.next(), radix: 16)
  }

  /// Has GitHub take no line for a command, as those that show what plugins emit aren't.
  static func stop(_ token: String) -> String { "::stop-commands::\(token)\n" }

  /// Has GitHub take lines for commands again.
  static func resume(_ token: String) -> String { "::\(token)::\n" }

  // MARK: Commands

  private static func command(_ result: TestResult) -> String {
    // GitHub knows files by their paths from the repository's folder, and "./a" by none.
    let path = result.path.hasPrefix("./") ? String(result.path.dropFirst(2)) : result.path
    var properties = ["file=\(escapedProperty(path))"]
    if result.line > 0 { properties.append("line=\(result.line)") }
    properties.append("title=\(escapedProperty(result.verdict.words))")
    let summary = result.summary.isEmpty ? result.verdict.words : result.summary
    let message = result.details.isEmpty ? summary : "\(summary)\n\(result.details)"
    return "::error \(properties.joined(separator: ","))::\(escaped(message))\n"
  }

  private static func escaped(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func escapedProperty(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  /// By scalar, since a carriage return and a line feed are one Character.
  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] {
        escaped += escape
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
