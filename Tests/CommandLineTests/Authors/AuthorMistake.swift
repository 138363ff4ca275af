import TestSupport
import Testing

/// A mistake in the fixture `mistakenfixture`, and how vmhost tells it.
struct AuthorMistake: CustomTestStringConvertible {
  enum Telling {
    /// The plugin isn't loaded.
    case load
    /// The view model isn't opened.
    case open
    /// Handling that line is a fault of the port or effect.
    case fault(String, of: String)
    /// That line is refused.
    case refusal(String)
  }

  /// What chooses it in the fixture.
  let name: String
  let telling: Telling

  var testDescription: String { name }

  var input: String {
    switch telling {
    case .load, .open: ""
    case .fault(let line, _), .refusal(let line): line + "\n"
    }
  }

  /// What `vmhost run` prints to standard output, to standard error, and its status.
  func outcome(_ message: String) -> (stdout: String, stderr: String, status: Int32) {
    switch telling {
    case .load:
      return (
        "",
        "vmhost: Could not load \"./mistakenfixture.so\": it can't describe itself: "
          + "cart.list: \(message)\n", 3
      )
    case .open: return ("", "vmhost: cart.list would not open: \(message)\n", 2)
    case .fault(_, let port):
      let quoted = message.replacing("\"", with: "\\\"")
      return (
        "# error from list: \"\\\"\(port)\\\" failed: \(quoted)\"\n"
          + "# fault of list in \"\(port)\": \"\(quoted)\"\n", "", 1
      )
    case .refusal: return ("", "vmhost: <stdin>:1: list refused \"chosen\": \(message)\n", 2)
    }
  }
}

/// A row of a table in `Documentation/Mistakes.md`.
struct AuthorMistakeRow {
  let written: String
  let message: String

  /// The rows of the sections with these titles, in order.
  static func rows(of sections: [String]) throws -> [AuthorMistakeRow] {
    let page = try Repository.text("Documentation/Mistakes.md")
    var rows: [AuthorMistakeRow] = []
    for section in page.split(separator: "\n## ").dropFirst() {
      let lines = section.split(separator: "\n")
      guard let title = lines.first, sections.contains(String(title)) else { continue }
      for line in lines where line.hasPrefix("| `") {
        let cells = line.split(separator: " | ")
        try #require(cells.count == 3, "\(line)")
        rows.append(
          AuthorMistakeRow(
            written: String(cells[0].dropFirst("| `".count).dropLast()),
            message: String(cells[1].dropFirst().dropLast())))
      }
    }
    return rows
  }
}
