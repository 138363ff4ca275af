/// The source of a manual page, in the macros of man(7) that groff and mandoc both have.
struct RoffText {
  /// Longer lines are bad style in a page's source.
  private static let width = 78

  private var lines: [String] = []

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Text that is printed as it is.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)]"
      }
    }
    return result
  }

  mutating func add(macro: String) { lines.append(".\(macro)") }

  /// A line that is escaped already.
  mutating func add(line: String) { lines.append(line) }

  mutating func add(section: String) { add(macro: "SH \(section)") }

  mutating func add(subsection: String) { add(macro: "SS \(Self.escaped(subsection))") }

  /// - Parameter term: escaped already.
  mutating func add(term: String, prose: String) {
    add(macro: "TP")
    add(line: term)
    add(prose: prose)
  }

  mutating func add(prose: String) {
    for line in Self.escaped(prose).wrapped(width: Self.width) {
      // A period that begins a line would make it a macro.
      lines.append(line.hasPrefix(".") ? "\\&" + line : line)
    }
  }

  mutating func add(code: [String]) {
    add(macro: "PP")
    add(macro: "RS 4")
    add(macro: "EX")
    for line in code {
      let line = Self.escaped(line)
      lines.append(line.hasPrefix(".") ? "\\&" + line : line)
    }
    add(macro: "EE")
    add(macro: "RE")
  }

  /// Paragraphs with blank lines between them. Indented lines are code.
  mutating func add(paragraphs: String) {
    for paragraph in paragraphs.split(separator: "\n\n") {
      let parts = paragraph.split(separator: "\n").map(String.init)
      if parts.allSatisfy({ $0.hasPrefix("  ") }) {
        add(code: parts.map { String($0.dropFirst(2)) })
      } else {
        add(macro: "PP")
        for part in parts { add(prose: part) }
      }
    }
  }
}
