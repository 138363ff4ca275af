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
        "this is a merge conflict marker. Resolve the conflict, and remove the markers.", at: 0)
    }
    let word = word(of: line, from: 0)
    if let word, let meant = corrections[word] ?? cancel(word) {
      return ScriptError("no line begins with \"\(word)\". Did you mean \"\(meant)\"?", at: 0)
    }
    if let error = misspeltSigil(line) { return error }
    return ScriptError(
      "no line begins with \(word.map { "\"\($0)\"" } ?? "such a long word")."
        + " An input is \"> \(word ?? "name") …\", a comment \"# …\", time \"+ 300ms\", a directive"
        + " \"@open …\".", at: 0)
  }

  /// The error for a line whose first character is a sigil that no blank follows.
  static func withoutBlank(_ line: Span<UInt8>) -> ScriptError {
    if let error = TextLineParser.strayByte(in: line, 1..<2) { return error }
    if let error = misspeltSigil(line) { return error }
    let sigil = Character(UnicodeScalar(line[0]))
    let hint = word(of: line, from: 1).map { " Did you mean \"\(sigil) \($0)\"?" } ?? ""
    return ScriptError("expected a space between \"\(sigil)\" and what follows.\(hint)", at: 1)
  }

  /// Whether the line is a conflict marker of git.
  static func isMergeMarker(_ line: Span<UInt8>) -> Bool {
    let isMarkerByte: (UInt8) -> Bool = { $0 == 0x3c || $0 == 0x3d || $0 == 0x3e || $0 == 0x7c }
    guard line.count >= 7, isMarkerByte(line[0]) else { return false }
    for index in 1..<7 where line[index] != line[0] { return false }
    return line.count == 7 || line[7] == TextLineParser.space
  }

  private static func misspeltSigil(_ line: Span<UInt8>) -> ScriptError? {
    var end = 0
    while end < line.count, isSigilByte(line[end]) { end += 1 }
    let sigil = String(repairing: line.extracting(0..<min(end, maxWord)))
    guard let meant = corrections[sigil] else { return nil }
    return ScriptError("no line begins with \"\(sigil)\". Did you mean \"\(meant)\"?", at: 0)
  }

  /// The correct form of a cancel without a blank, such as `x1`; nil for any other word.
  private static func cancel(_ word: String) -> String? {
    guard word.first == "x", let id = TextLineParser.number(word.dropFirst()) else { return nil }
    return "x \(id)"
  }

  private static func isSigilByte(_ byte: UInt8) -> Bool { "<>=-?!+/;".utf8.contains(byte) }

  private static let maxWord = 40

  /// The word at `start`, made printable for a message; nil if it is too long for one. Its
  /// beginning isn't quoted, since it could be that of a secret.
  private static func word(of line: Span<UInt8>, from start: Int) -> String? {
    let beginning = line.extracting(start..<min(line.count, start + 4 * maxWord + 1))
    let word = String(repairing: beginning).prefix { $0 != " " }
    return word.count <= maxWord ? String(word).terminalSafeLine : nil
  }
}
