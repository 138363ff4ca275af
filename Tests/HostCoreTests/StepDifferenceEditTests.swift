import Basics
import HostCore
import TestSupport
import Testing

/// What holds of every difference, tried on random ones and on huge ones.
struct StepDifferenceEditTests {
  private static func lines(_ values: [Int], isExpected: Bool) -> [StepLine] {
    values.enumerated().map { index, value in
      // Few ports and values, so that lines repeat and pair in all ways.
      let head =
        value % 5 == 0 ? "? \(value) http" : value % 5 == 1 ? "x \(value)" : "< p\(value % 3)"
      return StepLine(head: head, value: Array("\(value)".utf8), line: isExpected ? index + 1 : 0)
    }
  }

  private static func say(_ one: StepLine, _ other: StepLine) -> Bool {
    one.head == other.head && one.value == other.value
  }

  private static func isSubsequence(_ part: [StepLine], of whole: [StepLine]) -> Bool {
    var rest = part[...]
    for line in whole { if let next = rest.first, say(next, line) { rest.removeFirst() } }
    return rest.isEmpty
  }

  /// Does what `update` would do, and looks that each edit is what it says.
  private static func apply(
    _ difference: StepDifference, to expected: [StepLine], _ found: [StepLine]
  ) -> Bool {
    var next = (expected: 0, found: 0)
    for edit in difference.edits {
      switch edit {
      case .keep(let one, let other):
        guard (one, other) == next, say(expected[one], found[other]) else { return false }
        next = (one + 1, other + 1)
      case .remove(let one):
        guard one == next.expected else { return false }
        next.expected += 1
      case .insert(let other):
        guard other == next.found else { return false }
        next.found += 1
      }
    }
    return next == (expected.count, found.count)
  }

  /// The length of a longest common subsequence, by the textbook.
  private static func common(_ one: [StepLine], _ other: [StepLine]) -> Int {
    var last = Array(repeating: 0, count: other.count + 1)
    for line in one {
      var row = [0]
      for (index, candidate) in other.enumerated() {
        row.append(say(line, candidate) ? last[index] + 1 : max(last[index + 1], row[index]))
      }
      last = row
    }
    return last[other.count]
  }

  @Test func `keeps as many lines as can be, and its edits make what was found`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let range = 0..<Int.random(in: 1...12, using: &random)
      let values = (0..<2).map { _ in
        (0..<Int.random(in: 0...14, using: &random)).map { _ in
          Int.random(in: range, using: &random)
        }
      }
      let expected = Self.lines(values[0], isExpected: true)
      let found = Self.lines(values[1], isExpected: false)
      let difference = StepDifference(expected: expected, found: found, stepLine: 0)
      #expect((difference == nil) == (values[0] == values[1]))
      guard let difference else { continue }
      #expect(Self.apply(difference, to: expected, found))
      let kept = difference.edits.count { if case .keep = $0 { true } else { false } }
      #expect(kept == Self.common(expected, found))
      let kind: StepDifference.Kind =
        Self.isSubsequence(found, of: expected)
        ? .missing : Self.isSubsequence(expected, of: found) ? .extra : .mismatch
      #expect(difference.kind == kind)
      #expect(!difference.summary.isEmpty)
      #expect(difference.text(style: nil).contains("\n- ") || kind == .extra)
      #expect(difference.text(style: nil).contains("\n+ ") || kind == .missing)
    }
  }

  // MARK: Sizes

  @Test func `finds one change among 100,000 lines`() throws {
    let expected = (1...100_000).map {
      StepLine(head: "< a", value: Array("\($0)".utf8), line: $0)
    }
    var found = expected
    found[50_000].value = Array("0".utf8)
    let difference = try #require(
      StepDifference(expected: expected, found: found, stepLine: 0))
    #expect(difference.line == 50_001)
    #expect(difference.summary == "expected < a 50001, found < a 0")
    #expect(
      difference.text(style: nil) == StepDifferenceCase.legend + """
          … 49997 equal lines
          < a 49998
          < a 49999
          < a 50000
        - < a 50001
        + < a 0
          < a 50002
          < a 50003
          < a 50004
          … 49996 equal lines

        """)
  }

  @Test func `finds one character in a value of 10 MB`() throws {
    let item = "{\"id\":0,\"title\":\"\(String(repeating: "x", count: 973))\"},"
    let count = 10_000
    let value = Array(("[" + String(repeating: item, count: count).dropLast() + "]").utf8)
    let expected = StepLine(head: "< items", value: value, line: 11)
    var found = expected
    found.value[1 + 7_000 * item.utf8.count + 900] = UInt8(ascii: "y")
    let difference = try #require(
      StepDifference(expected: [expected], found: [found], stepLine: 10))
    let lead = String(repeating: "x", count: 30)
    let tail = String(repeating: "x", count: 29)
    #expect(
      difference.summary == """
        expected < items[7000].title …\(lead)x\(tail)…, found …\(lead)y\(tail)…
        """)
    let text = difference.text(style: nil)
    #expect(text.contains("  … 28000 equal lines, in items[7000]\n"))
    #expect(text.utf8.count < 2_000)
  }

  @Test func `leaves out most of what differs everywhere`() throws {
    let lines = { (start: Int) in
      (start..<start + 20_000).map {
        StepLine(head: "< p\($0)", value: Array("\($0)".utf8), line: $0)
      }
    }
    let difference = try #require(
      StepDifference(expected: lines(0), found: lines(50_000), stepLine: 0))
    #expect(difference.edits.count == 40_000)
    #expect(difference.text(style: nil).hasSuffix("\n  … 39701 more differences left out\n"))
  }

  @Test func `finds what is equal behind a long part that is gone`() throws {
    let lines = { (range: Range<Int>) in
      range.flatMap { number in
        ["{", "\(number)", "}"].map { StepLine(head: "< a", value: Array($0.utf8), line: 1) }
      }
    }
    let expected = lines(0..<8_000)
    var found = lines(0..<100) + lines(3_000..<8_000)
    // A line that is found elsewhere, so that what was found is no part of what was expected.
    found[9_000].value = Array("3500".utf8)
    found.remove(at: 12_000)
    let difference = try #require(
      StepDifference(expected: expected, found: found, stepLine: 0))
    #expect(Self.apply(difference, to: expected, found))
    let kept = difference.edits.count { if case .keep = $0 { true } else { false } }
    #expect(kept == found.count - 1)
  }

  @Test func `bounds the search where lines repeat in another order`() throws {
    var random = SplitMix64(seed: 3)
    let lines = (0..<2).map { _ in
      (0..<20_000).map { _ in
        StepLine(head: "< a", value: [UInt8.random(in: 0x30...0x33, using: &random)], line: 1)
      }
    }
    let difference = try #require(
      StepDifference(expected: lines[0], found: lines[1], stepLine: 0))
    #expect(Self.apply(difference, to: lines[0], lines[1]))
    let kept = difference.edits.count { if case .keep = $0 { true } else { false } }
    // A longest common subsequence of four letters is about 0.65 of the length.
    #expect(kept > 11_000)
  }

  @Test func `leaves out most of a value that differs everywhere`() throws {
    let value = { (word: String) in
      Array(
        ("[" + (0..<5_000).map { "{\"\(word)\($0)\":\"\(word)\"}" }.joined(separator: ",") + "]")
          .utf8)
    }
    let expected = StepLine(head: "< a", value: value("one"), line: 11)
    let found = StepLine(head: "< a", value: value("two"), line: 0)
    let changed = try #require(StepDifference(expected: [expected], found: [found], stepLine: 10))
    let text = changed.text(style: nil)
    #expect(text.utf8.count < 5_000)
    #expect(text.hasSuffix(" more lines of this value left out\n"))
    let missing = try #require(StepDifference(expected: [expected], found: [], stepLine: 10))
    #expect(missing.text(style: nil).hasSuffix("\n- … 14982 more lines of this value\n"))
  }
}
