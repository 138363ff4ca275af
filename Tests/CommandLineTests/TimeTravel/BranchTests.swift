import CanonicalJSON
import TestSupport
import Testing

/// What happens after going back is a branch, beside what happened before.
struct BranchTests {
  private static func say(_ value: String) -> String { #"{"name":"say","value":\#(value)}"# }

  private static func go(_ step: Int, _ branch: Int? = nil) -> String {
    #"{"kind":"go","step":\#(step)\#(branch.map { ",\"branch\":\($0)" } ?? ""),"seq":0}"#
  }

  /// Where the session is after each `go`: its step and branch, and all branches as
  /// `number:from-steps`. Otherwise the value of an output, or why a line was refused.
  private static func summary(_ lines: [JSONValue]) -> [String] {
    lines.compactMap { line in
      let text = { (name: String) in line[name]?.canonicalText ?? "" }
      switch line["kind"]?.stringValue {
      case "go":
        let branches = (line["branches"]?.arrayValue ?? []).map { branch in
          let member = { (name: String) in branch[name]?.canonicalText ?? "" }
          return "\(member("branch")):\(member("from"))-\(member("steps"))"
        }
        return "at \(text("step")) of \(text("steps")) in \(text("branch")) ("
          + branches.joined(separator: " ") + ")"
      case "output": return String(text("value").prefix(10))
      case "refused": return line["message"]?.stringValue
      default: return nil
      }
    }
  }

  private func expect(
    _ lines: [String], _ expected: [String], _ options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await ControlRun.lines(["run", "echo.so"] + options + Arguments.jsonl, lines)
    #expect(Self.summary(found) == expected, sourceLocation: sourceLocation)
  }

  @Test func `the branch that was left is kept, and both go on`() async throws {
    try await expect(
      [
        Self.say("1"), Self.say("2"), Self.go(2), Self.say("3"), Self.say("4"), Self.go(3),
        Self.go(4), Self.say("5"), Self.go(3, 1), Self.say("6"), Self.go(1), Self.say("7"),
        Self.go(2, 2), Self.go(5), Self.go(0, 3), Self.go(4, 1), Self.go(1, 4), Self.go(0),
      ],
      [
        "1", "2", "at 2 of 3 in 1 (1:0-3)", "3", "4", "at 3 of 4 in 2 (1:0-3 2:2-4)",
        "at 4 of 4 in 2 (1:0-3 2:2-4)", "5", "at 3 of 3 in 1 (1:0-3 2:2-5)",
        // It goes on at its end, so it is still the same branch.
        "6", "at 1 of 4 in 1 (1:0-4 2:2-5)", "7", "at 2 of 5 in 2 (1:0-4 2:2-5 3:1-2)",
        "at 5 of 5 in 2 (1:0-4 2:2-5 3:1-2)", "at 0 of 2 in 3 (1:0-4 2:2-5 3:1-2)",
        "at 4 of 4 in 1 (1:0-4 2:2-5 3:1-2)", "there is no branch 4: the last one is 3.",
        "at 0 of 4 in 1 (1:0-4 2:2-5 3:1-2)",
      ])
  }

  @Test func `a branch has the states that it had, and is saved without the others`()
    async throws
  {
    let lines = try await ControlRun.lines(
      ["run", "movies.so"] + Arguments.jsonl,
      [
        #"{"name":"didSearch","value":"jaws"}"#, "+ idle", Self.go(1),
        #"{"name":"didSearch","value":"alien"}"#, Self.go(3, 1), Self.go(2, 2),
        #"{"kind":"frame","seq":1}"#, #"{"kind":"save"}"#,
      ])
    let queries = lines.filter { $0["kind"] == "frame" }.map {
      $0["states"]?["query"]?.stringValue
    }
    #expect(queries == ["", "jaws", "alien", "alien"])
    let texts = lines.compactMap { $0["text"]?.stringValue }
    #expect(texts.first?.contains("alien") == true && texts.first?.contains("jaws") == false)
  }

  @Test func `a request's number stands for one question in all branches`() async throws {
    try await TemporaryDirectory.with { directory in
      try await ShopPlugin.compile("", into: directory.path)
      let search = { (text: String) in #"{"name":"search","value":"\#(text)"}"# }
      let lines = try await ControlRun.lines(
        ["run", "\(directory.path)/shop.so", "--effect", "http=none"] + Arguments.jsonl,
        [
          search("tea"), #"{"kind":"reply","id":1,"value":["green"]}"#, search("ale"), Self.go(3),
          search("gin"), Self.go(4, 1), Self.go(4, 2), search("rum"), Self.go(2, 1),
          #"{"kind":"reply","id":7,"value":["black"],"seq":1}"#, Self.go(3, 1), Self.go(3, 3),
          search("cola"),
        ])
      // What each number was asked for, in new requests and in those that were open again.
      var asked: [String: String] = [:]
      for line in lines where line["kind"] == "request" {
        let id = line["id"]?.canonicalText ?? ""
        #expect(asked[id] == nil, "\(id)")
        asked[id] = line["value"]?["url"]?.stringValue
      }
      for line in lines where line["kind"] == "go" {
        for request in line["open"]?.arrayValue ?? [] {
          let id = request["id"]?.canonicalText ?? ""
          #expect(asked[id] == nil, "\(id)")
          asked[id] = "open"
        }
      }
      #expect(asked.values.filter { $0 != "open" }.count == 5)
      #expect(ControlRun.refusals(lines) == [])
      let totals = lines.filter { $0["kind"] == "frame" }.map {
        $0["states"]?["items"]?.canonicalText
      }
      #expect(
        totals == [
          #"["green"]"#, #"["green"]"#, #"["green"]"#, "[]", #"["green"]"#, #"["black"]"#,
        ])
    }
  }

  @Test func `the oldest branches are dropped when all of them have too much history`()
    async throws
  {
    let long = #""\#(String(repeating: "a", count: 30_000))""#
    let short = String(long.prefix(10))
    try await expect(
      [
        Self.say(long), Self.go(1), Self.say(long), Self.go(1), Self.say("3"), Self.go(1),
        Self.go(2, 1), Self.go(2, 2),
        // One that grows until nothing fits beside it.
        Self.go(1, 3), Self.say(long), Self.say("4"), Self.go(1), Self.say(long), Self.say(long),
        Self.go(1),
      ],
      [
        short, "at 1 of 2 in 1 (1:0-2)", short, "at 1 of 2 in 2 (2:1-2)", "3",
        "at 1 of 2 in 3 (2:1-2 3:1-2)", "branch 1 isn't kept any more.",
        "at 2 of 2 in 2 (2:1-2 3:1-2)", "at 1 of 2 in 3 (2:1-2 3:1-2)", short, "4",
        "at 1 of 3 in 4 (3:1-2 4:1-3)", short, short,
        "the session has more than 0 MB of history, which isn't kept any more.",
      ], ["--limit", "bytes=300000"])
  }

  @Test func `a reload keeps only the branch where the session is`() async throws {
    try await TestFolder.with { folder in
      try await ShopPlugin.compile("", into: folder.path)
      let session = try ReloadTests.Session(folder, ["--effect", "http=none"])
      try session.send(#"{"name":"search","value":"tea"}"#, until: "request")
      try session.send(Self.go(1), until: "done")
      try session.send(#"{"name":"search","value":"ale","seq":1}"#, until: "done")
      try await session.replace(with: "NOTHING")
      try session.lines(until: #""kind":"reload""#)
      let lines = try session.send(Self.go(2, 1), until: "refused")
      #expect(lines.last?.contains("branch 1 isn't kept any more.") == true)
      // The number of a branch is never used again.
      try session.send(Self.go(1), until: "done")
      try session.send(#"{"name":"search","value":"gin","seq":1}"#, until: "done")
      try session.send(Self.go(1, 3), until: "done")
      try session.send(Self.go(2, 2), until: "done")
      #expect(try session.end().status == .success)
    }
  }
}
