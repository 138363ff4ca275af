import Basics
import CanonicalJSON

/// Splits the bytes of a file, a pipe or a terminal into lines and parses them.
///
/// A value may continue on lines that begin with two blanks. Line breaks are LF or CR LF, and the
/// last one may be missing. Only bytes that weren't read yet are kept in memory.
package struct LineReader: ~Copyable {
  /// The maximum length of a line. Otherwise input without line breaks would fill the memory.
  private static let maxLineBytes = 1 << 28

  /// The bytes that hold the current line, as `storage[line]`. Ranges in a `ScriptLine` count from
  /// the start of the line.
  package var storage: [UInt8] { isJoined ? joinedLine : buffer }

  /// Calls `body` with the bytes of the current line.
  package func withLine<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    isJoined
      ? try body(joinedLine.span.extracting(line)) : try body(buffer.span.extracting(line))
  }

  package private(set) var line: Range<Int> = 0..<0
  /// The number of the current line in its source, from 1. If a value spans several lines, it is
  /// the first one's.
  package private(set) var number = 0
  /// The number that the sender gave the current line; nil for none.
  package private(set) var seq: UInt64?
  /// The number of the last line that the current value spans.
  package var lastNumber: Int { isJoined ? number + joinedBreaks : number }
  /// Whether the bytes so far end within a line, or within a value.
  package var isWithinLine: Bool { consumed < buffer.count || isDropping || !joined.isEmpty }

  private var buffer: [UInt8] = []
  private var consumed = 0
  private var scanned = 0
  /// Whether the current line is too long, so that its rest is to be dropped.
  private var isDropping = false
  private var physicalNumber = 0
  /// The lines of a value that isn't complete yet.
  private var joined: [UInt8] = []
  private var joinedNumber = 0
  private var openBrackets = 0
  private var isJoined = false
  private var joinedLine: [UInt8] = []
  private var joinedBreaks = 0
  private var recent = RecentInputs()

  package init() {}

  /// Adds the bytes that `read` appends to its argument.
  ///
  /// - Returns: what `read` returns.
  /// - Throws: what `read` throws.
  package mutating func fill<Failure: Error, Result>(
    _ read: (inout [UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if consumed > 0 {
      buffer.removeSubrange(..<consumed)
      scanned -= consumed
      consumed = 0
    }
    return try read(&buffer)
  }

  /// Reads the next line.
  ///
  /// - Parameter atEnd: whether no more bytes will come.
  /// - Returns: the line, or nil if it isn't complete yet.
  /// - Throws: what is wrong with the line, which `line` and `number` then identify.
  package mutating func next(atEnd: Bool) throws(ScriptError) -> ScriptLine? {
    while let physical = try nextPhysicalLine(atEnd: atEnd) {
      if startsWithBlanks(physical) {
        if !joined.isEmpty {
          guard joined.count + physical.count <= Self.maxLineBytes else {
            giveUpJoining(at: physical)
            throw ScriptError("this value is longer than \(Self.maxLineBytes) bytes.", at: 0)
          }
          join(physical)
          if openBrackets <= 0 { return try parseJoined() }
          continue
        }
      } else if !joined.isEmpty {
        if let error = TextLineParser.badContinuation(buffer.span.extracting(physical)) {
          giveUpJoining(at: physical)
          throw error
        }
        // The previous value is incomplete, and that is the error to show. This line is read again
        // by the next call.
        unread(physical)
        return try parseJoined()
      }
      if let parsed = try parse(physical) { return parsed }
    }
    if atEnd && !joined.isEmpty { return try parseJoined() }
    return nil
  }

  private mutating func parse(_ physical: Range<Int>) throws(ScriptError) -> ScriptLine? {
    isJoined = false
    line = physical
    number = physicalNumber
    if let match = recent.match(buffer.span.extracting(physical)) {
      seq = match.seq
      return .input(recent.input(of: match))
    }
    var number: UInt64?
    defer { seq = number }
    do throws(ScriptError) {
      let parsed = try ScriptLine.parse(buffer.span.extracting(physical), seq: &number)
      if case .input(let input) = parsed {
        let bytes = buffer
        recent.remember(input, number, bytes.span.extracting(physical))
      }
      if case .command(.version) = parsed, physicalNumber != 1 {
        throw ScriptError("the version of the format may only be in the first line.", at: 0)
      }
      return parsed
    } catch {
      guard error.isIncomplete else { throw error }
      joinedNumber = physicalNumber
      openBrackets = 0
      join(physical)
      return nil
    }
  }

  /// Drops an incomplete value and makes this line the current one, as the error is in it.
  private mutating func giveUpJoining(at physical: Range<Int>) {
    joined = []
    isJoined = false
    line = physical
    number = physicalNumber
  }

  private mutating func join(_ physical: Range<Int>) {
    if !joined.isEmpty { joined.append(0x0a) }
    openBrackets += Self.brackets(in: buffer.span.extracting(physical))
    joined.append(contentsOf: buffer[physical])
  }

  private mutating func parseJoined() throws(ScriptError) -> ScriptLine {
    swap(&joinedLine, &joined)
    joined = []
    isJoined = true
    joinedBreaks = physicalNumber - joinedNumber
    line = 0..<joinedLine.count
    number = joinedNumber
    seq = nil
    return try ScriptLine.parse(joinedLine.span)
  }

  /// The number of brackets that a line opens, minus those that it closes. Strings never span
  /// lines.
  private static func brackets(in line: Span<UInt8>) -> Int {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for index in line.indices {
      let byte = line[index]
      if isInString {
        if !isEscaped && byte == 0x22 { isInString = false }
        isEscaped = !isEscaped && byte == 0x5c
      } else if byte == 0x22 {
        isInString = true
      } else if byte == 0x7b || byte == 0x5b {
        depth += 1
      } else if byte == 0x7d || byte == 0x5d {
        depth -= 1
      }
    }
    return depth
  }

  // MARK: Repeated inputs

  /// A complete line that begins like a recent input.
  package struct Repeat {
    fileprivate let match: RecentInputs.Match
    fileprivate let line: Range<Int>

    /// The route of the input.
    package var route: Int { match.route }
    /// Whether the value is canonical JSON.
    package var valueIsCanonical: Bool { match.valueIsCanonical }
    /// The number that the sender gave the line; nil for none.
    package var seq: UInt64? { match.seq }
  }

  /// Reads the next line if it begins like a recent input. It remains the next one until it is
  /// taken.
  @inline(__always) package func peekRepeat() -> Repeat? {
    guard !isDropping, joined.isEmpty,
      let newline = buffer.span.firstIndex(of: 0x0a, from: max(scanned, consumed)),
      let match = recent.match(buffer.span.extracting(consumed..<newline))
    else { return nil }
    return Repeat(match: match, line: consumed..<newline)
  }

  /// The result of parsing a line that was found.
  package func input(of found: Repeat) -> ScriptLine.InputLine { recent.input(of: found.match) }

  /// The number of the line after the current one, as it is written.
  package var nextNumber: Int { physicalNumber + 1 }

  /// Calls `body` with the value of a line that was found.
  @inline(__always)
  package func withValue(of found: Repeat, _ body: (Span<UInt8>) -> Void) {
    let start = found.line.lowerBound
    let value = found.match.value
    body(buffer.span.extracting(start + value.lowerBound..<start + value.upperBound))
  }

  /// Makes the line that was found the current one.
  package mutating func take(_ found: Repeat) {
    line = takeLine(to: found.line.upperBound, next: found.line.upperBound + 1)
    isJoined = false
    number = physicalNumber
    seq = found.seq
  }

  // MARK: Physical lines

  private mutating func nextPhysicalLine(atEnd: Bool) throws(ScriptError) -> Range<Int>? {
    if isDropping { dropLine() }
    guard let newline = buffer.span.firstIndex(of: 0x0a, from: max(scanned, consumed)) else {
      scanned = buffer.count
      guard buffer.count - consumed <= Self.maxLineBytes else {
        number = physicalNumber + 1
        isJoined = false
        seq = nil
        dropLine()
        line = consumed..<consumed
        throw ScriptError("this line is longer than \(Self.maxLineBytes) bytes.", at: 0)
      }
      guard atEnd, consumed < buffer.count else { return nil }
      return takeLine(to: buffer.count, next: buffer.count)
    }
    return takeLine(to: newline, next: newline + 1)
  }

  /// Drops the line that is too long, as far as it has come.
  private mutating func dropLine() {
    let newline = buffer.span.firstIndex(of: 0x0a, from: consumed)
    isDropping = newline == nil
    if newline != nil { physicalNumber += 1 }
    consumed = newline.map { $0 + 1 } ?? buffer.count
    scanned = consumed
  }

  private mutating func takeLine(to end: Int, next: Int) -> Range<Int> {
    let start = consumed
    consumed = next
    scanned = max(scanned, next)
    physicalNumber += 1
    let isCarriageReturn = end > start && buffer[end - 1] == 0x0d
    return start..<(isCarriageReturn ? end - 1 : end)
  }

  private mutating func unread(_ physical: Range<Int>) {
    consumed = physical.lowerBound
    // The line break must be found again.
    scanned = consumed
    physicalNumber -= 1
  }

  private func startsWithBlanks(_ physical: Range<Int>) -> Bool {
    physical.count > 2 && buffer[physical.lowerBound] == 0x20
      && buffer[physical.lowerBound + 1] == 0x20
  }
}
