import Basics
import CanonicalJSON

/// Turns what comes from a file, a pipe or a terminal into understood lines.
///
/// A value may go on over lines that begin with two blanks. Line breaks are LF or CR LF; the last
/// one may be missing. Memory holds what has come and wasn't read yet, and no more.
package struct LineReader: ~Copyable {
  /// Without a limit, input without line breaks would take all memory.
  private static let maxLineBytes = 1 << 28

  /// Where the present line lies: `storage[line]`. Ranges in a `ScriptLine` count from its start.
  package var storage: [UInt8] { isJoined ? joinedLine : buffer }

  /// Lends the bytes of the present line.
  package func withLine<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    isJoined
      ? try body(joinedLine.span.extracting(line)) : try body(buffer.span.extracting(line))
  }

  package private(set) var line: Range<Int> = 0..<0
  /// The number of the present line in its source, from 1; its first one if there are several.
  package private(set) var number = 0
  /// The number of its last line: another one where a value goes on.
  package var lastNumber: Int { isJoined ? number + joinedBreaks : number }
  /// Whether a line has come in part, or a value that isn't complete.
  package var isWithinLine: Bool { consumed < buffer.count || !joined.isEmpty }

  private var buffer: [UInt8] = []
  private var consumed = 0
  private var scanned = 0
  private var physicalNumber = 0
  /// The lines of a value that isn't complete yet.
  private var joined: [UInt8] = []
  private var joinedNumber = 0
  private var openBrackets = 0
  private var isJoined = false
  private var joinedLine: [UInt8] = []
  private var joinedBreaks = 0
  /// Some late inputs up to their value, one after the other, where each lies among them, and what
  /// they were understood as.
  private var knownBytes: [UInt8] = []
  private var knownPrefixes: [Range<Int>] = []
  private var knownInputs: [ScriptLine.InputLine] = []
  private var nextRoute = 0

  package init() {}

  /// Adds what `read` appends to the bytes that it is given.
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

  /// The next line, or nil if more has to come first.
  ///
  /// - Parameter atEnd: whether no more will come.
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
        // The value before was never completed: its own error is the one to show. This line is
        // read again if anybody goes on after that.
        unread(physical)
        return try parseJoined()
      }
      if let understood = try parse(physical) { return understood }
    }
    if atEnd && !joined.isEmpty { return try parseJoined() }
    return nil
  }

  private mutating func parse(_ physical: Range<Int>) throws(ScriptError) -> ScriptLine? {
    isJoined = false
    line = physical
    number = physicalNumber
    if let input = repeatedInput(physical) { return .input(input) }
    do throws(ScriptError) {
      let understood = try ScriptLine.parse(buffer.span.extracting(physical))
      if case .input(let input) = understood { remember(input, physical) }
      if case .command(.version) = understood, physicalNumber != 1 {
        throw ScriptError("the version of the format stands in the first line only.", at: 0)
      }
      return understood
    } catch {
      guard error.isIncomplete else { throw error }
      joinedNumber = physicalNumber
      openBrackets = 0
      join(physical)
      return nil
    }
  }

  /// Forgets a value that the line doesn't complete, which is then the one with the error.
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
    return try ScriptLine.parse(joinedLine.span)
  }

  /// Brackets that a line opens, less those that it closes. Strings never go over lines.
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

  // MARK: Inputs like the one before

  // A program that feeds a session writes the same words around each value. A line that begins
  // with the very bytes of a late input means the same up to its value.

  package static let maxKnown = 4

  private mutating func remember(_ input: ScriptLine.InputLine, _ physical: Range<Int>) {
    // What stands behind the value, as a name may in JSON, isn't a part of the prefix.
    guard !input.value.isEmpty,
      max(input.handle.upperBound, input.name.upperBound) <= input.value.lowerBound
    else { return }
    let start = physical.lowerBound
    let prefix = Array(buffer[start..<start + input.value.lowerBound])
    var input = input
    input.route = nextRoute
    // The oldest one goes first.
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

  private func repeatedInput(_ physical: Range<Int>) -> ScriptLine.InputLine? {
    let line = buffer.span.extracting(physical)
    for index in knownInputs.indices {
      let prefix = knownPrefixes[index]
      let start = prefix.count
      guard line.count > start,
        line.extracting(0..<start).equals(knownBytes.span.extracting(prefix))
      else { continue }
      var end = start
      guard let isCanonical = try? JSONScanner.skipValue(in: line, at: &end) else { return nil }
      let isJSON = line[0] == UInt8(ascii: "{")
      // What follows the value must be the end, or it isn't the last member any more.
      guard isJSON ? end + 1 == line.count && line[end] == UInt8(ascii: "}") : end == line.count
      else { return nil }
      var input = knownInputs[index]
      input.value = start..<end
      input.valueIsCanonical = isCanonical
      return input
    }
    return nil
  }

  // MARK: Physical lines

  private mutating func nextPhysicalLine(atEnd: Bool) throws(ScriptError) -> Range<Int>? {
    guard let newline = buffer.span.firstIndex(of: 0x0a, from: max(scanned, consumed)) else {
      scanned = buffer.count
      guard buffer.count - consumed <= Self.maxLineBytes else {
        number = physicalNumber + 1
        isJoined = false
        line = consumed..<consumed
        throw ScriptError("this line is longer than \(Self.maxLineBytes) bytes.", at: 0)
      }
      guard atEnd, consumed < buffer.count else { return nil }
      return takeLine(to: buffer.count, next: buffer.count)
    }
    return takeLine(to: newline, next: newline + 1)
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
    // Its line break is to be found again.
    scanned = consumed
    physicalNumber -= 1
  }

  private func startsWithBlanks(_ physical: Range<Int>) -> Bool {
    physical.count > 2 && buffer[physical.lowerBound] == 0x20
      && buffer[physical.lowerBound + 1] == 0x20
  }
}
