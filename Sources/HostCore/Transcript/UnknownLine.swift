import Basics

/// Explains what is wrong with a line that begins like no known line, and what was probably meant.
enum UnknownLine {
  /// Sigils from other notations, and the ones that they were meant to be.
  private static let corrections = [
    ">>": ">", "->": ">", "-->": ">", "=>": ">", "<<": "<", "<-": "<", "<--": "<", "<=": "<",
    "=": "<", "==": "<", "??": "?", "!!": "!", "++": "+", "//": "#", "--": "#", ";": "#",
    "X": "x", "VMT": "vmt", "Vmt": "vmt", "vtm": "vmt", "vmt:": "vmt", "vmt1": "vmt 1",
  ]

  static func error(_ line: Span<UInt8>) -> ScriptError {
    if isMergeMarker(line) {
      return ScriptError(
        "this is a marker of a merge conflict. Decide what the file is to say, and remove the"
          + " markers.", at: 0)
    }
    let word = word(of: line, from: 0)
    let noLine = "no line begins with \"\(word)\"."
    if let meant = corrections[word] ?? cancel(word) {
      return ScriptError("\(noLine) Did you mean \"\(meant)\"?", at: 0)
    }
    if let error = misspeltSigil(line) { return error }
    return ScriptError(
      "\(noLine) An input is \"> \(word) …\", a comment \"# …\", time \"+ 300ms\", a directive"
        + " \"@open …\".", at: 0)
  }

  /// The error for a line whose first character is a sigil that no blank follows.
  static func withoutBlank(_ line: Span<UInt8>) -> ScriptError {
    if let error = TextLineParser.strayByte(in: line, 1..<2) { return error }
    if let error = misspeltSigil(line) { return error }
    let sigil = Character(UnicodeScalar(line[0]))
    let next = word(of: line, from: 1)
    return ScriptError(
      "expected a blank between \"\(sigil)\" and what follows. Did you mean \"\(sigil) \(next)\"?",
      at: 1)
  }

  /// Whether the line is a conflict marker of git.
  static func isMergeMarker(_ line: Span<UInt8>) -> Bool {
    let isMarkerByte: (UInt8) -> Bool = { $0 == 0x3c || $0 == 0x3d || $0 == 0x3e || $0 == 0x7c }
    guard line.count >= 7, isMarkerByte(line[0]) else { return false }
    for index in 1..<7 where line[index] != line[0] { return false }
    return line.count == 7 || line[7] == TextLineParser.space
  }

  private static func misspeltSigil(_ line: Span<UInt8>) -> ScriptError? {
    let sigil = String(word(of: line, from: 0).prefix { $0.isASCII && "<>=-?!+/;".contains($0) })
    guard let meant = corrections[sigil] else { return nil }
    return ScriptError("no line begins with \"\(sigil)\". Did you mean \"\(meant)\"?", at: 0)
  }

  /// The correct form of a cancel without a blank, such as `x1`; nil for any other word.
  private static func cancel(_ word: String) -> String? {
    guard word.first == "x", let id = TextLineParser.number(word.dropFirst()) else { return nil }
    return "x \(id)"
  }

  /// The word at `start`, shortened and made printable for a message.
  private static func word(of line: Span<UInt8>, from start: Int) -> String {
    let beginning = line.extracting(start..<min(line.count, start + 200))
    return String(String(repairing: beginning).prefix { $0 != " " }.prefix(40)).terminalSafeLine
  }
}
