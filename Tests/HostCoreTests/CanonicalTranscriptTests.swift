import CanonicalJSON
import HostCore
import Testing

/// Transcripts that are read and written again.
struct CanonicalTranscriptTests {
  private static func rewritten(_ text: String) throws -> String {
    String(decoding: try CanonicalTranscript.rewrite(Array(text.utf8)), as: UTF8.self)
  }

  private static let forms: [(String, String)] = [
    (">   say    1.0  ", "> say 1"),
    ("> list.say {\"b\":1, \"a\":[ ]}", "> list.say {\"a\":[],\"b\":1}"),
    ("> say \"\\u00e9\\u007f\"", "> say \"é\\u007f\""),
    ("< @1000ms rang", "< @1s rang"),
    ("?  1   http", "? 1 http"),
    ("x  list.007", "x list.7"),
    ("! 1 error {\"code\":\"a\"}", "! 1 error {\"code\":\"a\",\"message\":\"\"}"),
    ("+ 60000ms", "+ 1m"),
    ("+  idle ", "+ idle"),
    ("vmt  01", "vmt 1"),
    ("@plugin   a b.so  ", "@plugin a b.so"),
    ("@open  m  as  a  { }", "@open m as a {}"),
    ("@storage \"plain\" 1", "@storage plain 1"),
    ("@storage größe 1", "@storage \"größe\" 1"),
    ("@time 2026-01-31", "@time 2026-01-31T00:00:00Z"),
    ("@recorded { \"b\":1,\"a\":2}", "@recorded {\"a\":2,\"b\":1}"),
    ("{\"kind\":\"advance\",\"by\":\"5s\"}", "+ 5s"),
    ("{\"value\":1.0,\"name\":\"s\\u0061y\",\"instance\":\"l\"}", "> l.say 1"),
    ("{\"kind\":\"open\",\"viewModel\":\"m\",\"config\":null}", "@open m null"),
    ("# kept\t  ", "# kept\t  "),
    (" \t ", " \t "),
    ("> say {\r\n  }", "> say {}"),
  ]

  @Test(arguments: forms.indices)
  func `a line has one canonical form, which stays as it is`(_ index: Int) throws {
    let (text, canonical) = Self.forms[index]
    #expect(try Self.rewritten(text) == canonical + "\n")
    #expect(try Self.rewritten(canonical + "\r\n") == canonical + "\n")
  }

  @Test func `comments and blank lines stay where they are`() throws {
    let text = """
      vmt 1

      #
      #  größe \t
      > say 1
         \u{20}
      # at the end, \u{1b}[1m

      """
    #expect(try Self.rewritten(text) == text)
    #expect(try Self.rewritten("") == "")
    #expect(try Self.rewritten("\n\n") == "\n\n")
  }

  @Test func `a mistake is shown with its place`() {
    let text = "> say 1\n> say {\n  \"a\": 1,\n  \"a\": 2\n  }\n"
    let found = #expect(throws: CanonicalTranscript.LineError.self) {
      _ = try CanonicalTranscript.rewrite(Array(text.utf8))
    }
    #expect(
      found?.report(source: "a.vmt") == """
        a.vmt:4:3: the value is not JSON: expected each key once, found "a" again.
          4 |   "a": 2
            |   ^
        """)
  }

  @Test func `a value that never ends is shown where it stops`() {
    let found = #expect(throws: CanonicalTranscript.LineError.self) {
      _ = try CanonicalTranscript.rewrite(Array("> say 1\n< items [\n  1,\n  2".utf8))
    }
    #expect(
      found?.report(source: "a.vmt") == """
        a.vmt:4:4: the value is not JSON: expected "," or "]", found the end of the input.
          4 |   2
            |    ^
        """)
  }

  @Test(arguments: 0..<200)
  func `random canonical transcripts stay as they are, byte for byte`(_ seed: Int) throws {
    var lines = RandomLines(seed: UInt64(seed))
    let transcript = lines.transcript()
    let again = try CanonicalTranscript.rewrite(transcript)
    let isSame = again == transcript
    #expect(isSame)
    // The same transcript, written as others might.
    let careless = try CanonicalTranscript.rewrite(lines.careless(transcript))
    let isRestored = careless == transcript
    #expect(isRestored)
  }

  @Test func `a value of 10 MB reads back`() throws {
    var members: [String: JSONValue] = [:]
    for index in 0..<50_000 {
      members["key \(index)"] = .array([
        .string(String(repeating: "größe\u{7f}\u{0} 😀", count: 10)), .number(JSONNumber(index)),
      ])
    }
    var canonical: [UInt8] = []
    JSONValue.object(members).append(to: &canonical)
    #expect(canonical.count > 10_000_000)
    var written: [UInt8] = []
    TranscriptWriter.appendInput("list", Array("say".utf8).span, canonical.span, to: &written)
    var feed = LineReader()
    feed.fill { $0 = written }
    guard case .input(let input) = try feed.next(atEnd: true) else {
      Issue.record("not an input")
      return
    }
    let line = feed.storage
    let isSame = try CanonicalJSON.bytes(line.span.extracting(input.value)) == canonical
    #expect(isSame)
    #expect(String(decoding: line[input.handle], as: UTF8.self) == "list")
    #expect(try feed.next(atEnd: true) == nil)
    let isCanonical = try CanonicalTranscript.rewrite(written) == written
    #expect(isCanonical)
  }
}
