import CanonicalJSON
import TestSupport
import Testing

/// `describe` and `save` lines: what a front end can do with a session, and what it has done.
struct DescribeLineTests {
  @Test func `describes each view model of all plugins, with its schemas`() async throws {
    let lines = try await ControlRun.lines(
      ["run", "echo.so", "movies.so"] + Arguments.jsonl, [#"{"kind":"describe","seq":7}"#])
    let viewModels = lines.filter { $0["kind"]?.stringValue == "viewModel" }
    #expect(
      viewModels.map { "\($0["plugin"]?.stringValue ?? "") \($0["id"]?.stringValue ?? "")" } == [
        "echo echo", "movies movies.list", "movies movies.details", "movies movies.suggestions",
      ])
    #expect(viewModels.allSatisfy { $0["seq"]?.canonicalText == "7" })
    let list = try #require(viewModels.dropFirst().first)
    #expect(
      list["inputs"]?.arrayValue?.prefix(2).map(\.canonicalText) == [
        #"{"name":"viewDidLoad","takes":"nothing"}"#,
        #"{"name":"didSearch","schema":{"type":"string"}}"#,
      ])
    #expect(
      list["states"]?.arrayValue?.map { $0["name"]?.stringValue }
        == ["items", "isEmpty", "loading", "query", "error", "labels"])
    #expect(list["signals"]?.arrayValue?.count == 3)
    #expect(list["requests"]?.arrayValue?.first?.canonicalText == #"{"name":"http"}"#)
    #expect(list["config"]?["properties"]?["apiKey"]?.canonicalText == #"{"type":"string"}"#)
    // The name of a secret is none.
    #expect(list["defaultConfig"]?["apiKey"]?.stringValue == "$secret:tmdb")
    #expect(viewModels.first?["config"] == nil)
  }

  @Test func `people get the names`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text("{\"kind\":\"describe\"}\n"), stdout: "# view model echo of echo\n")
  }

  private static let shop = [
    #"{"name":"search","value":"tea"}"#, #"{"kind":"reply","id":1,"value":["green"]}"#,
    #"{"name":"search","value":"ale"}"#,
  ]

  @Test func `a saved session is a transcript that tests can play`() async throws {
    try await TemporaryDirectory.with { directory in
      try await ShopPlugin.compile("", into: directory.path)
      let lines = try await ControlRun.lines(
        ["run", "shop.so", "--effect", "http=none"] + Arguments.jsonl,
        Self.shop + [
          #"{"kind":"save","seq":1}"#, #"{"kind":"go","step":2}"#, #"{"kind":"save","seq":2}"#,
          // The session goes on as if nothing had happened.
          #"{"name":"search","value":"gin"}"#, #"{"kind":"save","seq":3}"#,
        ], workingDirectory: directory.path)
      let saved = lines.filter { $0["kind"]?.stringValue == "transcript" }
      #expect(saved.map { $0["seq"]?.canonicalText } == ["1", "2", "3"])
      let texts = saved.compactMap { $0["text"]?.stringValue }
      let steps = texts.map { $0.split(separator: "\n").filter { $0.hasPrefix(">") } }
      #expect(
        steps == [
          [#"> search "tea""#, #"> search "ale""#], [#"> search "tea""#],
          [#"> search "tea""#, #"> search "gin""#],
        ])
      #expect(texts.first?.contains("\n@plugin shop.so\n") == true)
      #expect(texts.allSatisfy { $0.hasPrefix("vmt 1\n") && $0.hasSuffix("\n@end\n") })
      for text in texts { try await ControlRun.test(text, in: directory) }
    }
  }

  @Test func `a saved session has no secrets`() async throws {
    try await TemporaryDirectory.with { directory in
      let lines = try await ControlRun.lines(
        ["run", "echo.so", "--secret", "a=KEY"] + Arguments.jsonl,
        [#"{"name":"say","value":"my s3cr3t"}"#, #"{"kind":"save"}"#],
        environment: ["KEY": "s3cr3t"])
      let texts = lines.compactMap { $0["text"]?.stringValue }
      let text = try #require(texts.first)
      #expect(text.contains("\n> say \"my SECRET_a\"\n< said \"my SECRET_a\"\n"))
      #expect(!"\(lines)".contains("s3cr3t"))
      try await ControlRun.test(text, in: directory)
    }
  }

  @Test(
    arguments: [
      ([], "unsupported: there is no step to save."),
      (
        ["echo.so", "--in-process"],
        "unsupported: this needs plugins in processes of their own, so it can't be combined with"
          + " --in-process or --backtrace."
      ),
      (
        ["echo.so", "--record", "FILE"],
        "unsupported: a session that is recorded with --record keeps no history of its own."
      ),
    ])
  func `says why it can't save`(_ options: [String], _ refusal: String) async throws {
    try await TemporaryDirectory.with { directory in
      let options = options.map { $0 == "FILE" ? directory.file("a.vmt") : $0 }
      let lines = try await ControlRun.lines(
        ["run"] + options + Arguments.jsonl, [#"{"kind":"save","seq":1}"#])
      #expect(ControlRun.refusals(lines) == [refusal])
    }
  }

  @Test(arguments: ["test", "replay"], [#"{"kind":"save"}"#, #"{"kind":"go","step":1}"#])
  func `a transcript has no line about the session as a whole`(
    _ command: String, _ line: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let file = try directory.write("vmt 1\n@plugin echo.so\n@open echo\n\(line)\n", to: "a.vmt")
      let output = try await VMHostRun.output([command, file])
      #expect(
        (output.stdout + output.stderr).contains(
          ": only \"vmhost run\" takes this line, as no transcript goes elsewhere.\n  4 | "))
      #expect(output.status == .exited(2))
    }
  }
}
