import Basics
import HostCore
import TestSupport
import Testing

struct StepDifferenceTests {
  static func difference(_ expected: String, _ found: String) -> StepDifference? {
    StepDifference(
      expected: StepLine.parse(expected), found: StepLine.parse(found, from: 0), stepLine: 10)
  }

  @Test(arguments: StepDifferenceCase.all)
  func `says in a sentence and shows in a diff what differs`(_ test: StepDifferenceCase) throws {
    let difference = try #require(Self.difference(test.expected, test.found))
    #expect(difference.kind == test.kind)
    #expect(difference.line == test.line)
    #expect(difference.summary == test.summary)
    #expect(difference.text(style: nil) == StepDifferenceCase.legend + test.text + "\n")
  }

  @Test func `finds nothing where lines say the same`() {
    #expect(Self.difference("", "") == nil)
    #expect(Self.difference("< a 1\n? 1 http {}\nx 1", "< a 1\n? 1 http {}\nx 1") == nil)
  }

  @Test func `colours whole lines`() throws {
    let style = DiffStyle(
      expected: { "<e>\($0)</e>" }, found: { "<f>\($0)</f>" }, dim: { "<d>\($0)</d>" },
      legend: { "<l>\($0)</l>" })
    let equal = (1...5).map { "< a \($0)" }.joined(separator: "\n")
    let difference = try #require(Self.difference(equal + "\n< b 1", equal + "\n< b 2"))
    #expect(
      difference.text(style: style) == """
        <l>- expected (the transcript)   + found (this run)</l>
        <d>  … 2 equal lines</d>
          < a 3
          < a 4
          < a 5
        <e>- < b 1</e>
        <f>+ < b 2</f>

        """)
  }

  @Test func `looks for the nearest request in all of the transcript`() throws {
    let recorded = StepLine.parse(
      """
      ? 1 http {"method":"GET","url":"https://a/1"}
      ? 2 http {"method":"POST","url":"https://b/"}
      ? 3 other {"method":"POST","url":"https://a/2"}
      """, from: 100)
    let found = StepLine.parse(#"? 4 http {"method":"GET","url":"https://a/2"}"#, from: 0)
    let difference = try #require(
      StepDifference(expected: [], found: found, stepLine: 10, recorded: recorded))
    #expect(
      difference.summary == """
        the plugin made one more request: found ? 4 http {"method":"GET","url":"https://a/2"}; the \
        nearest, 1 http in line 100, differs in url: "https://a/1" instead of "https://a/2"
        """)
    let alone = try #require(StepDifference(expected: [], found: found, stepLine: 10))
    #expect(
      alone.summary
        == #"the plugin made one more request: found ? 4 http {"method":"GET","url":"https://a/2"}"#
    )
  }

  @Test func `shows bytes that are not UTF-8 or not JSON`() throws {
    let one = StepLine(head: "< a", value: [0x22, 0xff, 0x31, 0x22], line: 11)
    let other = StepLine(head: "< a", value: [0x22, 0xfe, 0x0a, 0x22], line: 0)
    let difference = try #require(StepDifference(expected: [one], found: [other], stepLine: 10))
    #expect(difference.summary == #"expected < a "\xff1", found < a "\xfe\u000a""#)
    #expect(
      difference.text(style: nil) == StepDifferenceCase.legend + #"""
        - < a "\xff1"
        + < a "\xfe\u000a"

        """#)
  }

  @Test func `survives values that are no JSON at all`() {
    var random = SplitMix64(seed: 5)
    let alphabet = Array("{}[]:,\"\\a1 \u{e9}\n".utf8) + [0xff]
    let value = { (random: inout SplitMix64) in
      UInt8(ascii: "[").appended(to: (0..<80).map { _ in alphabet.randomElement(using: &random)! })
    }
    for _ in 0..<500 {
      let one = value(&random)
      var other = one
      other[Int.random(in: 1..<80, using: &random)] = UInt8(ascii: "2")
      let difference = StepDifference(
        expected: [StepLine(head: "< a", value: one, line: 1)],
        found: [StepLine(head: "< a", value: other, line: 0)], stepLine: 1)
      #expect((difference == nil) == (one == other))
      guard let difference else { continue }
      #expect(!difference.summary.utf8.contains { $0 < 0x20 })
      #expect(difference.text(style: nil).utf8.count < 5_000)
    }
  }
}

extension UInt8 {
  fileprivate func appended(to rest: [UInt8]) -> [UInt8] { [self] + rest }
}

extension StepLine {
  /// Lines as they are in a transcript, the first in line `line`; all have line 0 if that is 0.
  static func parse(_ text: String, from line: Int = 11) -> [StepLine] {
    text.split(separator: "\n").enumerated().map { offset, text in
      let words = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
      var count = text.hasPrefix("?") ? 3 : 2
      if words[1].hasPrefix("@") { count += 1 }
      let head = words.prefix(count).joined(separator: " ")
      let value = Array(text.dropFirst(head.count + 1).utf8)
      return StepLine(head: head, value: value, line: line == 0 ? 0 : line + offset)
    }
  }
}
