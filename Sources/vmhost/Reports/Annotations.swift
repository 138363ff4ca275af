import HostCore

/// Results as workflow commands of GitHub Actions, which shows them beside the lines of the files.
enum Annotations {
  /// Whether vmhost runs in a step of GitHub Actions.
  ///
  /// - Parameter variable: looks up an environment variable.
  static func isWanted(variable: (String) -> String?) -> Bool {
    variable("GITHUB_ACTIONS") == "true"
  }

  /// How many annotations GitHub shows for a job.
  private static let maxCount = 50

  /// An `error` for each transcript that failed, in the order of their paths.
  ///
  /// GitHub finds the files if vmhost runs in the repository's folder, or their paths are absolute.
  static func text(_ results: [TestResult]) -> String {
    results.filter { $0.verdict.outcome != .success }.sortedByPath.prefix(maxCount).map(command)
      .joined()
  }

  // MARK: Suspension

  /// A token that no plugin can guess.
  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return "vmhost-" + String(random.next(), radix: 16) + String(random.next(), radix: 16)
  }

  /// Stops GitHub from reading commands, since the output of plugins might look like some.
  static func stop(_ token: String) -> String { "::stop-commands::\(token)\n" }

  /// Lets GitHub read commands again.
  static func resume(_ token: String) -> String { "::\(token)::\n" }

  // MARK: Commands

  private static func command(_ result: TestResult) -> String {
    // GitHub knows files by their paths relative to the repository's folder, without "./".
    let path = result.path.hasPrefix("./") ? String(result.path.dropFirst(2)) : result.path
    var properties = ["file=\(escapedProperty(path))"]
    if result.line > 0 { properties.append("line=\(result.line)") }
    properties.append("title=\(escapedProperty(result.verdict.text))")
    let summary = result.summary.isEmpty ? result.verdict.text : result.summary
    let message = result.details.isEmpty ? summary : "\(summary)\n\(result.details)"
    return "::error \(properties.joined(separator: ","))::\(escaped(message))\n"
  }

  private static func escaped(_ text: String) -> String {
    escaped(text, ["%": "%25", "\n": "%0A"])
  }

  private static func escapedProperty(_ text: String) -> String {
    escaped(text, ["%": "%25", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var escaped = ""
    for scalar in text.terminalSafe.unicodeScalars {
      if let escape = escapes[scalar] {
        escaped += escape
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
