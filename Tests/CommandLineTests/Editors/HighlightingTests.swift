import Foundation
import TestSupport
import Testing

/// The colours of transcripts in editors.
struct HighlightingTests {
  typealias Span = Highlighter.Span

  /// Each construct of Documentation/Transcripts.md: a line, and its coloured parts in order, each
  /// with its kind.
  static let constructs: KeyValuePairs<String, [(String, String)]> = [
    "vmt 1": [("version", "vmt"), ("integer", "1")],
    "# a search shows \"a\" spinner": [("comment", "# a search shows \"a\" spinner")],
    "#": [("comment", "#")],
    "": [],
    " \t ": [],
    "> refresh": [("input", ">"), ("port", "refresh")],
    "> didSearch \"batman\"": [("input", ">"), ("port", "didSearch"), ("string", "\"batman\"")],
    "> list.didSearch \"größe 日本\"": [
      ("input", ">"), ("handle", "list"), ("port", "didSearch"), ("string", "\"größe 日本\""),
    ],
    "> say {\"a\": [1, -2.5e3, true, null], \"b\\u00e4\": \"x\\n\"}": [
      ("input", ">"), ("port", "say"), ("name", "\"a\""), ("number", "1"), ("number", "-2.5e3"),
      ("constant", "true"), ("constant", "null"), ("name", "\"b"), ("escape", "\\u00e4"),
      ("name", "\""), ("string", "\"x"), ("escape", "\\n"), ("string", "\""),
    ],
    "> say {": [("input", ">"), ("port", "say")],
    "    \"a long name\": 12,": [("name", "\"a long name\""), ("number", "12")],
    "  }": [],
    "< items []": [("output", "<"), ("port", "items")],
    "<  list.loading   \"none\"": [
      ("output", "<"), ("handle", "list"), ("port", "loading"), ("string", "\"none\""),
    ],
    "< @240ms items []": [("output", "<"), ("offset", "@240ms"), ("port", "items")],
    "< closed": [("output", "<"), ("port", "closed")],
    "? 1 http {\"method\":\"GET\"}": [
      ("request", "?"), ("id", "1"), ("effect", "http"), ("name", "\"method\""),
      ("string", "\"GET\""),
    ],
    "? @5s list.2 http": [
      ("request", "?"), ("offset", "@5s"), ("handle", "list"), ("id", "2"), ("effect", "http"),
    ],
    "x 1": [("cancel", "x"), ("id", "1")],
    "x @1.5s list.2": [
      ("cancel", "x"), ("offset", "@1.5s"), ("handle", "list"), ("id", "2"),
    ],
    "! 1 {\"status\":200}": [
      ("answer", "!"), ("id", "1"), ("name", "\"status\""), ("number", "200"),
    ],
    "! list.2": [("answer", "!"), ("handle", "list"), ("id", "2")],
    "! 1 error {\"code\":\"offline\"}": [
      ("answer", "!"), ("id", "1"), ("error", "error"), ("name", "\"code\""),
      ("string", "\"offline\""),
    ],
    "+ 300ms": [("advance", "+"), ("duration", "300ms")],
    "+ 1.5s": [("advance", "+"), ("duration", "1.5s")],
    "+ idle": [("advance", "+"), ("idle", "idle")],
    "@plugin movies.so": [("directive", "@plugin"), ("argument", "movies.so")],
    "@flow flows/my movies.json": [("directive", "@flow"), ("argument", "flows/my movies.json")],
    "@seed 5": [("directive", "@seed"), ("integer", "5")],
    "@time 2026-01-31T12:00:00Z": [("directive", "@time"), ("argument", "2026-01-31T12:00:00Z")],
    "@locale de_AT": [("directive", "@locale"), ("argument", "de_AT")],
    "@timezone Europe/Vienna": [("directive", "@timezone"), ("argument", "Europe/Vienna")],
    "@record timer": [("directive", "@record"), ("effect", "timer")],
    "@simulate storage.get": [("directive", "@simulate"), ("effect", "storage.get")],
    "@storage recents [\"batman\"]": [
      ("directive", "@storage"), ("argument", "recents"), ("string", "\"batman\""),
    ],
    "@storage \"with blanks\" 1": [
      ("directive", "@storage"), ("string", "\"with blanks\""), ("number", "1"),
    ],
    "@storage recents": [("directive", "@storage"), ("argument", "recents")],
    "@open movies.list": [("directive", "@open"), ("view model", "movies.list")],
    "@open movies.list as list {\"source\":\"tmdb\"}": [
      ("directive", "@open"), ("view model", "movies.list"), ("as", "as"), ("handle", "list"),
      ("name", "\"source\""), ("string", "\"tmdb\""),
    ],
    "@open movies.list {\"as\": false}": [
      ("directive", "@open"), ("view model", "movies.list"), ("name", "\"as\""),
      ("constant", "false"),
    ],
    "@close list": [("directive", "@close"), ("argument", "list")],
    "@recorded {\"clock\":\"live\"}": [
      ("directive", "@recorded"), ("name", "\"clock\""), ("string", "\"live\""),
    ],
    "@end": [("directive", "@end")],
    "@skip waits for the new server": [
      ("directive", "@skip"), ("argument", "waits for the new server"),
    ],
    "@tags größe_1 slow": [("directive", "@tags"), ("argument", "größe_1 slow")],
    "{\"kind\":\"input\",\"value\":1}": [
      ("name", "\"kind\""), ("string", "\"input\""), ("name", "\"value\""), ("number", "1"),
    ],
    // What is no line of a transcript.
    "// a search": [("illegal", "// a search")],
    ">didSearch \"batman\"": [("illegal", ">didSearch \"batman\"")],
    "> didSearch batman": [("input", ">"), ("port", "didSearch"), ("illegal", "batman")],
    "? http {}": [("illegal", "? http {}")],
    "x one": [("illegal", "x one")],
    "! http": [("illegal", "! http")],
    "+ 300": [("illegal", "+ 300")],
    "+ 1 h": [("illegal", "+ 1 h")],
    "< @240 items []": [("illegal", "< @240 items []")],
    "@opne movies.list": [("illegal", "@opne movies.list")],
    "@record tmier": [("illegal", "@record tmier")],
    "@seed five": [("illegal", "@seed five")],
    "<<<<<<< HEAD": [("illegal", "<<<<<<< HEAD")],
  ]

  @Test(arguments: Highlighter.allCases)
  func `each construct of a transcript has its colours`(_ highlighter: Highlighter) async throws {
    try await TemporaryDirectory.with { folder in
      let file = try folder.write(
        Self.constructs.map { "\($0.key)\n" }.joined(), to: "constructs.vmt")
      guard let lines = try await highlighter.lines(of: [file])?.first else { return }
      try #require(lines.count == Self.constructs.count)
      for (spans, construct) in zip(lines, Self.constructs) {
        #expect(spans == construct.value.map(Span.init), "\(construct.key)")
      }
    }
  }

  /// The document's tables of lines have all that a transcript may hold.
  @Test func `the table has each line that Transcripts.md shows`() throws {
    let document = try Repository.text("Documentation/Transcripts.md")
    let rows = document.matches(of: /(?m)^\| `([^`]+)` \| (.+) \|$/)
    let kinds = Set(rows.map { String($0.output.1.prefix { $0 != " " }) })
    try #require(kinds.count > 20)
    let known = Set(Self.constructs.map { String($0.key.prefix { $0 != " " }) })
    #expect(kinds.subtracting(known).filter { !$0.hasPrefix("{") } == [])
  }

  @Test(arguments: Highlighter.allCases)
  func `no transcript of the project has a wrong colour`(_ highlighter: Highlighter) async throws {
    let root = try Repository.root()
    var files: [String] = []
    for folder in ["Tests/Transcripts", "Examples"] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
      files += names.filter { $0.hasSuffix(".vmt") && !$0.contains(".build/") }.sorted()
        .map { "\(root)/\(folder)/\($0)" }
    }
    try #require(files.count > 10)
    guard let all = try await highlighter.lines(of: files) else { return }
    try #require(all.count == files.count)
    var wrong: [String] = []
    for (file, spans) in zip(files, all) {
      let texts = try String(contentsOfFile: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (text, line) in zip(texts, spans) where !Self.isRight(line, text) {
        wrong.append("\(file): \(text): \(line)")
      }
    }
    #expect(wrong == [])
  }

  private static let sigils: [Character: String] = [
    "#": "comment", ">": "input", "<": "output", "?": "request", "x": "cancel", "!": "answer",
    "+": "advance", "@": "directive", "v": "version",
  ]

  /// Whether nothing in a line is an error, and its beginning has the colour of its kind.
  private static func isRight(_ spans: [Span], _ text: Substring) -> Bool {
    guard spans.allSatisfy({ $0.kind != "illegal" && !$0.kind.hasPrefix("unknown") }) else {
      return false
    }
    guard let first = text.first, first != " ", first != "{" else { return true }
    return spans.first?.kind == sigils[first]
  }
}
