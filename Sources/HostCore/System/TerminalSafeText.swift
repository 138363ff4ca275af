extension String {
  /// The text with control characters replaced, except tabs and line breaks. Text from a plugin
  /// must not control the terminal.
  package var terminalSafe: String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar != "\t" && scalar != "\n" && scalar.properties.generalCategory == .control
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    var safe = ""
    for scalar in unicodeScalars {
      safe.unicodeScalars.append(isControl(scalar) ? "\u{fffd}" : scalar)
    }
    return safe
  }

  /// The same on one line, for text within a sentence. No part of it can pass for a line of ours.
  package var terminalSafeLine: String {
    terminalSafe.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
