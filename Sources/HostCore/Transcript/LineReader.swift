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
  /// The recent input lines up to their values, one after the other.
  private var knownBytes: [UInt8] = []
  /// The range of each recent line in `knownBytes`.
  private var knownPrefixes: [Range<Int>] = []
  /// The result of parsing each recent line.
  private var knownInputs: [ScriptLine.InputLine] = []
  private var nextRoute = 0

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
    if let known = repeatedInput(physical) {
      seq = known.seq
      return .input(known.input)
    }
    var number: UInt64?
    defer { seq = number }
    do throws(ScriptError) {
      let parsed = try ScriptLine.parse(buffer.span.extracting(physical), seq: &number)
      if case .input(let input) = parsed { remember(input, number, physical) }
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

  // A program that feeds a session writes the same text before each value. A line that begins with
  // the same bytes as a recent input needs no parsing up to its value.

  package static let maxKnown = 4

  private mutating func remember(
    _ input: ScriptLine.InputLine, _ seq: UInt64?, _ physical: Range<Int>
  ) {
    // In JSON a name may follow the value. It isn't part of the prefix then.
    guard !input.value.isEmpty,
      max(input.handle.upperBound, input.name.upperBound) <= input.value.lowerBound
    else { return }
    let start = physical.lowerBound
    // A number before the value makes the prefix another one each time.
    if seq != nil {
      var end = input.value.upperBound
      guard Self.number(behind: &end, in: buffer.span.extracting(physical)) != nil else { return }
    }
    let prefix = Array(buffer[start..<start + input.value.lowerBound])
    var input = input
    input.route = nextRoute
    // The oldest one is dropped.
    if knownInputs.count == Self.maxKnown {
      let size = knownPrefixes.removeFirst().count
      knownInputs.removeFirst()
      knownBytes.removeFirst(size)
      for index in knownPrefixes.indices {
        let old = knownPrefixes[index]
        knownPrefixes[index] = old.lowerBound - size..<old.upperBound - size
      }
    }
    knownPrefixes.append(knownBytes.count..<knownBytes.count + prefix.count)
    knownInputs.append(input)
    knownBytes += prefix
    nextRoute += 1
  }

  private func repeatedInput(
    _ physical: Range<Int>
  ) -> (input: ScriptLine.InputLine, seq: UInt64?)? {
    let line = buffer.span.extracting(physical)
    for index in knownInputs.indices {
      let prefix = knownPrefixes[index]
      let start = prefix.count
      guard line.count > start,
        line.extracting(0..<start).equals(knownBytes.span.extracting(prefix))
      else { continue }
      // Which whitespace may come before a value differs between the two forms.
      guard line[start] > UInt8(ascii: " ") else { return nil }
      var end = start
      guard let isCanonical = try? JSONScanner.skipValue(in: line, at: &end) else { return nil }
      var number: UInt64?
      var input = knownInputs[index]
      input.value = start..<end
      input.valueIsCanonical = isCanonical
      // Only a number may follow the value, as in the recent input.
      if line[0] == UInt8(ascii: "{") {
        number = Self.number(behind: &end, in: line)
        guard end + 1 == line.count, line[end] == UInt8(ascii: "}") else { return nil }
      } else if end != line.count {
        return nil
      }
      return (input, number)
    }
    return nil
  }

  private static let numberHead = Array(",\"seq\":".utf8)

  /// The number of a line in JSON, if it comes directly behind the value.
  ///
  /// - Parameter end: where the value ends; then where the number ends.
  private static func number(behind end: inout Int, in line: Span<UInt8>) -> UInt64? {
    let start = end + numberHead.count
    guard start < line.count, line.extracting(end..<start).equals(numberHead.span) else {
      return nil
    }
    var last = start
    while last < line.count, 0x30...0x39 ~= line[last] { last += 1 }
    guard let number = JSONLineParser.seq(line.extracting(start..<last)) else { return nil }
    end = last
    return number
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
