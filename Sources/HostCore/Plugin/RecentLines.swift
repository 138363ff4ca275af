/// The last lines of a plugin's output, for the message about its end.
package final class RecentLines {
  private static let maxLines = 5
  private static let maxLineLength = 200
  static let heading = "  Its last log lines:"

  private var lines: [String] = []
  private var filter = StackTraceFilter()

  package init() {}

  /// Removes all lines, before the plugin serves another session.
  package func removeAll() {
    lines.removeAll()
    filter = StackTraceFilter()
  }

  /// Adds a line, and drops the oldest if there are too many.
  func append(_ source: String, _ text: String) {
    guard !filter.isPart(text) else { return }
    if lines.count == Self.maxLines { lines.removeFirst() }
    lines.append("\(source): \(text)")
  }

  /// The text after the sentence about the plugin's end: the lines under a heading, or nothing.
  ///
  /// - Parameter redact: removes secrets, before a line is shortened.
  func appendix(_ redact: (String) -> String = { $0 }) -> String {
    guard !lines.isEmpty else { return "" }
    let shown = lines.map { line in
      let text = redact(line).terminalSafeLine
      return "    "
        + (text.count > Self.maxLineLength ? text.prefix(Self.maxLineLength) + "…" : text[...])
    }
    return "\n\(Self.heading)\n" + shown.joined(separator: "\n")
  }
}
