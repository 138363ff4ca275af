import Basics

/// Reads the lines that expect what a step emits: `<`, `?` and `x`.
enum ExpectationParser {
  static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptLine.ExpectationLine {
    switch line[0] {
    case UInt8(ascii: "<"): try output(line)
    case UInt8(ascii: "?"): try request(line)
    default: try cancel(line)
    }
  }

  /// `< [@OFFSET] [HANDLE.]port [JSON]`
  private static func output(
    _ line: Span<UInt8>
  ) throws(ScriptError) -> ScriptLine.ExpectationLine {
    var result = ScriptLine.ExpectationLine(kind: .output)
    let start = try afterOffset(
      line, of: &result, then: "an output, as in \"< loading \\\"none\\\"\"")
    let end = try TextLineParser.endOfWord(line, from: start)
    (result.handle, result.name) = try TextLineParser.split(start..<end, line)
    guard !result.name.isEmpty else {
      throw ScriptError("expected the name of an output.", at: result.name.lowerBound)
    }
    try takeValue(line, from: end, &result)
    return result
  }

  /// `? [@OFFSET] [HANDLE.]ID effect [JSON]`
  private static func request(
    _ line: Span<UInt8>
  ) throws(ScriptError) -> ScriptLine.ExpectationLine {
    var result = ScriptLine.ExpectationLine(kind: .request)
    let start = try afterOffset(
      line, of: &result, then: "a request, as in \"? 1 http {\\\"url\\\":…}\"")
    let end = try TextLineParser.endOfWord(line, from: start)
    (result.handle, result.id) = try TextLineParser.requestID(
      start..<end, line, hint: { " It comes before the effect, as in \"? 1 \($0)\"." })
    let next = try TextLineParser.skipBlanks(line, from: end)
    guard next < line.count, line[next] != UInt8(ascii: "{") else {
      throw ScriptError("expected the name of an effect, such as http.", at: next)
    }
    let endOfEffect = try TextLineParser.endOfWord(line, from: next)
    result.name = next..<endOfEffect
    try takeValue(line, from: endOfEffect, &result)
    return result
  }

  /// `x [@OFFSET] [HANDLE.]ID`
  private static func cancel(
    _ line: Span<UInt8>
  ) throws(ScriptError) -> ScriptLine.ExpectationLine {
    var result = ScriptLine.ExpectationLine(kind: .cancel)
    let start = try afterOffset(line, of: &result, then: "the id of a request, as in \"x 1\"")
    let end = try TextLineParser.endOfWord(line, from: start)
    (result.handle, result.id) = try TextLineParser.requestID(start..<end, line)
    let next = try TextLineParser.skipBlanks(line, from: end)
    guard next == line.count else {
      throw ScriptError("expected nothing after the id of the request.", at: next)
    }
    return result
  }

  // MARK: Parts

  /// Reads the time offset, if there is one.
  ///
  /// - Returns: the offset in the line of what follows the sigil and the time offset.
  private static func afterOffset(
    _ line: Span<UInt8>, of result: inout ScriptLine.ExpectationLine, then what: String
  ) throws(ScriptError) -> Int {
    let start = try TextLineParser.afterSigil(line, then: what)
    guard line[start] == UInt8(ascii: "@") else { return start }
    let end = try TextLineParser.endOfWord(line, from: start)
    let text = String(repairing: line.extracting(start + 1..<end))
    guard let offset = TimeSpan.parse(text) else {
      throw ScriptError(
        "\"@\(text)\" \(TimeSpan.problem(with: text, form: "an offset such as @300ms"))."
          + TextLineParser.unitHint(text, prefix: "@"), at: start)
    }
    result.offset = offset
    let next = try TextLineParser.skipBlanks(line, from: end)
    guard next < line.count else { throw ScriptError("expected \(what).", at: line.count) }
    return next
  }

  private static func takeValue(
    _ line: Span<UInt8>, from start: Int, _ result: inout ScriptLine.ExpectationLine
  ) throws(ScriptError) {
    guard let value = try TextLineParser.value(of: line, from: start) else { return }
    result.value = value.range
    result.valueIsCanonical = value.isCanonical
  }
}
