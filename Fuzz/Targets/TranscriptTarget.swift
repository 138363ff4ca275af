import CanonicalJSON
import HostCore

/// What a script, a recording or a test says.
///
/// The first two bytes say into which pieces the others are cut.
enum TranscriptTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let sizes = [Int(reader.byte()) + 1, Int(reader.byte()) + 1]
    let transcript = Array(input.dropFirst(2))
    let lines = ReadLine.all(of: [transcript])
    let cut = ReadLine.all(of: pieces(of: transcript, sizes))
    try require(cut == lines, "lines are the same however they are cut")
    for line in lines { try check(line) }
    try checkRewriting(transcript, lines)
  }

  /// Pieces of the two sizes in turn.
  private static func pieces(of bytes: [UInt8], _ sizes: [Int]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = sizes[pieces.count % sizes.count]
      pieces.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return pieces
  }

  private static func check(_ line: ReadLine) throws(FuzzFinding) {
    switch line.result {
    case .success(let understood):
      let alone = try? ScriptLine.parse(line.bytes.span)
      try require(alone == understood, "a line means the same by itself")
    case .failure(let error):
      try require(
        (0...line.bytes.count).contains(error.offset), "an error is somewhere in its line")
      let report = error.report(source: "f", number: line.number, line: line.bytes.span)
      try require(report.hasPrefix("f:"), "an error can be shown")
    }
  }

  private static func checkRewriting(
    _ transcript: [UInt8], _ lines: [ReadLine]
  ) throws(FuzzFinding) {
    let firstError = lines.lazy.compactMap(\.error).first
    let canonical: [UInt8]
    do throws(CanonicalTranscript.LineError) {
      canonical = try CanonicalTranscript.rewrite(transcript)
    } catch {
      // Keys are compared only where values are rewritten.
      return try require(
        error.error == firstError || error.error.message.contains("expected each key once"),
        "what can be read can be rewritten: \(error.error)")
    }
    try require(firstError == nil, "what can't be read can't be rewritten")
    let again = try? CanonicalTranscript.rewrite(canonical)
    try require(again == canonical, "what is canonical stays as it is")
    let meanings = try? lines.map { line throws in try Meaning(line) }
    let rewritten = try? ReadLine.all(of: [canonical]).map { line throws in try Meaning(line) }
    try require(meanings != nil && meanings == rewritten, "the canonical form means the same")
  }
}

/// A line as a feed gave it.
private struct ReadLine: Equatable {
  let number: Int
  let lastNumber: Int
  let bytes: [UInt8]
  let result: Result<ScriptLine, ScriptError>

  var error: ScriptError? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// All lines, with those that come after errors.
  static func all(of pieces: [[UInt8]]) -> [ReadLine] {
    var feed = LineReader()
    var lines: [ReadLine] = []
    for piece in pieces {
      feed.fill { $0 += piece }
      while let line = next(&feed, atEnd: false) { lines.append(line) }
    }
    while let line = next(&feed, atEnd: true) { lines.append(line) }
    return lines
  }

  private static func next(_ feed: inout LineReader, atEnd: Bool) -> ReadLine? {
    let result: Result<ScriptLine, ScriptError>
    do throws(ScriptError) {
      guard let line = try feed.next(atEnd: atEnd) else { return nil }
      result = .success(withoutRoute(line))
    } catch { result = .failure(error) }
    return ReadLine(
      number: feed.number, lastNumber: feed.lastNumber, bytes: Array(feed.storage[feed.line]),
      result: result)
  }

  /// Routes are the feed's own; a line by itself has none.
  private static func withoutRoute(_ line: ScriptLine) -> ScriptLine {
    guard case .input(var input) = line else { return line }
    input.route = -1
    return .input(input)
  }
}

/// What a line says, without how it is written.
private enum Meaning: Equatable {
  case nothing([UInt8])
  case input(handle: [UInt8], name: [UInt8], value: [UInt8])
  case expectation(
    ScriptLine.ExpectationLine.Kind, offset: Nanoseconds?, handle: [UInt8], id: UInt64,
    name: [UInt8], value: [UInt8])
  case command(ScriptCommand)

  init(_ line: ReadLine) throws { try self.init(try line.result.get(), line.bytes) }

  private init(_ line: ScriptLine, _ bytes: [UInt8]) throws {
    func part(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
    func value(_ range: Range<Int>) throws -> [UInt8] {
      range.isEmpty ? [] : try CanonicalJSON.bytes(bytes.span.extracting(range))
    }
    switch line {
    case .nothing: self = .nothing(bytes)
    case .input(let input):
      self = .input(
        handle: part(input.handle), name: part(input.name), value: try value(input.value))
    case .expectation(let expected):
      self = .expectation(
        expected.kind, offset: expected.offset, handle: part(expected.handle), id: expected.id,
        name: part(expected.name), value: try value(expected.value))
    case .command(let command): self = .command(command)
    case .rewritten(let other): self = try Meaning(try ScriptLine.parse(other.span), other)
    }
  }
}
