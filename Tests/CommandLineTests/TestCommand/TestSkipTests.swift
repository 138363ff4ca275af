import HostCore
import TestSupport
import Testing

@testable import vmhost

/// Transcripts that say that they are not to be tested.
struct TestSkipTests {
  private static func skipping(_ text: String, _ reason: String = "waits for the new server")
    -> String
  {
    text.replacing("vmt 1\n", with: "vmt 1\n@skip \(reason)\n")
  }

  @Test func `are counted, and their reasons shown`() async throws {
    let files = [
      "a.vmt": Sample.passed, "b.vmt": Self.skipping(Sample.failed),
      "c.vmt": Self.skipping(Sample.crashed),
      "d.vmt": Self.skipping(Sample.notLoaded, "see \"#12\" <&>"),
      "e.vmt": Self.skipping(Sample.unverified),
    ]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--events", "e.jsonl", "--junit", "j.xml"])
      #expect(
        output.stdout == """
          skipped: ./b.vmt and 2 more: waits for the new server
          skipped: ./d.vmt: see "#12" <&>
          1 passed, 4 skipped in TIME

          """)
      #expect(output.status == .success)
      let results = try folder.events("e.jsonl").results.sortedByPath
      #expect(results.map(\.verdict) == [.passed, .skipped, .skipped, .skipped, .skipped])
      #expect(results.map(\.steps) == [2, 0, 0, 0, 0])
      #expect(results[3].summary == "see \"#12\" <&>")
      let junit = try folder.text("j.xml")
      #expect(junit.contains(" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"4\" "))
      #expect(
        junit.contains("<skipped message=\"see &quot;#12&quot; &lt;&amp;&gt;\"/>"), "\(junit)")
      let merged = TestFolder.Output(
        try await VMHostRun.output(["merge-reports", "e.jsonl"], workingDirectory: folder.path))
      #expect(merged.stdout == output.stdout)
      #expect(merged.status == .success)
    }
  }

  @Test func `are played if that is wanted`() async throws {
    let files = ["a.vmt": Self.skipping(Sample.passed), "b.vmt": Self.skipping(Sample.failed)]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--include-skipped"])
      #expect(output.summary == "1 passed, 1 failed in TIME")
      #expect(output.status == .exited(1))
      let list = try await folder.test([".", "--include-skipped", "--list"])
      #expect(list.stdout == "./a.vmt\n./b.vmt\n")
    }
  }

  @Test(arguments: [["--update"], ["--update=patch"], ["--repeat", "2"], ["--in-process"]])
  func `stay as they are whatever is done with the others`(_ options: [String]) async throws {
    let files = ["a.vmt": Self.skipping(Sample.failed), "b.vmt": Sample.passed]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(["."] + options)
      let text = options == ["--update=patch"] ? output.stderr : output.stdout
      #expect(text.contains("skipped: ./a.vmt: waits for the new server\n1 passed, 1 skipped in "))
      #expect(output.status == .success)
      #expect(try folder.text("a.vmt") == files["a.vmt"])
    }
  }

  @Test func `leave only other failures for the next run`() async throws {
    try await TestFolder.with(["a.vmt": Sample.failed, "b.vmt": Sample.failed]) { folder in
      let environment = ["XDG_CACHE_HOME": folder.file("cache")]
      _ = try await folder.test(["."], environment: environment)
      try folder.folder.write(Self.skipping(Sample.failed), to: "a.vmt")
      _ = try await folder.test(["."], environment: environment)
      let list = try await folder.test([".", "--last-failed", "--list"], environment: environment)
      #expect(list.stdout == "./b.vmt\n")
    }
  }

  @Test func `have no time, and no ports`() async throws {
    try await TestFolder.with(["a.vmt": Self.skipping(Sample.passed)]) { folder in
      let output = try await folder.test(["a.vmt", "--timings", "t.json", "--port-coverage"])
      #expect(
        output.stdout.hasSuffix("1 skipped in TIME\n\nPort coverage: no plugin was loaded.\n"))
      #expect(try folder.text("t.json") == "{}\n")
    }
  }

  @Test func `with very many reasons are shown in part`() async throws {
    let files = (10..<30).map { ("\($0).vmt", Self.skipping(Sample.passed, "reason \($0 / 2)")) }
    let more = ("reasons.vmt", Self.skipping(Sample.passed, "one more"))
    try await TestFolder.with(Dictionary(uniqueKeysWithValues: files + [more])) { folder in
      let lines = try await folder.test(["."]).stdout.split(separator: "\n")
      #expect(lines.first == "skipped: ./10.vmt and 1 more: reason 5")
      #expect(lines.count == 12)
      #expect(lines.suffix(2).first == "skipped: 1 more, for other reasons")
    }
  }

  @Test(arguments: [
    ("vmt 1\n@skip why\n@skip again\n", 3, "a transcript can have only one @skip."),
    (
      "vmt 1\n@plugin echo.so\n@open echo\n@skip why\n", 4,
      "this must come before the first step."
    ),
    ("vmt 1\n@plugin echo.so\n@open echo\n@tags a\n", 4, "this must come before the first step."),
    ("vmt 1\n@skip why\n@opne echo\n", 3, "there is no directive @opne. Did you mean \"@open\"?"),
    (
      "vmt 1\n@skip\n", 2, "@skip: expected a reason, as in @skip waits for the new server."
    ),
    ("vmt 1\n@skip why\n@plugin echo.so\n@open echo\n> say [\n", 5, "the value is not JSON: "),
  ])
  func `with a mistake are invalid`(_ text: String, _ line: Int, _ words: String) async throws {
    try await TestFolder.with(["a.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt"])
      #expect(output.stdout.hasPrefix("invalid: a.vmt:\(line): \(words)"), "\(output.stdout)")
      #expect(output.status == .exited(2))
    }
  }

  @Test func `that break off are invalid, too`() async throws {
    try await TestFolder.with(["a.vmt": "vmt 1\n@recorded {}\n@skip why\n"]) { folder in
      let output = try await folder.test(["a.vmt"])
      #expect(output.summary == "1 invalid in TIME")
    }
  }

  @Test func `are replayed with a message, and run without one`() async throws {
    let text = Self.skipping(Sample.passed).replacing("@open", with: "@tags slow\n@open")
    try await TestFolder.with(["a.vmt": text]) { folder in
      try await VMHostRun.expect(
        ["replay", "a.vmt", "--format", "text"], workingDirectory: folder.path,
        stdout: "@open echo\n> say 1\n< said 1\n",
        stderr: "vmhost: a.vmt: \"vmhost test\" skips it: waits for the new server\n")
      try await VMHostRun.expect(
        ["run", "--script", "a.vmt", "--format", "text"], workingDirectory: folder.path,
        stdout: "< said 1\n")
      try await VMHostRun.expect(
        ["run", "echo.so", "--format", "text"], .text("@skip x\n@tags a b\n> say 2\n"),
        stdout: "< said 2\n")
    }
  }
}
