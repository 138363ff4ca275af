extension String {
  /// The text without what would steer a terminal, for words that come from a plugin: control
  /// characters but tabs and line ends are replaced.
  package var legible: String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar != "\t" && scalar != "\n" && scalar.properties.generalCategory == .control
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    var legible = ""
    for scalar in unicodeScalars {
      legible.unicodeScalars.append(isControl(scalar) ? "\u{fffd}" : scalar)
    }
    return legible
  }

  /// The same in one line, for words within a sentence: they must not look like one of our own.
  package var legibleInLine: String {
    legible.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
