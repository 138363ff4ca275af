import HostCore

/// Text in XML 1.0. Markup is escaped, hidden characters are replaced, and characters that no
/// document may contain are left out.
enum XMLText {
  /// Appends ` name="value"`.
  static func appendAttribute(_ name: String, _ value: String, to output: inout [UInt8]) {
    output += Array(" \(name)=\"".utf8)
    // A parser turns bare line ends and tabs in attributes into blanks.
    append(value, escaping: ["\n", "\t", "\""], to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Appends the content of an element.
  static func append(_ text: String, to output: inout [UInt8]) {
    append(text, escaping: [], to: &output)
  }

  private static func append(
    _ text: String, escaping more: [Unicode.Scalar], to output: inout [UInt8]
  ) {
    for scalar in text.terminalSafe.unicodeScalars where isAllowed(scalar) {
      switch scalar {
      case "&": output += Array("&amp;".utf8)
      case "<": output += Array("&lt;".utf8)
      case ">": output += Array("&gt;".utf8)
      case "\"" where more.contains(scalar): output += Array("&quot;".utf8)
      case _ where more.contains(scalar): output += Array("&#\(scalar.value);".utf8)
      default: output.append(contentsOf: Character(scalar).utf8)
      }
    }
  }

  /// The production `Char` of XML 1.0. Other characters can't be written as escapes either.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xa, 0xd, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
    default: false
    }
  }
}
