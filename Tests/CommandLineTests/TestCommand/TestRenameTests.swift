import TestSupport
import Testing

@testable import vmhost

/// `vmhost test --rename`, which changes names in transcripts and then plays them.
struct TestRenameTests {
  /// As it was when the plugin still had other names.
  private static let old = Sample.passed.replacing("< said", with: "< spoken")
    .replacing("> say", with: "> tell")

  @Test func `renames, says what it changed, and plays what it changed`() async throws {
    let files = ["a.vmt": Self.old, "b.vmt": Self.old + "> tell 2\n", "c.vmt": Sample.failed]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([
        ".", "--rename", "output:echo.spoken=said", "--rename", "input:echo.tell=say",
      ])
      #expect(
        output.stdout == """
          renamed 5 lines in 2 transcripts

          failed: ./b.vmt:6: found < said 2, which no line expects
          the step at ./b.vmt:6: > say 2
          - expected (the transcript)   + found (this run)
          + < said 2

          1 passed, 1 failed in TIME

          """)
      #expect(output.status == .exited(1))
      #expect(try folder.text("a.vmt") == Sample.passed)
      #expect(try folder.text("b.vmt") == Sample.passed + "> say 2\n")
      #expect(try folder.text("c.vmt") == Sample.failed)
    }
  }

  @Test func `chooses the transcripts as the test does, and can go with an update`() async throws {
    let files = ["a.vmt": Self.old, "b.vmt": Self.old.replacing("spoken 1", with: "spoken 2")]
    try await TestFolder.with(files) { folder in
      let renames = ["--rename", "output:echo.spoken=said", "--rename", "input:echo.tell=say"]
      let output = try await folder.test([".", "--filter", "b.vmt", "--update"] + renames)
      #expect(output.stdout.hasPrefix("renamed 2 lines in 1 transcript\n\n"))
      #expect(output.summary == "1 updated in TIME")
      #expect(try folder.text("b.vmt") == Sample.passed)
      #expect(try folder.text("a.vmt") == Self.old)
    }
  }

  @Test func `finds the view models of a flow, and leaves its file alone`() async throws {
    let flow = """
      {"flow":1,"start":[{"open":"movies.list","as":"films","config":{"source":"bundled"}}],\
      "signals":{}}
      """
    let text = """
      vmt 1
      @plugin movies.so
      @flow f.json
      @open movies.list as films
      < films.rows []

      """
    try await TestFolder.with(["a.vmt": text, "f.json": flow]) { folder in
      let output = try await folder.test(["a.vmt", "--rename", "output:movies.list.rows=items"])
      #expect(
        output.stdout.hasPrefix(
          "renamed 1 line in 1 transcript; flow files stay as they are: \"f.json\"\n\n"))
      #expect(try folder.text("a.vmt") == text.replacing("rows", with: "items"))
      #expect(try folder.text("f.json") == flow)
    }
  }

  @Test(arguments: [
    (
      ["--rename", "output:echo.spokn=said"], [:],
      "--rename: \"output:echo.spokn=said\": no transcript has a line for an output of echo named"
        + " \"spokn\". Did you mean \"spoken\"?"
    ),
    // One of two has no match, so nothing is done.
    (
      ["--rename", "output:echo.spoken=said", "--rename", "input:ecoh.tell=say"], [:],
      "--rename: \"input:ecoh.tell=say\": no transcript opens the view model \"ecoh\". Did you mean"
        + " \"echo\"?"
    ),
    (
      ["--rename", "said"], [:],
      "--rename: \"said\" doesn't have one of the forms input:VIEWMODEL.OLD=NEW,"
        + " output:VIEWMODEL.OLD=NEW, view-model:OLD=NEW or handle:OLD=NEW."
    ),
    (
      ["--rename", "output:echo.spoken=said", "--update=patch"], [:],
      "--rename writes files, so it can't be combined with --update=patch."
    ),
    (
      ["--rename", "output:echo.spoken=said", "--list-changes"], [:],
      "--rename writes files, so it can't be combined with --list-changes."
    ),
    (
      ["--rename", "output:echo.spoken=said"], ["CI": "1"],
      "--rename: the variable CI is set, and a person must read differences before they are"
        + " accepted. Leave out --rename in CI."
    ),
  ])
  func `says what is wrong, and changes nothing`(
    _ arguments: [String], _ environment: [String: String], _ words: String
  ) async throws {
    try await TestFolder.with(["a.vmt": Self.old]) { folder in
      let output = try await folder.test(["a.vmt"] + arguments, environment: environment)
      #expect(output.stdout == "")
      #expect(output.stderr == "vmhost: \(words)\n")
      #expect(output.status == .exited(2))
      #expect(try folder.text("a.vmt") == Self.old)
    }
  }

  @Test func `a transcript that isn't one keeps all of them as they are`() async throws {
    let files = ["a.vmt": Self.old, "b.vmt": Sample.invalid]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--rename", "output:echo.spoken=said"])
      #expect(
        output.stderr == """
          vmhost: --rename: ./b.vmt:2:1: there is no directive @plugn. Did you mean "@plugin"?
            2 | @plugn echo.so
              | ^

          """)
      #expect(output.status == .exited(2))
      #expect(try folder.text("a.vmt") == Self.old)
    }
  }
}
