import CanonicalJSON
import HostCore

/// Texts of a plugin in source code, where none may end what it stands in.
enum SourceText {
  /// A string literal of TypeScript. Characters that an editor doesn't show are escaped.
  static func quoted(_ text: String) -> String {
    JSONValue.string(text).canonicalText.shown(as: .values)
  }

  /// A string literal of Python, where a pair of UTF-16 would be two characters.
  static func quotedInPython(_ text: String) -> String {
    var literal = ""
    for scalar in JSONValue.string(text).canonicalText.unicodeScalars {
      if scalar.isHidden, scalar.value > 0xffff {
        let digits = String(scalar.value, radix: 16)
        literal += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      } else {
        literal.unicodeScalars.append(scalar)
      }
    }
    return literal.shown(as: .values)
  }

  /// A union of types, each once.
  static func union(_ types: [String]) -> String {
    var seen: Set<String> = []
    return types.filter { seen.insert($0).inserted }.joined(separator: " | ")
  }

  /// The lines of a text for a comment.
  static func comment(_ text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
      String(String(line).terminalSafe.reversed().drop { $0 == " " }.reversed())
    }
    let rest = lines.reversed().drop { $0.isEmpty }.reversed()
    return Array(rest.drop { $0.isEmpty })
  }

  /// Whether a name can stand without quotes.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f
    }
  }
}
