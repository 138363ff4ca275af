import Basics
import CanonicalJSON

/// The text of recent inputs up to their values.
///
/// A program that feeds a session writes the same text before each value, but for the line's
/// number. A line that begins like a recent input needs no parsing up to its value.
struct RecentInputs {
  /// How many are kept.
  static let limit = 4

  private struct Known {
    /// The result of parsing the line.
    var input: ScriptLine.InputLine
    /// The bytes before the value, or before the number that comes before the value.
    var head: Range<Int>
    /// The bytes between that number and the value; nil if there is no number there.
    var tail: Range<Int>?
  }

  private var known: [Known] = []
  /// The bytes of all of them, one after the other.
  private var bytes: [UInt8] = []
  private var nextRoute = 0

  /// Keeps an input, and drops the oldest one if there are too many.
  ///
  /// - Parameter seq: the number that the sender gave the line.
  mutating func remember(_ input: ScriptLine.InputLine, _ seq: UInt64?, _ line: Span<UInt8>) {
    // In JSON a name may follow the value. It isn't part of the text before it then.
    let end = input.value.lowerBound
    guard !input.value.isEmpty, max(input.handle.upperBound, input.name.upperBound) <= end
    else { return }
    var (head, tail) = (0..<end, Range<Int>?.none)
    if let seq {
      var behind = input.value.upperBound
      if Self.number(behind: &behind, in: line) == nil {
        guard let number = Self.number(seq, in: line, before: end) else { return }
        (head, tail) = (0..<number.lowerBound, number.upperBound..<end)
      }
    }
    if known.count == Self.limit { dropFirst() }
    var new = Known(input: input, head: bytes.count..<bytes.count + head.count)
    new.input.route = nextRoute
    nextRoute += 1
    bytes.append(line.extracting(head))
    if let tail {
      new.tail = bytes.count..<bytes.count + tail.count
      bytes.append(line.extracting(tail))
    }
    known.append(new)
  }

  private mutating func dropFirst() {
    let first = known.removeFirst()
    let size = (first.tail ?? first.head).upperBound
    bytes.removeFirst(size)
    for index in known.indices {
      known[index].head = known[index].head.moved(by: -size)
      known[index].tail = known[index].tail?.moved(by: -size)
    }
  }

  /// A line that begins like a recent input.
  struct Match {
    fileprivate let index: Int
    /// The input's route.
    let route: Int
    /// The place of the value in the line.
    let value: Range<Int>
    /// Whether the value is canonical JSON.
    let valueIsCanonical: Bool
    /// The number that the sender gave the line; nil for none.
    let seq: UInt64?
  }

  /// Finds the recent input that a line begins like.
  ///
  /// - Returns: nil if the line has to be parsed.
  @inline(__always)
  func match(_ line: Span<UInt8>) -> Match? {
    for index in known.indices {
      var start = known[index].head.count
      guard line.starts(with: bytes.span.extracting(known[index].head), at: 0) else { continue }
      var seq: UInt64?
      if let tail = known[index].tail {
        guard let number = Self.number(in: line, at: &start),
          line.starts(with: bytes.span.extracting(tail), at: start)
        else { continue }
        seq = number
        start += tail.count
      }
      // Which whitespace may come before a value differs between the two forms.
      guard start < line.count, line[start] > UInt8(ascii: " ") else { return nil }
      var end = start
      guard let isCanonical = try? JSONScanner.skipValue(in: line, at: &end) else { return nil }
      let value = start..<end
      // Only a number may follow the value.
      if line[0] == UInt8(ascii: "{") {
        if seq == nil { seq = Self.number(behind: &end, in: line) }
        guard end + 1 == line.count, line[end] == UInt8(ascii: "}") else { return nil }
      } else if end != line.count {
        return nil
      }
      return Match(
        index: index, route: known[index].input.route, value: value,
        valueIsCanonical: isCanonical, seq: seq)
    }
    return nil
  }

  /// The result of parsing a line that matches.
  func input(of match: Match) -> ScriptLine.InputLine {
    let known = known[match.index]
    var input = known.input
    if known.tail != nil {
      let added = match.value.lowerBound - input.value.lowerBound
      let number = known.head.count
      if input.handle.lowerBound > number { input.handle = input.handle.moved(by: added) }
      if input.name.lowerBound > number { input.name = input.name.moved(by: added) }
    }
    input.value = match.value
    input.valueIsCanonical = match.valueIsCanonical
    return input
  }

  // MARK: Numbers

  private static let numberHead = Array("\"seq\":".utf8)

  /// The number of a line in JSON, if it comes directly behind the value.
  ///
  /// - Parameter end: where the value ends; then where the number ends.
  private static func number(behind end: inout Int, in line: Span<UInt8>) -> UInt64? {
    guard end < line.count, line[end] == UInt8(ascii: ","),
      line.starts(with: numberHead.span, at: end + 1)
    else { return nil }
    var start = end + 1 + numberHead.count
    guard let number = number(in: line, at: &start) else { return nil }
    end = start
    return number
  }

  /// The place of the digits of a line's number.
  ///
  /// A string can't contain what comes before them, as its quotes have backslashes.
  private static func number(
    _ seq: UInt64, in line: Span<UInt8>, before end: Int
  ) -> Range<Int>? {
    var start = 0
    while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: start), quote < end {
      start = quote + 1
      guard line.starts(with: numberHead.span, at: quote) else { continue }
      let first = quote + numberHead.count
      var last = first
      return number(in: line, at: &last) == seq ? first..<last : nil
    }
    return nil
  }

  /// Reads digits.
  ///
  /// - Parameter offset: where they begin; then where they end.
  private static func number(in line: Span<UInt8>, at offset: inout Int) -> UInt64? {
    var end = offset
    while end < line.count, 0x30...0x39 ~= line[end] { end += 1 }
    guard let number = JSONLineParser.seq(line.extracting(offset..<end)) else { return nil }
    offset = end
    return number
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range {
    lowerBound + distance..<upperBound + distance
  }
}

extension Span<UInt8> {
  /// Whether these bytes come at an offset, and something behind them.
  fileprivate func starts(with other: Span<UInt8>, at offset: Int) -> Bool {
    count - offset > other.count && extracting(offset..<offset + other.count).equals(other)
  }
}
