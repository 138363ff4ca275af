import Basics

/// Reads the words before a value, which are separated by blanks.
extension TextLineParser {
  /// The offset of the first byte after the blanks at `start`.
  static func skipBlanks(_ line: Span<UInt8>, from start: Int) throws(ScriptError) -> Int {
    var next = start
    while next < line.count && line[next] == space { next += 1 }
    if next < line.count, let error = strayByte(in: line, next..<next + 1) { throw error }
    return next
  }

  /// The end of the word that begins at `start`.
  static func endOfWord(_ line: Span<UInt8>, from start: Int) throws(ScriptError) -> Int {
    let end = line.firstIndex(of: space, from: start) ?? line.count
    try checkWords(line, start..<end)
    return end
  }

  /// The rest of a line, without the blanks at its end.
  static func rest(of line: Span<UInt8>, from start: Int) throws(ScriptError) -> String {
    var end = line.count
    while end > start && line[end - 1] == space { end -= 1 }
    try checkWords(line, start..<end)
    return String(repairing: line.extracting(start..<end))
  }

  /// Splits a word at its first dot into a handle, which is empty if there is no dot, and the rest.
  static func split(
    _ word: Range<Int>, _ line: Span<UInt8>
  ) throws(ScriptError) -> (handle: Range<Int>, rest: Range<Int>) {
    guard let dot = line.firstIndex(of: UInt8(ascii: "."), from: word.lowerBound),
      dot < word.upperBound
    else { return (0..<0, word) }
    guard dot > word.lowerBound else {
      throw ScriptError("expected the handle of an instance before the dot.", at: dot)
    }
    return (word.lowerBound..<dot, dot + 1..<word.upperBound)
  }

  /// The handle and id of `[HANDLE.]ID`.
  ///
  /// - Parameter hint: makes the end of the error's message from the word that is there instead.
  static func requestID(
    _ word: Range<Int>, _ line: Span<UInt8>, hint: (String) -> String = { _ in "" }
  ) throws(ScriptError) -> (handle: Range<Int>, id: UInt64) {
    let (handle, digits) = try split(word, line)
    let text = String(repairing: line.extracting(digits))
    guard let id = number(text), id > 0 else {
      throw ScriptError(
        "\"\(text)\" is not the id of a request: use a whole number from 1 on."
          + hint(String(repairing: line.extracting(word))),
        at: digits.lowerBound)
    }
    return (handle, id)
  }

  /// A number in decimal digits, without a sign.
  static func number(_ text: some StringProtocol) -> UInt64? {
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt64(text)
  }

  // MARK: Bytes that no word may have

  private static func checkWords(
    _ line: Span<UInt8>, _ range: Range<Int>
  ) throws(ScriptError) {
    var isASCII = true
    for index in range {
      let byte = line[index]
      if byte < 0x20 || byte == 0x7f, let error = strayByte(in: line, index..<index + 1) {
        throw error
      }
      if byte >= 0x80 { isASCII = false }
    }
    if !isASCII, let error = notUTF8(line, range) { throw error }
  }

  /// The error for the first control character in a range.
  static func strayByte(in line: Span<UInt8>, _ range: Range<Int>) -> ScriptError? {
    guard let offset = range.first(where: { line[$0] < 0x20 || line[$0] == 0x7f }) else {
      return nil
    }
    switch line[offset] {
    case UInt8(ascii: "\t"):
      return ScriptError(
        "there is a tab here. Separate words with spaces; a tab is only allowed inside a JSON"
          + " value.", at: offset)
    case UInt8(ascii: "\r"):
      return strayReturn(at: offset)
    default:
      let code = String(line[offset], radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: 4 - code.count) + code
      return ScriptError("there is a control character here (U+\(digits)).", at: offset)
    }
  }

  static func strayReturn(at offset: Int) -> ScriptError {
    ScriptError(
      "there is a carriage return within this line. Lines end with LF or CR LF.", at: offset)
  }

  static func notUTF8(_ line: Span<UInt8>, _ range: Range<Int>) -> ScriptError? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: line.extracting(range))
      return nil
    } catch {
      return ScriptError(
        "there are bytes here that are not UTF-8. Save the file as UTF-8.",
        at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }
}
