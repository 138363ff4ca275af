import CanonicalJSON
import TestSupport
import Testing

/// `go` in JSON Lines: the session goes to another step, and on from there.
struct TimeTravelTests {
  /// The lines behind the first frame, without times and branches.
  static func lines(_ stdout: String) throws -> [String] {
    try stdout.split(separator: "\n").dropFirst().map { line in
      guard case .object(var members) = try JSONValue(parsing: Array(line.utf8).span) else {
        return String(line)
      }
      for name in ["t", "branch", "branches"] { members[name] = nil }
      return JSONValue.object(members).canonicalText
    }
  }

  private func run(
    _ arguments: [String], _ lines: [String]
  ) async throws -> (lines: [String], output: ChildProcess.Output) {
    let output = try await VMHostRun.output(
      arguments, .text(lines.map { "\($0)\n" }.joined()))
    return (try Self.lines(output.stdout), output)
  }

  private func expect(
    _ arguments: [String], _ lines: [String], _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (found, output) = try await run(arguments, lines)
    #expect(found == expected, sourceLocation: sourceLocation)
    #expect(output.stderr == "", sourceLocation: sourceLocation)
    #expect(output.status == .success, sourceLocation: sourceLocation)
  }

  /// A shop without its first frame, whose requests only lines answer.
  private static func shop(_ folder: String) -> [String] {
    ["run", "\(folder)/shop.so", "--effect", "http=none"] + Arguments.jsonl
  }

  private static let first = [
    #"{"instance":"shop","kind":"output","name":"items","value":[]}"#,
    #"{"instance":"shop","kind":"output","name":"total","value":0}"#,
  ]
  private static let end = #"{"kind":"end","status":0}"#

  private static func frame(_ items: String, _ total: Int) -> String {
    #"{"instance":"shop","kind":"frame","states":{"items":\#(items),"total":\#(total)}}"#
  }

  private static func request(_ id: Int, _ query: String) -> String {
    #"{"effect":"http","id":\#(id),"instance":"shop","kind":"request","#
      + #""value":{"url":"/search?q=\#(query)"}}"#
  }

  @Test func `the session goes back, forward, and on from there with numbers that are new`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await ShopPlugin.compile("", into: directory.path)
      try await expect(
        Self.shop(directory.path),
        [
          #"{"name":"search","value":"tea","seq":1}"#,
          #"{"kind":"reply","id":1,"value":["green"],"seq":2}"#,
          #"{"name":"search","value":"ale","seq":3}"#,
          // Back to the first question, which nobody answers any more.
          #"{"kind":"go","step":2,"seq":4}"#,
          // An answer to what was asked before comes too late.
          #"{"kind":"reply","id":2,"value":["stout"]}"#,
          #"{"kind":"go","step":4,"seq":5}"#, #"{"kind":"go","step":2,"seq":6}"#,
          #"{"kind":"reply","id":5,"value":["black"],"seq":7}"#,
          #"{"name":"search","value":"gin","seq":8}"#, #"{"kind":"go","step":9,"seq":9}"#,
          #"{"kind":"reply","id":6,"value":[]}"#,
        ],
        Self.first + [
          Self.request(1, "tea"), #"{"kind":"done","seq":1,"step":2}"#,
          #"{"instance":"shop","kind":"output","name":"items","value":["green"]}"#,
          #"{"instance":"shop","kind":"output","name":"total","value":1}"#,
          #"{"kind":"done","seq":2,"step":3}"#,
          Self.request(2, "ale"), #"{"kind":"done","seq":3,"step":4}"#,
          #"{"effect":"http","id":2,"instance":"shop","kind":"cancel"}"#,
          #"{"kind":"go","open":[{"effect":"http","id":3,"instance":"shop"}],"seq":4,"step":2,"#
            + #""steps":4}"#,
          Self.frame("[]", 0), #"{"kind":"done","seq":4,"step":2}"#,
          #"{"kind":"log","level":"debug","line":5,"message":"shop has no open request 2: the"#
            + #" session has gone to another step or was reloaded since that request. Open: 3"#
            + #" http."}"#,
          #"{"effect":"http","id":3,"instance":"shop","kind":"cancel"}"#,
          #"{"kind":"go","open":[{"effect":"http","id":4,"instance":"shop"}],"seq":5,"step":4,"#
            + #""steps":4}"#,
          Self.frame(#"["green"]"#, 1), #"{"kind":"done","seq":5,"step":4}"#,
          #"{"effect":"http","id":4,"instance":"shop","kind":"cancel"}"#,
          #"{"kind":"go","open":[{"effect":"http","id":5,"instance":"shop"}],"seq":6,"step":2,"#
            + #""steps":4}"#,
          Self.frame("[]", 0), #"{"kind":"done","seq":6,"step":2}"#,
          #"{"instance":"shop","kind":"output","name":"items","value":["black"]}"#,
          #"{"instance":"shop","kind":"output","name":"total","value":1}"#,
          #"{"kind":"done","seq":7,"step":3}"#,
          Self.request(6, "gin"), #"{"kind":"done","seq":8,"step":4}"#,
          #"{"code":"unsupported","kind":"refused","message":"there is no step 9: the last one is"#
            + #" 4.","seq":9}"#,
          #"{"instance":"shop","kind":"output","name":"items","value":[]}"#,
          #"{"instance":"shop","kind":"output","name":"total","value":0}"#, Self.end,
        ])
    }
  }

  @Test func `before the first step nothing is open, and one can go forward again`() async throws {
    try await expect(
      ["run", "echo.so", "--view-model", "echo", "--view-model", "echo=b"] + Arguments.jsonl,
      [
        #"{"instance":"b","name":"say","value":1}"#, #"{"kind":"go","step":0}"#,
        #"{"kind":"go","step":1}"#, #"{"kind":"go","step":3,"seq":1}"#,
        #"{"instance":"b","name":"say","value":2,"seq":2}"#,
      ],
      [
        #"{"instance":"b","kind":"output","name":"said","value":1}"#,
        #"{"instance":"echo","kind":"close"}"#, #"{"instance":"b","kind":"close"}"#,
        #"{"kind":"go","step":0,"steps":3}"#,
        #"{"instance":"echo","kind":"open","viewModel":"echo"}"#,
        #"{"kind":"go","step":1,"steps":3}"#, #"{"instance":"echo","kind":"frame","states":{}}"#,
        #"{"instance":"b","kind":"open","viewModel":"echo"}"#,
        #"{"kind":"go","seq":1,"step":3,"steps":3}"#,
        #"{"instance":"echo","kind":"frame","states":{}}"#,
        #"{"instance":"b","kind":"frame","states":{}}"#, #"{"kind":"done","seq":1,"step":3}"#,
        #"{"instance":"b","kind":"output","name":"said","value":2}"#,
        #"{"kind":"done","seq":2,"step":4}"#, Self.end,
      ])
  }

  @Test func `a handle that was another view model's is closed and opened`() async throws {
    let (found, _) = try await run(
      ["run", "echo.so", "kitfixture.so", "--view-model", "echo=e"] + Arguments.jsonl,
      [
        #"{"kind":"close","instance":"e"}"#,
        #"{"kind":"open","viewModel":"kit.ports","instance":"e"}"#, #"{"kind":"go","step":1}"#,
      ])
    #expect(
      found.filter { !$0.contains("\"output\"") } == [
        #"{"instance":"e","kind":"close"}"#, #"{"instance":"e","kind":"open","viewModel":"echo"}"#,
        #"{"kind":"go","step":1,"steps":3}"#, #"{"instance":"e","kind":"frame","states":{}}"#,
        Self.end,
      ])
  }

  @Test func `a timer that was waiting fires when it is due from there on`() async throws {
    let (_, output) = try await run(
      ["run", "movies.so"] + Arguments.jsonl,
      [
        #"{"name":"didSearch","value":"alien"}"#, #"{"kind":"advance","by":"120ms"}"#,
        #"{"name":"showQueriesSuggestions"}"#, #"{"kind":"advance","by":"1h","seq":1}"#,
        #"{"kind":"go","step":3,"seq":2}"#, #"{"kind":"advance","by":"79ms","seq":3}"#,
        #"{"kind":"advance","by":"1ms","seq":4}"#,
      ])
    let summary = output.stdout.split(separator: "\n").filter {
      $0.contains("\"done\"") || $0.contains("isEmpty\",\"value\":false")
    }
    let shown =
      #"{"kind":"output","t":0.2,"instance":"list","name":"isEmpty","value":"#
    #expect(
      summary == [
        "\(shown)false}", #"{"kind":"done","t":3600.12,"seq":1,"step":4}"#,
        #"{"kind":"done","t":0.12,"seq":2,"step":3}"#,
        #"{"kind":"done","t":0.199,"seq":3,"step":3}"#, "\(shown)false}",
        #"{"kind":"done","t":0.2,"seq":4,"step":4}"#,
      ])
  }

  @Test func `the store's file stays as it is, and the copy is what the plugin had then`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let arguments =
        ["run", "movies.so", "--store", directory.file("s.db")] + Arguments.jsonl
        + ["--view-model", "movies.list", "--view-model", "movies.suggestions"]
      let search = { (word: String) in
        [
          #"{"instance":"list","name":"didSearch","value":"\#(word)"}"#,
          #"{"kind":"advance","by":"idle"}"#,
        ]
      }
      let look = #"{"instance":"suggestions","name":"viewWillAppear"}"#
      let queries = { (lines: [String]) in
        lines.filter { $0.contains(#""items","value":[{"query""#) }.map { line in
          line.split(separator: "\"query\":").dropFirst().map { $0.prefix { $0 != "}" } }
            .joined(separator: " ")
        }
      }
      _ = try await run(arguments, search("jaws"))
      let (found, output) = try await run(
        arguments,
        search("alien") + [look] + search("brazil") + [look, #"{"kind":"go","step":5}"#, look]
          + search("heat") + [look, #"{"kind":"go","step":2}"#, look])
      #expect(
        queries(found) == [
          #""alien" "jaws""#, #""brazil" "alien" "jaws""#, #""alien" "jaws""#,
          #""heat" "alien" "jaws""#, #""jaws""#,
        ])
      #expect(
        found.filter { $0.contains("\"go\"") } == [
          #"{"kind":"go","step":5,"steps":8,"store":"copy"}"#,
          #"{"kind":"go","step":2,"steps":9}"#,
        ])
      #expect(output.stderr == "")
      // What happened up to the first `go` is in the file, and nothing since.
      let (kept, _) = try await run(arguments, [look])
      #expect(queries(kept) == [#""brazil" "alien" "jaws""#])
    }
  }

  private static let refusals: [(arguments: [String], message: String)] = [
    (
      ["--in-process"],
      "this needs plugins in processes of their own, so it can't be combined with --in-process or"
        + " --backtrace."
    ),
    (
      ["--backtrace"],
      "this needs plugins in processes of their own, so it can't be combined with --in-process or"
        + " --backtrace."
    ),
    (
      ["--record", "r.vmt"],
      "a session that is recorded with --record keeps no history of its own."
    ),
  ]

  @Test(arguments: refusals)
  func `where a session can't go back it says why`(
    _ refusal: (arguments: [String], message: String)
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let arguments = refusal.arguments.map { $0 == "r.vmt" ? directory.file($0) : $0 }
      try await expect(
        ["run", "echo.so"] + arguments + Arguments.jsonl, [#"{"kind":"go","step":0,"seq":1}"#],
        [
          #"{"code":"unsupported","kind":"refused","message":"\#(refusal.message)","seq":1}"#,
          Self.end,
        ])
    }
  }

  @Test func `a history of more than 64 MB has ended, and the session goes on`() async throws {
    let value = String(repeating: "x", count: 10 << 20)
    let input = #"{"name":"say","value":"\#(value)"}"#
    let (found, output) = try await run(
      ["run", "echo.so"] + Arguments.jsonl,
      [input, input, input, input, #"{"kind":"go","step":2,"seq":2}"#]
        + [#"{"name":"say","value":1,"seq":3}"#])
    let short = found.filter { $0.utf8.count < 300 }
    #expect(
      short == [
        #"{"code":"unsupported","kind":"refused","message":"the session has more than 64 MB of"#
          + #" history, which isn't kept any more.","seq":2}"#,
        #"{"instance":"echo","kind":"output","name":"said","value":1}"#,
        #"{"kind":"done","seq":3,"step":6}"#, Self.end,
      ])
    #expect(output.status == .success)
  }

  @Test func `a plugin that does something else when it is repeated says so`() async throws {
    let (found, _) = try await run(
      ["run", "determinismfixture.so", "--view-model", "sources.surroundings"] + Arguments.jsonl,
      [
        #"{"name":"processID"}"#, #"{"kind":"go","step":2,"seq":1}"#,
        #"{"kind":"go","step":1,"seq":2}"#,
      ])
    #expect(
      found.dropFirst() == [
        #"{"code":"unsupported","kind":"refused","message":"step 2 can't be repeated: the plugin"#
          + #" did something else this time.","seq":1}"#,
        #"{"kind":"go","seq":2,"step":1,"steps":2}"#,
        #"{"instance":"surroundings","kind":"frame","states":{}}"#,
        #"{"kind":"done","seq":2,"step":1}"#, Self.end,
      ])
  }

  @Test func `twenty thousand steps with refusals among them are all there`() async throws {
    let lines = (1...20_000).map { number in
      number % 1000 == 0
        ? #"{"name":"setNumber","value":"x","seq":\#(number)}"#
        : #"{"name":"setNumber","value":\#(number)}"#
    }
    let (found, output) = try await run(
      ["run", "kitfixture.so", "--view-model", "kit.ports"] + Arguments.jsonl,
      lines + [#"{"kind":"go","step":10001,"seq":1}"#, #"{"kind":"go","step":19981,"seq":2}"#])
    let frames = found.filter { $0.contains("\"frame\"") }
    // Step 1 is the opening, and each thousandth input made none.
    #expect(frames.map { $0.contains("\"number\":10010") } == [true, false])
    #expect(frames.map { $0.contains("\"number\":19999") } == [false, true])
    #expect(output.stderr == "")
  }
}
