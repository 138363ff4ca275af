import Foundation
import TestSupport
import Testing

/// Transcripts that are written wrong, or for another plugin than the one that is there.
struct ReplayMistakeTests {
  /// What follows the first frame of `broken`, the column in its last line, and the words.
  @Test(
    arguments: [
      ("> brokn.go", 3, "there is no instance \"brokn\". Did you mean \"broken\"?"),
      (
        "> go\n< @3ms   brokn.said 1", 10,
        "there is no instance \"brokn\". Did you mean \"broken\"?"
      ),
      ("> go\n? brokn.1 http {}", 3, "there is no instance \"brokn\". Did you mean \"broken\"?"),
      ("> go\nx brokn.1", 3, "there is no instance \"brokn\". Did you mean \"broken\"?"),
      ("! brokn.1", 3, "there is no instance \"brokn\". Did you mean \"broken\"?"),
      ("!   broken.7 1", 12, "broken has no open request 7: it has made none."),
      (
        "{\"kind\":\"reply\",\"instance\":\"broken\",\"id\":7}", 42,
        "broken has no open request 7: it has made none."
      ),
      (
        "{\"kind\":\"close\",\"instance\":\"brokn\"}", 29,
        "there is no instance \"brokn\". Did you mean \"broken\"?"
      ),
      ("@close brokn", 8, "there is no instance \"brokn\". Did you mean \"broken\"?"),
      (
        "@open broken", 7,
        "the handle \"broken\" is taken. Open the second one under another handle, such as"
          + " \"broken2\"."
      ),
      ("@opne broken", 1, "there is no directive @opne. Did you mean \"@open\"?"),
      ("= said 1", 1, "no line begins with \"=\". Did you mean \"<\"?"),
      ("<said 1", 2, "expected a space between \"<\" and what follows. Did you mean \"< said\"?"),
      ("< @5 said 1", 3, "\"@5\" is not an offset such as @300ms. Did you mean \"@5ms\"?"),
      (
        "+ 300", 3,
        "\"300\" is not a time such as 300ms, 5s or 2m, nor \"idle\". Did you mean \"300ms\"?"
      ),
      (
        "? http {}", 3,
        "\"http\" is not the id of a request: use a whole number from 1 on. It comes before"
          + " the effect, as in \"? 1 http\"."
      ),
      ("@seed 5", 1, "this must come before the first @open."),
      (
        "<<<<<<< HEAD", 1,
        "this is a merge conflict marker. Resolve the conflict, and remove the markers."
      ),
      (
        "> say {\n>>>>>>> theirs", 1,
        "this is a merge conflict marker. Resolve the conflict, and remove the markers."
      ),
      ("@end\n> go", 1, "nothing but comments may follow @end."),
      ("vmt 1", 1, "the version of the format may only be in the first line."),
    ])
  func `shows what is misspelt, where, and what it may mean`(
    _ lines: String, column: Int, words: String
  ) async throws {
    let number = 5 + lines.split(separator: "\n").count
    let last = lines.split(separator: "\n").last ?? ""
    let complaint = """
      \(number):\(column): \(words)
        \(number) | \(last)
          | \(String(repeating: " ", count: column - 1))^
      """
    try await Transcript.expectComplaint(
      of: Transcript.broken + lines + "\n", complaint, status: 2)
    let test = try await Transcript.run("test", Transcript.broken + lines + "\n")
    #expect(test.lines.first == "invalid: a.vmt:\(number): \(words)")
    #expect(test.status == .exited(2))
  }

  /// What follows the first frame of `broken`, the words, and the end of what is shown with them.
  @Test(
    arguments: [
      (
        "> goo", "broken has no input \"goo\". Did you mean \"go\"?", "  6 | > goo\n    |   ^"
      ),
      (
        "{ \"value\":1, \"name\":\"go\\u006f\" }",
        "broken has no input \"goo\". Did you mean \"go\"?",
        "  6 | { \"value\":1, \"name\":\"go\\u006f\" }\n    |                      ^"
      ),
      (
        "@open   brokn as b", "there is no view model \"brokn\". Did you mean \"broken\"?",
        "  6 | @open   brokn as b\n    |         ^"
      ),
      (
        "> emit 7", "broken refused \"emit\": it can't use this value",
        "  6 | > emit 7\n    |   ^"
      ),
      ("> go\n< sadi 1", "broken has no output \"sadi\". Did you mean \"said\"?", "- < sadi 1"),
      (
        "> go\n? 1 htp {}", "broken never asks for \"htp\". Did you mean \"http\"?",
        "- ? 1 htp {}"
      ),
    ])
  func `what a plugin doesn't have, though it could, is a difference`(
    _ lines: String, words: String, details: String
  ) async throws {
    let number = 5 + lines.split(separator: "\n").count
    for command in ["replay", "test"] {
      let output = try await Transcript.run(command, Transcript.broken + lines + "\n")
      let text = command == "test" ? output.stdout : output.stderr
      let verdict = command == "test" ? "failed" : "vmhost"
      #expect(text.hasPrefix("\(verdict): a.vmt:\(number): \(words)\n"), "\(text)")
      #expect(text.contains(details + "\n"), "\(text)")
      #expect(output.status == .exited(1))
    }
  }

  @Test func `asks which instance is meant`() async throws {
    let open = Transcript.effects + "@open kit.effects as b\n"
    for (line, column, example) in [
      ("< result \"pong\"", 3, "list.result"), ("? 1 ping", 5, "list.1"), ("x  1", 4, "list.1"),
      ("x @5ms  1", 9, "list.1"),
    ] {
      try await Transcript.expectComplaint(
        of: open + "> list.ping\n\(line)\n",
        """
        6:\(column): several instances are open. Write the handle before the name, as in \(example).
          6 | \(line)
            | \(String(repeating: " ", count: column - 1))^
        """, status: 2)
    }
  }

  @Test(arguments: ["< said 1", "? 1 http {}", "x 1"])
  func `finds what is expected before anything happens before it happens`(
    _ line: String
  ) async throws {
    let text = "vmt 1\n@plugin nope.so\n# Not yet.\n\(line)\n@open echo\n"
    try await Transcript.expectComplaint(
      of: text,
      """
      4:1: this line says what a step emits, but no step comes before it: an input, time that \
      passes, or \
      @open.
        4 | \(line)
          | ^
      """, status: 2)
  }

  @Test func `says in which line storage has no plugin`() async throws {
    try await Transcript.expectComplaint(
      of: "vmt 1\n@storage a 1\n@plugin echo.so\n@open echo\n< said 1\n",
      """
      2:1: @storage comes after the @plugin whose storage it fills.
        2 | @storage a 1
          | ^
      """, status: 2)
  }

  @Test func `gives up on timers without end in their line`() async throws {
    // The session's day is over when the first of them has fired.
    let timers = Transcript.emit(
      "17 1 timer {\"after\":\"25h\"}", "17 2 timer {\"after\":\"50h\"}")
    let output = try await Transcript.run("test", Transcript.broken + timers + "+   idle\n")
    #expect(
      output.lines.prefix(3) == [
        "failed: a.vmt:7: \"+ idle\" gave up after 25h: timers never end."
          + " Let a fixed time pass instead, as in \"+ 5s\".", "  7 | +   idle", "    |     ^",
      ], "\(output.stdout)")
    #expect(output.status == .exited(1))
  }

  // MARK: Files

  @Test(
    arguments: [
      ("nope.vmt", "could not read the transcript \"nope.vmt\": No such file or directory."),
      ("a.vmt/b", "could not read the transcript \"a.vmt/b\": Not a directory."),
      ("round", "could not read the transcript \"round\": Too many levels of symbolic links."),
      (".", "\".\" is a folder, not a transcript."),
      (
        "/dev/null",
        "\"/dev/null\" is not a file. A transcript is read twice, which a pipe can't be: write it"
          + " to a file first."
      ),
    ])
  func `says what it can't read`(_ name: String, words: String) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(Transcript.echo, to: "a.vmt")
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("round"), withDestinationPath: "round")
      try await VMHostRun.expect(
        ["replay", name], workingDirectory: folder.path, stderr: "vmhost: \(words)\n", status: 2)
    }
  }

  @Test func `doesn't take a pipe, of which it would play nothing`() async throws {
    for (command, words) in [("replay", "not a file"), ("test", "neither a file nor a folder")] {
      let output = try await VMHostRun.output(
        [command, "/dev/stdin"], .text(Transcript.echo + "> say 1\n< said 2\n"))
      #expect((output.stdout + output.stderr).contains("\"/dev/stdin\" is \(words)."))
      #expect(output.status == .exited(2))
    }
  }

  @Test(
    arguments: [
      (
        Array("\u{feff}vmt 1\n".utf8),
        "1:1: this begins with a byte order mark. Save it as UTF-8 without one."
      ),
      (Array("vmt 1\n# \0\n".utf8), "2:3: there is a NUL byte in this line."),
      (Array("vmt 1\n> say \"\0\"\n".utf8), "2:8: there is a NUL byte in this line."),
      (
        Array("vmt 1\n# ".utf8) + [0xff, 0x0a],
        "2:3: there are bytes here that are not UTF-8. Save the file as UTF-8."
      ),
      (
        Array("vmt 1\n> say \"a\rb\"\n".utf8),
        "2:9: the value is not JSON: expected string content, found the control character 0x0D;"
          + " write it as an escape."
      ),
      (
        Array("vmt 2\n".utf8),
        "1:5: this file has format 2, this vmhost knows format 1. Use a newer vmhost."
      ),
      (
        Array("vmt 1\n> say {\"a\":".utf8),
        "2:12: the value is not JSON: expected a value, found the end of the input."
      ),
      (Array(repeating: 0, count: 100_000), "1:1: there is a NUL byte in this line."),
    ] as [([UInt8], String)])
  func `refuses bytes that no transcript has`(_ bytes: [UInt8], words: String) async throws {
    try await TemporaryDirectory.with { folder in
      try Data(bytes).write(to: URL(fileURLWithPath: folder.file("a.vmt")))
      let output = try await VMHostRun.output(["replay", "a.vmt"], workingDirectory: folder.path)
      #expect(output.stderr.split(separator: "\n").first == "vmhost: a.vmt:\(words)")
      #expect(output.stdout == "")
      #expect(output.status == .exited(2))
    }
  }
}
