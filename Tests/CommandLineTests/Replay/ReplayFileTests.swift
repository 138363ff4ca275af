import Foundation
import TestSupport
import Testing

/// Files as editors, other systems and recorders that were ended leave them.
struct ReplayFileTests {
  private static let lines =
    "> say 1\n< said 1\n> say {\n    \"a\": 2\n  }\n< said {\n    \"a\": 2\n  }\n"

  @Test(
    arguments: [
      Transcript.echo + lines,
      // Of another system.
      (Transcript.echo + lines).replacing("\n", with: "\r\n"),
      // Without an end of its last line.
      String((Transcript.echo + lines).dropLast()),
      String((Transcript.echo + lines).replacing("\n", with: "\r\n").dropLast()),
      // Without its first line.
      String((Transcript.echo + lines).dropFirst(6)),
      "# First a comment.\n\n" + (Transcript.echo + lines).dropFirst(6),
      // Recorded, whole, without and with the end of its last line.
      "vmt 1\n@recorded {}\n" + Transcript.echo.dropFirst(6) + lines + "@end",
      "vmt 1\n@recorded {}\n" + Transcript.echo.dropFirst(6) + lines + "@end\n# mine\n\n# too",
      // Inputs as JSON Lines.
      Transcript.echo + "{\"name\":\"say\",\"value\":1}\n< said 1\n",
      Transcript.echo + "{\"na\\u006de\":\"say\",\"value\":1}\n< said 1\n",
    ])
  func `takes a transcript in whatever way it lies there`(_ text: String) async throws {
    try await Transcript.expectPass(text)
    // And compares it: the last thing said is another one.
    let other = try #require(text.range(of: "say 1") ?? text.range(of: "\"value\":1"))
    let changed = text.replacingCharacters(
      in: other, with: text[other].replacing("1", with: "3"))
    let output = try await Transcript.run("test", changed)
    #expect(output.stdout.contains("expected < said 1, found < said 3"), "\(output.stdout)")
    #expect(output.status == .exited(1))
  }

  @Test(
    arguments: [
      // A whole line, of a step that may have had more to say.
      (
        "> say 1\n< said 1\n> say 2\n",
        "the recording breaks off (it has no @end); its last step may be incomplete.", 2
      ),
      // Cut in a line, in a value, and in the very last line.
      (
        "> say 1\n< said 1\n> say 2\n< sa",
        "the recording breaks off within its last line, which was left out.", 2
      ),
      (
        "> say 1\n< said 1\n> say {\n    \"a\"",
        "the recording breaks off within its last line, which was left out.", 1
      ),
      (
        "> say 1\n< said 1\n@en",
        "the recording breaks off within its last line, which was left out.", 1
      ),
    ])
  func `plays what there is of a recording that breaks off, and says so`(
    _ lines: String, words: String, steps: Int
  ) async throws {
    let text = "vmt 1\n@recorded {\"clock\":\"real\"}\n@plugin echo.so\n@open echo\n\(lines)"
    try await Transcript.expectComplaint(of: text, " \(words)", status: 0)
    let output = try await Transcript.replay(text)
    #expect(output.lines.count { $0.hasPrefix("> ") } == steps, "\(output.stdout)")
    // What is whole has to be right all the same.
    let other = try await Transcript.replay(text.replacing("< said 1", with: "< said 0"))
    #expect(other.stderr.contains("a.vmt:6: expected < said 0, found < said 1\n"))
    #expect(other.status == .exited(1))
    let test = try await Transcript.run("test", text)
    #expect(test.lines.first?.hasPrefix("invalid: a.vmt: ") == true)
    #expect(test.status == .exited(2))
  }

  @Test(arguments: ["", "\n", "vmt 1\n", "# nothing\n"])
  func `an empty file does nothing, and passes no test`(_ text: String) async throws {
    let words = "it is empty: perhaps a recording ended before its first step."
    let complaint = text.isEmpty ? " \(words)" : ""
    try await Transcript.expectComplaint(of: text, complaint, status: 0)
    let output = try await Transcript.run("test", text)
    let verdict = text.isEmpty ? "1 invalid in " : "1 unverified in "
    #expect(output.lines.last?.hasPrefix(verdict) == true)
  }

  @Test func `a script runs, and is compared with nothing`() async throws {
    let text = Transcript.echo + "> say 1\n+ 5ms\n> say 2\n"
    let output = try await Transcript.replay(text)
    #expect(output.stdout == "@open echo\n> say 1\n< said 1\n+ 5ms\n> say 2\n< said 2\n")
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  @Test func `reads from the folder of the transcript`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(
        Transcript.echo.replacing("echo.so", with: "mine.so") + "> say 1\n< said 1\n",
        to: "inner/a.vmt")
      let library = try BuildProducts.library("echo")
      _ = try await ChildProcess.run("/bin/cp", [library, folder.file("inner/libmine.so")])
      for (path, workingDirectory) in [
        ("inner/a.vmt", folder.path), ("a.vmt", folder.file("inner")),
        (folder.file("inner/a.vmt"), "/"),
      ] {
        let output = try await VMHostRun.output(
          ["replay", path], workingDirectory: workingDirectory)
        #expect(output.status == .success, "\(output.stderr)")
      }
    }
  }
}
