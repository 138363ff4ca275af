import HostCore
import TestSupport
import Testing

extension InProcessTests {
  struct SessionFormatTests {
    /// What a session's events are printed as.
    private static func print(
      _ name: SessionFormatName, _ test: TestSession, style: TextStyle? = nil
    ) -> String {
      var format = name.format(style: style)
      var bytes: [UInt8] = []
      let events = test.session.events
      format.append(events, 0..<events.count, of: test.session, since: nil, to: &bytes)
      test.session.events.removeAll()
      return String(decoding: bytes, as: UTF8.self)
    }

    private static let lines = """
      16 0 rang
      16 0 said \\"größe \\\\\\"x\\\\\\"\\"
      16 0 second {\\"b\\":1,\\"a\\":[]}
      17 70 http {\\"url\\":\\"x\\"}
      17 71 printer
      18 70 http
      19 0 warning \\"careful\\"
      20 0 go \\"it broke\\"
      """

    private static func session() throws -> TestSession {
      let test = try TestSession.broken()
      try test.advance(to: 1_500_000_000)
      let value = "\"" + lines.replacing("\n", with: "\\n") + "\""
      try test.queue("emit", value)
      try test.flush()
      return test
    }

    @Test func `writes JSON Lines`() throws {
      #expect(
        Self.print(.jsonl, try Self.session()) == """
          {"kind":"output","t":1.5,"instance":"broken","name":"rang"}
          {"kind":"output","t":1.5,"instance":"broken","name":"said","value":"größe \\"x\\""}
          {"kind":"output","t":1.5,"instance":"broken","name":"second","value":{"a":[],"b":1}}
          {"kind":"request","t":1.5,"instance":"broken","id":1,"effect":"http","value":{"url":"x"}}
          {"kind":"request","t":1.5,"instance":"broken","id":2,"effect":"printer"}
          {"kind":"cancel","t":1.5,"instance":"broken","id":1,"effect":"http"}
          {"kind":"log","t":1.5,"instance":"broken","level":"warning","message":"careful"}
          {"kind":"fault","t":1.5,"instance":"broken","input":"go","message":"it broke"}

          """)
    }

    @Test func `writes text`() throws {
      #expect(
        Self.print(.text, try Self.session()) == """
          < rang
          < said "größe \\"x\\""
          < second {"a":[],"b":1}
          ? 1 http {"url":"x"}
          ? 2 printer
          x 1
          # warning from broken: "careful"
          # fault of broken in "go": "it broke"

          """)
    }

    @Test func `text names the instance where there are several`() throws {
      let test = try TestSession.broken()
      try test.open("broken", as: "b")
      try test.queue("emit", "\"16 0 rang\\n17 1 http {}\\n18 1 http\"", to: "b")
      try test.flush()
      #expect(Self.print(.text, test) == "< b.rang\n? b.1 http {}\nx b.1\n")
    }

    @Test func `a long value goes over lines, but never a string`() throws {
      let test = try TestSession.broken()
      let word = String(repeating: "x", count: 50)
      try test.queue("emit", "\"16 0 said [\\\"\(word)\\\",\\\"\(word)\\\"]\"")
      try test.queue("emit", "\"16 0 said \\\"\(word)\(word)\\\"\"")
      try test.flush()
      #expect(
        Self.print(.text, test) == """
          < said [
              "\(word)",
              "\(word)"
            ]
          < said "\(word)\(word)"

          """)
    }

    @Test func `a terminal's marks go around sigil, handle and port`() throws {
      let test = try TestSession.broken()
      try test.open("broken", as: "b")
      try test.queue("go", to: "b")
      try test.flush()
      let style = TextStyle(
        sigil: { "<s>\($0)</s>" }, handle: { "<h>\($0)</h>" }, port: { "<p>\($0)</p>" })
      #expect(Self.print(.text, test, style: style) == "<s><</s> <h>b</h>.<p>rang</p>\n")
    }

    @Test func `what is printed can be read as a script again`() throws {
      let text = Self.print(.text, try Self.session())
      var feed = LineReader()
      feed.fill { (bytes: inout [UInt8]) in bytes += Array(text.utf8) }
      var outputs = 0
      while let line = try feed.next(atEnd: true) {
        switch line {
        case .expectation: outputs += 1
        default: #expect(line == .nothing)
        }
      }
      #expect(feed.number == 8)
      #expect(outputs == 6)
      #expect(try CanonicalTranscript.rewrite(Array(text.utf8)) == Array(text.utf8))
    }
  }
}
