import Basics
import HostCore
import Testing

/// Lines out of bytes that come in pieces.
struct LineReaderTests {
  /// What comes out of a feed, one text a line: number, what it is, its bytes.
  private static func read(
    _ pieces: [[UInt8]], _ feed: inout LineReader
  ) -> [String] {
    var found: [String] = []
    func take(_ feed: inout LineReader, atEnd: Bool) {
      while true {
        do throws(ScriptError) {
          guard let line = try feed.next(atEnd: atEnd) else { return }
          if line != .nothing { found.append("\(feed.number): \(Self.text(feed))") }
        } catch {
          found.append("\(feed.number): error at \(error.offset): \(Self.text(feed))")
        }
      }
    }
    for piece in pieces {
      feed.fill { (bytes: inout [UInt8]) in bytes += piece }
      take(&feed, atEnd: false)
    }
    take(&feed, atEnd: true)
    return found
  }

  private static func text(_ feed: borrowing LineReader) -> String {
    String(decoding: feed.storage[feed.line], as: UTF8.self)
  }

  private static func read(_ text: String) -> [String] {
    var feed = LineReader()
    return read([Array(text.utf8)], &feed)
  }

  @Test func `reads each input anew whose name stands behind its value`() throws {
    var feed = LineReader()
    feed.fill {
      $0 = Array("{\"value\":1,\"name\":\"a\"}\n{\"value\":2,\"name\":\"b\"}\n{\"value\":3}\n".utf8)
    }
    for name in ["a", "b"] {
      guard case .input(let input) = try feed.next(atEnd: true) else {
        Issue.record("not an input")
        return
      }
      #expect(feed.withLine { String(repairing: $0.extracting(input.name)) } == name)
    }
    #expect(throws: ScriptError.self) { try feed.next(atEnd: true) }
  }

  /// JSON allows whitespace before a value that the text form doesn't.
  @Test(arguments: [
    ("> a 1", "> a \r2"), ("> a 1", "> a \t2"), ("> a 1", "> a  2"), ("> a 1", "> a 2 "),
    (#"{"name":"a","value":1}"#, "{\"name\":\"a\",\"value\":\t2}"),
    (#"{"name":"a","value":1}"#, #"{"name":"a","value": 2,"seq":3}"#),
    (#"{"name":"a","value":1}"#, #"{"name":"a","value":2,"seq":3}"#),
    (#"{"name":"a","value":1,"seq":7}"#, #"{"name":"a","value":2}"#),
    (#"{"name":"a","value":1,"seq":7}"#, #"{"name":"a","value":2,"seq":08}"#),
    (#"{"name":"a","seq":7,"value":1}"#, #"{"name":"a","seq":8,"value":"2"}"#),
    (#"{"seq":9,"name":"a","value":1}"#, #"{"seq":10,"name":"a","value":[2]}"#),
    (
      #"{"seq":10,"instance":"i","name":"a","value":1}"#,
      #"{"seq":0,"instance":"i","name":"a","value":{"b":2}}"#
    ),
    (
      #"{"instance":"i","seq":1,"name":"a","value":1}"#,
      #"{"instance":"i","seq":9007199254740991,"name":"a","value":2}"#
    ),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":9007199254740992,"name":"a","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":01,"name":"a","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":1.5,"name":"a","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":-1,"name":"a","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":,"name":"a","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":2,"name":"b","value":2}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":2,"name":"a","value":2,"seq":3}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":2,"name":"a","value":}"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":2,"name":"a","value":2"#),
    (#"{"seq":1,"name":"a","value":1}"#, #"{"seq":2"#),
    (#"{"name":"\"seq\":5","seq":5,"value":1}"#, #"{"name":"\"seq\":6","seq":5,"value":1}"#),
  ])
  func `a line that repeats an input means the same as by itself`(
    first: String, second: String
  ) {
    var seq: UInt64?
    let bytes = Array(second.utf8)
    let alone = Result { () throws(ScriptError) in try ScriptLine.parse(bytes.span, seq: &seq) }
    for peeks in [false, true] {
      var feed = LineReader()
      feed.fill { $0 = Array("\(first)\n\(second)\n".utf8) }
      _ = try? feed.next(atEnd: true)
      var repeated = alone
      if peeks {
        guard let found = feed.peekRepeat() else { continue }
        feed.take(found)
        repeated = .success(.input(feed.input(of: found)))
      } else {
        repeated = Result { () throws(ScriptError) in try feed.next(atEnd: true) ?? .nothing }
      }
      switch (alone, repeated) {
      case (.success(.input(let one)), .success(.input(let other))):
        #expect(one.value == other.value && one.valueIsCanonical == other.valueIsCanonical)
        #expect(one.handle == other.handle && one.name == other.name)
        #expect(feed.seq == seq && feed.number == 2)
      case (.success(.rewritten(let one)), .success(.rewritten(let other))): #expect(one == other)
      case (.failure(let one), .failure(let other)): #expect(one.message == other.message)
      default: Issue.record("\(alone) by itself, \(repeated) after another input")
      }
      let rest = Result { () throws(ScriptError) in try feed.next(atEnd: true) }
      #expect((try? rest.get()) == .some(nil))
    }
  }

  @Test func `lines with the text of a recent input are found, and remain until they are taken`()
    throws
  {
    var feed = LineReader()
    feed.fill { (bytes: inout [UInt8]) in
      for number in 98...101 {
        bytes += Array(#"{"seq":\#(number),"name":"a","value":\#(number)}"#.utf8) + [0x0a]
      }
      bytes += Array(#"{"seq":102,"name":"a","value":102"#.utf8)
    }
    _ = try feed.next(atEnd: false)
    for number: UInt64 in 99...101 {
      _ = feed.peekRepeat()
      guard let found = feed.peekRepeat() else {
        Issue.record("line \(number) isn't found")
        return
      }
      #expect(found.seq == number)
      var value = ""
      feed.withValue(of: found) { value = String(repairing: $0) }
      #expect(value == "\(number)")
      feed.take(found)
      #expect(feed.number == Int(number) - 97)
    }
    let isFound = feed.peekRepeat() != nil
    let isThere = try feed.next(atEnd: false) != nil
    #expect(!isFound && !isThere)
  }

  private static let script = """
    vmt 1
    # comment: größe
    > say "größe"\r
    > say {
      "a": [1,
        2], "}": "]\\"{"
    }
      }

    < items [
      1,
    # between
      2]
    + 5s
    > bad [
    > after 1
    {"name":"x"}
    > last
    """

  private static let lines = [
    "1: vmt 1", "3: > say \"größe\"",
    "4: error at 38: > say {\n  \"a\": [1,\n    2], \"}\": \"]\\\"{\"",
    "7: error at 0: }", "8: error at 0:   }", "10: error at 14: < items [\n  1,",
    "13: error at 0:   2]", "14: + 5s",
    "15: error at 7: > bad [", "16: > after 1", "17: {\"name\":\"x\"}", "18: > last",
  ]

  @Test func `a value goes on in lines that begin with two blanks`() {
    #expect(
      Self.read("> say {\n  \"a\":\n    1\n  }\n> b\n")
        == ["1: > say {\n  \"a\":\n    1\n  }", "5: > b"])
    #expect(
      Self.read("> say [1,\r\n  2]\r\n> b") == ["1: > say [1,\n  2]", "3: > b"])
  }

  @Test func `an expectation's value may go on too`() {
    #expect(
      Self.read("< items [\n  1\n  ]\n? 1 http {\n  }\n> b")
        == ["1: < items [\n  1\n  ]", "4: ? 1 http {\n  }", "6: > b"])
  }

  @Test func `a value that is never completed costs no other line`() {
    #expect(
      Self.read("> a [\n> b 1\n> c 2\n") == ["1: error at 5: > a [", "2: > b 1", "3: > c 2"])
    #expect(Self.read("> a [\n\n> c 2") == ["1: error at 5: > a [", "3: > c 2"])
    #expect(Self.read("> b 1\n> a [\n  1") == ["1: > b 1", "2: error at 9: > a [\n  1"])
  }

  @Test func `what was meant to go on with a value, or cuts it in two, has an error of its own`() {
    #expect(
      Self.read("> a [\n\t1]\n> b") == ["2: error at 0: \t1]", "3: > b"])
    #expect(
      Self.read("> a [\n  1,\n<<<<<<< HEAD\n  2]\n> b")
        == ["3: error at 0: <<<<<<< HEAD", "4: error at 0:   2]", "5: > b"])
    #expect(
      Self.read("> a [\n 1]\n> b") == ["1: error at 5: > a [", "2: error at 0:  1]", "3: > b"])
    #expect(Self.read("> a [\n\t\n> b") == ["1: error at 5: > a [", "3: > b"])
  }

  @Test func `the format is named in the first line only`() {
    #expect(Self.read("vmt 1\n> b") == ["1: vmt 1", "2: > b"])
    #expect(Self.read("# a\nvmt 1\n> b") == ["2: error at 0: vmt 1", "3: > b"])
    #expect(Self.read("vmt 1\nvmt 1") == ["1: vmt 1", "2: error at 0: vmt 1"])
  }

  @Test(arguments: ["> a\n> b\n", "> a\n> b", "> a\r\n> b\r\n", "> a\r\n> b"])
  func `line breaks are LF or CR LF, the last may be missing`(_ text: String) {
    #expect(Self.read(text) == ["1: > a", "2: > b"])
  }

  @Test func `an error is in its own line only`() {
    #expect(Self.read("> a\noops\n> b") == ["1: > a", "2: error at 0: oops", "3: > b"])
    #expect(Self.read("") == [])
    #expect(Self.read("\n\n\n") == [])
    #expect(Self.read("\0") == ["1: error at 0: \0"])
  }

  @Test func `pieces of any size give the same lines`() {
    let bytes = Array(Self.script.utf8)
    var whole = LineReader()
    let expected = Self.read([bytes], &whole)
    #expect(expected == Self.lines)
    for cut in 1..<bytes.count {
      var feed = LineReader()
      let found = Self.read([Array(bytes[..<cut]), Array(bytes[cut...])], &feed)
      #expect(found == expected, "cut at \(cut)")
    }
    var feed = LineReader()
    #expect(Self.read(bytes.map { [$0] }, &feed) == expected)
  }

  @Test func `a complete line is there before the next one begins`() throws {
    var feed = LineReader()
    feed.fill { (bytes: inout [UInt8]) in bytes += Array("> a 1\n> b".utf8) }
    #expect(try feed.next(atEnd: false) != nil)
    #expect(try feed.next(atEnd: false) == nil)
    feed.fill { (bytes: inout [UInt8]) in bytes += Array(" 2\n".utf8) }
    #expect(try feed.next(atEnd: false) != nil)
    #expect(Self.text(feed) == "> b 2")
    #expect(feed.number == 2)
    #expect(try feed.next(atEnd: true) == nil)
  }
}
