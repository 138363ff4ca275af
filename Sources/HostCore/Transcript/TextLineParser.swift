import CanonicalJSON

/// Reads a line of a script in its text form: the first character says what it is.
enum TextLineParser {
  static let directives = [
    "plugin", "open", "close", "seed", "time", "locale", "timezone", "storage", "record",
    "simulate",
  ]

  static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine {
    switch line[0] {
    case UInt8(ascii: "#"):
      return .nothing
    case UInt8(ascii: ">"):
      return .input(try input(line))
    case UInt8(ascii: "<"), UInt8(ascii: "?"), UInt8(ascii: "x"):
      if line.count > 1 && line[1] == space { return .nothing }
    case UInt8(ascii: "+"):
      return .command(try advance(line))
    case UInt8(ascii: "!"):
      return .command(try answer(line))
    case UInt8(ascii: "@"):
      return .command(try DirectiveParser.parse(line))
    case space, UInt8(ascii: "\t"):
      if isBlank(line) { return .nothing }
      throw ScriptError(
        "this line goes on from the one before (it begins with a blank), but that one is complete.",
        at: 0)
    default:
      if let version = try version(line) { return .command(version) }
    }
    throw ScriptError(unknown(line), at: 0)
  }

  private static let space = UInt8(ascii: " ")

  private static func unknown(_ line: Span<UInt8>) -> String {
    let beginning = line.extracting(0..<min(line.count, 200))
    let word = String(String(repairing: beginning).prefix { $0 != " " }.prefix(40))
    return "no line begins with \"\(word)\". An input is \"> \(word) …\", a comment \"# …\", time"
      + " \"+ 300ms\", a directive \"@open …\"."
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != space && line[index] != UInt8(ascii: "\t") {
      return false
    }
    return true
  }

  // MARK: `> [HANDLE.]port [JSON]`

  private static func input(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine.InputLine {
    let start = try afterSigil(line, then: "an input, as in \"> didSearch \\\"batman\\\"\"")
    let end = line.firstIndex(of: space, from: start) ?? line.count
    var result = ScriptLine.InputLine()
    if let dot = line.firstIndex(of: UInt8(ascii: "."), from: start), dot < end {
      result.handle = start..<dot
      result.name = dot + 1..<end
    } else {
      result.name = start..<end
    }
    guard !result.name.isEmpty else {
      throw ScriptError("expected the name of an input.", at: result.name.lowerBound)
    }
    guard let value = try value(of: line, from: end) else { return result }
    result.value = value.range
    result.valueIsCanonical = value.isCanonical
    return result
  }

  /// The JSON value that takes the rest of the line, or nil if there is none.
  private static func value(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> (range: Range<Int>, isCanonical: Bool)? {
    var begin = start
    JSONScanner.skipWhitespace(in: line, at: &begin)
    guard begin < line.count else { return nil }
    do throws(JSONError) {
      var end = begin
      let isCanonical = try JSONScanner.skipValue(in: line, at: &end)
      var after = end
      JSONScanner.skipWhitespace(in: line, at: &after)
      guard after == line.count else {
        throw JSONError(
          code: .trailingData, offset: after, detail: "expected the end of the line")
      }
      return (begin..<end, isCanonical)
    } catch {
      let isWord = error.offset == begin && begin < line.count && line[begin] >= 0x41
      throw ScriptError(
        "the value is not JSON: \(error.detail)."
          + (isWord ? " Text is written in double quotes." : ""), at: error.offset,
        isIncomplete: error.code == .unexpectedEnd)
    }
  }

  /// The value that takes the rest of the line, as canonical JSON; empty if there is none.
  static func canonicalValue(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> [UInt8] {
    guard let value = try value(of: line, from: start) else { return [] }
    do throws(JSONError) {
      return try CanonicalJSON.bytes(line.extracting(value.range))
    } catch {
      throw ScriptError(
        "the value is not JSON: \(error.detail).", at: value.range.lowerBound + error.offset)
    }
  }

  // MARK: `+ DURATION`

  private static func advance(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let start = try afterSigil(line, then: "\(TimeSpan.form), or \"idle\"")
    return try advance(word(of: line, from: start), at: start)
  }

  static func advance(_ text: String, at offset: Int) throws(ScriptError) -> ScriptCommand {
    if text == "idle" { return .advanceUntilIdle }
    if let span = TimeSpan.parse(text) { return .advance(span) }
    throw ScriptError("\"\(text)\" is not \(TimeSpan.form), nor \"idle\".", at: offset)
  }

  /// The rest of a line, without the blanks at its end.
  static func word(of line: Span<UInt8>, from start: Int) -> String {
    var end = line.count
    while end > start && line[end - 1] == space { end -= 1 }
    return String(repairing: line.extracting(start..<end))
  }

  // MARK: `! [HANDLE.]ID [JSON]`, `! [HANDLE.]ID error JSON`

  private static func answer(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let start = try afterSigil(
      line, then: "the id of a request, as in \"! 1 {\\\"status\\\":200}\"")
    let end = line.firstIndex(of: space, from: start) ?? line.count
    let words = String(repairing: line.extracting(start..<end))
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = words.last, let id = UInt64(last), id > 0 else {
      throw ScriptError(
        "\"\(words.last ?? "")\" is not the id of a request, which is a number from 1 on.",
        at: start)
    }
    let handle = words.count == 2 ? String(words[0]) : nil
    var next = end
    JSONScanner.skipWhitespace(in: line, at: &next)
    let marker = Array("error".utf8)
    guard next + marker.count <= line.count,
      line.extracting(next..<next + marker.count).equals(marker.span)
    else {
      return .reply(handle: handle, id: id, value: try canonicalValue(of: line, from: end))
    }
    let value = try canonicalValue(of: line, from: next + marker.count)
    guard let error = try? JSONValue(parsing: value.span), let code = error["code"]?.stringValue
    else {
      throw ScriptError(
        "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}.",
        at: next + marker.count)
    }
    return .failure(
      handle: handle, id: id, code: code, message: error["message"]?.stringValue ?? "")
  }

  // MARK: Parts

  private static func version(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand? {
    let words = String(repairing: line).split(separator: " ")
    guard words.first == "vmt" else { return nil }
    guard words.count == 2, let number = Int(words[1]) else {
      throw ScriptError("expected the version of the format, as in \"vmt 1\".", at: 3)
    }
    guard number == 1 else {
      throw ScriptError(
        "this file has format \(number), this vmhost knows format 1. Use a newer vmhost.", at: 4)
    }
    return .version(number)
  }

  /// Where the content begins after a sigil and its blank.
  private static func afterSigil(
    _ line: Span<UInt8>, then what: String
  ) throws(ScriptError) -> Int {
    guard line.count > 1 else { throw ScriptError("expected \(what).", at: line.count) }
    guard line[1] == space else {
      let sigil = Character(UnicodeScalar(line[0]))
      throw ScriptError("expected a blank between \"\(sigil)\" and what follows.", at: 1)
    }
    var start = 1
    while start < line.count && line[start] == space { start += 1 }
    guard start < line.count else { throw ScriptError("expected \(what).", at: line.count) }
    return start
  }
}
