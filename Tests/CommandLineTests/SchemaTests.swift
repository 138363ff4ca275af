import Foundation
import TestSupport
import Testing

/// Values and configs that don't fit the schemas of a manifest, and schemas that say too little.
@Suite struct SchemaTests {
  private static let modes = [[], ["--in-process"]]
  private static let broken = ["run", "brokenfixture.so"] + Arguments.text

  @Test(arguments: modes) func `a value that doesn't fit ends a pipe, with its line`(
    _ mode: [String]
  ) async throws {
    let good = String(repeating: "> order {\"id\":1}\n", count: 5000)
    let output = try await VMHostRun.output(
      Self.broken + mode, .text(good + "> order {\"id\":1,\"tags\":[\"a\",7]}\n" + good))
    #expect(output.lines.count { $0 == "< rang" } == 5000)
    #expect(
      output.stderr == "vmhost: <stdin>:5001: broken can't take this value for \"order\": tags[1]:"
        + " expected a string, found 7.\n")
    #expect(output.status == .exited(2))
  }

  @Test(arguments: modes) func `a value that doesn't fit breaks a plugin's contract`(
    _ mode: [String]
  ) async throws {
    let output = try await VMHostRun.output(
      Self.broken + mode, .text("> emit \"16 0 ordered {\\\"id\\\":1}\\n16 0 ordered {}\"\n"))
    #expect(output.lines.last == "< ordered {\"id\":1}")
    #expect(
      output.stderr == "vmhost: <stdin>:1: brokenfixture.so broke its contract at the input"
        + " \"emit\": broken (broken): it emitted \"ordered\" with a value that its schema doesn't"
        + " allow: expected the member \"id\", which is missing.\n")
    #expect(output.status == .exited(6))
  }

  @Test(arguments: modes) func `a config that doesn't fit opens nothing`(
    _ mode: [String]
  ) async throws {
    try await VMHostRun.expect(
      Arguments.kit("random") + ["--config", "{\"sides\":[6]}"] + mode,
      stderr: "vmhost: kit.random can't take this config: sides: expected an integer, found an"
        + " array.\n", status: 2)
  }

  @Test func `what was refused isn't recorded`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("a.vmt")
      let output = try await VMHostRun.output(
        Self.broken + ["--record", path], .text("> order {\"id\":1}\n> order null\n"))
      #expect(output.status == .exited(2))
      let recording = try String(contentsOfFile: path, encoding: .utf8)
      #expect(recording.contains("\n> order {\"id\":1}\n< rang\n"))
      #expect(!recording.contains("null"))
      let replay = try await VMHostRun.output(["replay", path])
      #expect(replay.status == .success)
    }
  }

  @Test func `a transcript is checked alike in a worker and here`() async throws {
    try await TemporaryDirectory.with { folder in
      let transcripts = [
        (
          "input.vmt", "> order {\"id\":1}\n< rang\n> order {}\n",
          "\ninput.vmt:6: broken can't take this value for \"order\": expected the member"
            + " \"id\", which is missing."
        ),
        (
          "output.vmt", "> emit \"16 0 ordered 1\"\n< ordered 1\n",
          "\ncrashed: output.vmt:4: brokenfixture.so broke its contract at the input \"emit\":"
            + " broken (broken): it emitted \"ordered\" with a value that its schema doesn't allow:"
            + " expected an object, found 1."
        ),
      ]
      for (name, text, words) in transcripts {
        try folder.write("vmt 1\n@plugin brokenfixture.so\n@open broken\n" + text, to: name)
        for mode in Self.modes {
          let output = try await VMHostRun.output(
            ["test", name] + mode, workingDirectory: folder.path)
          #expect(("\n" + output.stdout).contains(words), "\(output.stdout)")
        }
      }
    }
  }

  @Test func `a table cell has no bar of its own, whatever follows it`() async throws {
    try await TemporaryDirectory.with { folder in
      try await PosingPlugin.compile("film", to: folder.file("film.so"), secret: "a|\u{301}b|c")
      let output = try await VMHostRun.output(
        ["describe", folder.file("film.so"), "--format", "markdown"])
      #expect(
        output.stdout.contains("Config: `{\"key\":\"$secret:a\\|\u{301}b\\|c\"}`\n"),
        "\(output.stdout)\(output.stderr)")
    }
  }

  @Test func `describe says what in a manifest has no effect`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try FixtureLibrary.copy(
        of: "brokenfixture", choosing: "manifest-misspelt", in: folder)
      for format in ["text", "json", "markdown"] {
        let output = try await VMHostRun.output(["describe", path, "--format", format])
        #expect(
          output.stderr == """
            vmhost: \(path): viewModels[0].singals: this member is unknown. Did you mean "signals"?
            vmhost: \(path): viewModels[0].inputs[0].schema.tpye: this keyword is unknown. Did you \
            mean "type"?

            """)
        #expect(output.status == .success)
      }
      try await VMHostRun.expect(
        ["describe", "echo.so"], stdout: try await VMHostRun.output(["describe", "echo.so"]).stdout)
    }
  }
}
