/// The last things that a plugin said, for the words about its end.
package final class RecentLines {
  private static let maxLines = 5
  private static let maxLineLength = 200

  private var lines: [String] = []
  /// Within the addresses that Swift's runtime prints behind the words of a fatal error.
  private var isInTrace = false

  package init() {}

  /// Forgets what was said: somebody else is served now.
  package func removeAll() {
    lines.removeAll()
    isInTrace = false
  }

  /// Adds a line; the oldest makes room for it.
  func append(_ source: String, _ text: String) {
    isInTrace = text == "Current stack trace:" || isInTrace && text.first?.isNumber == true
    guard !isInTrace else { return }
    if lines.count == Self.maxLines { lines.removeFirst() }
    lines.append("\(source): \(text)")
  }

  /// What follows the sentence about how the plugin ended: nothing, or the lines under a heading.
  ///
  /// - Parameter redact: takes secrets out, before a line is cut.
  func appendix(_ redact: (String) -> String = { $0 }) -> String {
    guard !lines.isEmpty else { return "" }
    let shown = lines.map { line in
      let text = redact(line).terminalSafeLine
      return "    "
        + (text.count > Self.maxLineLength ? text.prefix(Self.maxLineLength) + "…" : text[...])
    }
    return "\n  Its last log lines:\n" + shown.joined(separator: "\n")
  }
}
