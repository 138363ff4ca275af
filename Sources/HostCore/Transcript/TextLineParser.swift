import Basics
import CanonicalJSON

/// Reads a line of a script in its text form. Its first character tells the kind of line.
enum TextLineParser {
  static let space = UInt8(ascii: " ")

  static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine {
    switch line[0] {
    case UInt8(ascii: "#"):
      try checkComment(line)
      return .nothing
    case UInt8(ascii: ">"):
      if !UnknownLine.isMergeMarker(line) { return .input(try input(line)) }
    case UInt8(ascii: "<"), UInt8(ascii: "?"):
      if !UnknownLine.isMergeMarker(line) {
        return .expectation(try ExpectationParser.parse(line))
      }
    case UInt8(ascii: "x"):
      // A word that begins with x was probably meant as an input.
      if line.count < 2 || line[1] == space || line[1] == tab {
        return .expectation(try ExpectationParser.parse(line))
      }
    case UInt8(ascii: "+"):
      return .command(try advance(line))
    case UInt8(ascii: "!"):
      return .command(try answer(line))
    case UInt8(ascii: "@"):
      return .command(try DirectiveParser.parse(line))
    case space, tab:
      if isBlank(line) { return .nothing }
      throw misplacedContinuation(line)
    default:
      if let version = try version(line) { return .command(version) }
    }
    throw UnknownLine.error(line)
  }

  /// The version of the format of transcripts.
  static let formatVersion = 1

  private static let tab = UInt8(ascii: "\t")

  private static func misplacedContinuation(_ line: Span<UInt8>) -> ScriptError {
    badContinuation(line)
      ?? ScriptError(
        "this line begins with a space, so it continues the line before, which is complete.",
        at: 0)
  }

  /// What is wrong with a line that interrupts a value; nil if it can be a line of its own.
  static func badContinuation(_ line: Span<UInt8>) -> ScriptError? {
    guard line.count > 0 else { return nil }
    if UnknownLine.isMergeMarker(line) { return UnknownLine.error(line) }
    guard line[0] == tab, !isBlank(line) else { return nil }
    return ScriptError(
      "this line begins with a tab. A value continues in lines that begin with two spaces; no"
        + " other line begins with a space or a tab.", at: 0)
  }

  static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != space && line[index] != tab { return false }
    return true
  }

  private static func checkComment(_ line: Span<UInt8>) throws(ScriptError) {
    if let offset = line.firstIndex(of: 0x0d, from: 0) { throw strayReturn(at: offset) }
    if let error = notUTF8(line, 0..<line.count) { throw error }
  }

  // MARK: `> [HANDLE.]port [JSON]`

  private static func input(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine.InputLine {
    let start = try afterSigil(line, then: "an input, as in \"> didSearch \\\"batman\\\"\"")
    let end = try endOfWord(line, from: start)
    var result = ScriptLine.InputLine()
    (result.handle, result.name) = try split(start..<end, line)
    guard !result.name.isEmpty else {
      throw ScriptError("expected the name of an input.", at: result.name.lowerBound)
    }
    guard let value = try value(of: line, from: end) else { return result }
    result.value = value.range
    result.valueIsCanonical = value.isCanonical
    return result
  }

  /// The JSON value that fills the rest of the line, or nil if there is none.
  static func value(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> (range: Range<Int>, isCanonical: Bool)? {
    let valueStart = try skipBlanks(line, from: start)
    guard valueStart < line.count else { return nil }
    do throws(JSONError) {
      var end = valueStart
      let isCanonical = try JSONScanner.skipValue(in: line, at: &end)
      var after = end
      JSONScanner.skipWhitespace(in: line, at: &after)
      guard after == line.count else {
        throw JSONError(
          code: .trailingData, offset: after, detail: "expected the end of the line")
      }
      return (valueStart..<end, isCanonical)
    } catch {
      let isWord =
        valueStart < line.count && line[valueStart] >= 0x41 && line[valueStart] <= 0x7a
        && line[valueStart] != UInt8(ascii: "[")
      throw ScriptError(
        "the value is not JSON: \(error.detail)."
          + (isWord ? " Text is written in double quotes." : ""), at: error.offset,
        isIncomplete: error.code == .unexpectedEnd)
    }
  }

  /// The value that fills the rest of the line, as canonical JSON; empty if there is none.
  static func canonicalValue(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> [UInt8] {
    guard let value = try value(of: line, from: start) else { return [] }
    return try canonicalValue(of: line, value.range)
  }

  /// The value in `range`, as canonical JSON; empty if the range is empty.
  static func canonicalValue(
    of line: Span<UInt8>, _ range: Range<Int>
  ) throws(ScriptError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    do throws(JSONError) {
      return try CanonicalJSON.bytes(line.extracting(range))
    } catch {
      throw ScriptError(
        "the value is not JSON: \(error.detail).", at: range.lowerBound + error.offset)
    }
  }

  /// The value that fills the rest of the line, decoded; nil if there is none.
  static func decodedValue(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> JSONValue? {
    guard let value = try value(of: line, from: start) else { return nil }
    return try decodedValue(of: line, value.range)
  }

  static func decodedValue(
    of line: Span<UInt8>, _ range: Range<Int>
  ) throws(ScriptError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: line.extracting(range))
    } catch {
      throw ScriptError(
        "the value is not JSON: \(error.detail).", at: range.lowerBound + error.offset)
    }
  }

  // MARK: `+ DURATION`

  private static func advance(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let start = try afterSigil(line, then: "\(TimeSpan.form), or \"idle\"")
    return try advance(rest(of: line, from: start), at: start)
  }

  static func advance(_ text: String, at offset: Int) throws(ScriptError) -> ScriptCommand {
    if text == "idle" { return .advanceUntilIdle }
    if let span = TimeSpan.parse(text) { return .advance(span) }
    let problem = TimeSpan.problem(with: text, form: "\(TimeSpan.form), nor \"idle\"")
    throw ScriptError("\"\(text)\" \(problem).\(unitHint(text))", at: offset)
  }

  /// Suggests milliseconds for a time without a unit.
  static func unitHint(_ text: String, prefix: String = "") -> String {
    number(text) == nil ? "" : " Did you mean \"\(prefix)\(text)ms\"?"
  }

  // MARK: `! [HANDLE.]ID [JSON]`, `! [HANDLE.]ID error JSON`

  private static func answer(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let start = try afterSigil(
      line, then: "the id of a request, as in \"! 1 {\\\"status\\\":200}\"")
    let end = try endOfWord(line, from: start)
    let (handleRange, id) = try requestID(start..<end, line)
    let handle =
      handleRange.isEmpty ? nil : String(repairing: line.extracting(handleRange))
    let next = try skipBlanks(line, from: end)
    let endOfKeyword = line.firstIndex(of: space, from: next) ?? line.count
    let keyword = Array("error".utf8)
    guard line.extracting(next..<endOfKeyword).equals(keyword.span) else {
      return .reply(handle: handle, id: id, value: try canonicalValue(of: line, from: end))
    }
    let (code, message) = try failure(line, from: endOfKeyword)
    return .failure(handle: handle, id: id, code: code, message: message)
  }

  private static func failure(
    _ line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> (code: String, message: String) {
    let offset = try skipBlanks(line, from: start)
    guard let error = try decodedValue(of: line, from: start), let members = error.objectValue,
      let code = error["code"]?.stringValue
    else {
      throw ScriptError(
        "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}.", at: offset)
    }
    for name in members.keys.sorted() where name != "code" && name != "message" {
      throw ScriptError(
        "an error has no \"\(name)\"." + NearestName.hint(for: name, among: ["code", "message"]),
        at: offset)
    }
    guard let message = error["message"] else { return (code, "") }
    guard let text = message.stringValue else {
      throw ScriptError("the \"message\" of an error must be a string.", at: offset)
    }
    return (code, text)
  }

  // MARK: Parts

  private static func version(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand? {
    let word = Array("vmt".utf8)
    guard line.count >= word.count, line.extracting(0..<word.count).equals(word.span),
      line.count == word.count || line[word.count] <= space
    else { return nil }
    let start = try skipBlanks(line, from: word.count)
    let text = try rest(of: line, from: start)
    guard let number = number(text) else {
      throw ScriptError("expected the version of the format, as in \"vmt 1\".", at: start)
    }
    guard number == formatVersion else {
      throw ScriptError(
        "this file has format \(number), this vmhost knows format \(formatVersion)."
          + " Use a newer vmhost.",
        at: start)
    }
    return .version(formatVersion)
  }

  /// The offset of what follows a sigil and its blank.
  static func afterSigil(
    _ line: Span<UInt8>, then what: String
  ) throws(ScriptError) -> Int {
    guard line.count > 1 else { throw ScriptError("expected \(what).", at: line.count) }
    guard line[1] == space else { throw UnknownLine.withoutBlank(line) }
    let start = try skipBlanks(line, from: 1)
    guard start < line.count else { throw ScriptError("expected \(what).", at: line.count) }
    return start
  }
}
