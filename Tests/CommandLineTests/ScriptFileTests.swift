import TestSupport
import Testing

/// Scripts as files.
struct ScriptFileTests {
  @Test func `plays a script that names its plugin and opens its view models`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = try directory.write(
        """
        vmt 1
        @plugin echo.so
        @plugin hello.so
        @open echo
        @open hello.greeter as g
        # to both
        > echo.say {
            "a": [
              1
            ]
          }
        < echo.said {
            "a": [
              1
            ]
          }
        > g.nameChanged "x"
        """, to: "both.vmt")
      try await VMHostRun.expect(
        ["run", "--script", path] + Arguments.text,
        stdout: "< greeting \"Hello!\"\n".replacing("< ", with: "< g.")
          + "< echo.said {\"a\":[1]}\n< g.greeting \"Hello, x!\"\n")
    }
  }

  @Test func `finds a plugin beside the script`() async throws {
    let echo = try BuildProducts.library("echo")
    try await TemporaryDirectory.with { directory in
      let script = try directory.write("@plugin mine.so\n@open echo\n> say 1\n", to: "a/s.vmt")
      try #require(
        try await ChildProcess.run("/bin/cp", [echo, directory.file("a/libmine.so")]).status
          == .success)
      try await VMHostRun.expect(
        ["run", "--script", script] + Arguments.text, stdout: "< said 1\n")
    }
  }

  @Test(arguments: ["", "\n", "# nothing\n\n", "vmt 1\n"])
  func `has nothing to do for`(_ text: String) async throws {
    try await TemporaryDirectory.with { directory in
      let script = try directory.write(text, to: "s.vmt")
      try await VMHostRun.expect(Arguments.echo + ["--script", script])
      try await VMHostRun.expect(["run", "--script", script] + Arguments.text)
    }
  }

  @Test func `plays JSON Lines with CRLF and no last line end`() async throws {
    try await TemporaryDirectory.with { directory in
      let script = try directory.write(
        "{\"name\":\"say\",\"value\":1}\r\n> say 2\r\n{\"name\":\"say\",\"value\":3}", to: "s.jsonl"
      )
      try await VMHostRun.expect(
        Arguments.echo + ["--script", script], stdout: "< said 1\n< said 2\n< said 3\n")
    }
  }

  @Test func `shows a mistake anywhere in it before anything runs`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("> say 1\n\n> say [1,\n  2]\n@opne echo\n", to: "s.vmt")
      try await VMHostRun.expect(
        Arguments.echo + ["--script", "s.vmt"], workingDirectory: directory.path,
        stderr: """
          vmhost: s.vmt:5:1: there is no directive @opne. Did you mean "@open"?
            5 | @opne echo
              | ^

          """,
        status: 2)
    }
  }

  @Test func `stops at the line that could not be carried out`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("> say 1\n< said 1\n@plugin nope.so\n> say 2\n", to: "s.vmt")
      let output = try await VMHostRun.output(
        Arguments.echo + ["--script", "s.vmt"], workingDirectory: directory.path)
      #expect(output.stdout == "< said 1\n")
      #expect(
        output.stderr.hasPrefix(
          "vmhost: s.vmt:3: Could not load \"nope.so\": not found. Looked for ./nope.so, "))
      #expect(output.status == .exited(3))
    }
  }

  @Test func `reads standard input for a dash`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--script", "-"], .text("> say 1\n> sya 2\n"),
      stdout: "< said 1\n",
      stderr: """
        vmhost: <stdin>:2:3: echo has no input "sya". Did you mean "say"?
          2 | > sya 2
            |   ^

        """,
      status: 2)
  }

  @Test func `says why it can't read a script`() async throws {
    try await TemporaryDirectory.with { directory in
      try await VMHostRun.expect(
        Arguments.echo + ["--script", "none.vmt"], workingDirectory: directory.path,
        stderr: "vmhost: could not read the script \"none.vmt\": No such file or directory.\n",
        status: 2)
      try await VMHostRun.expect(
        Arguments.echo + ["--script", "."], workingDirectory: directory.path,
        stderr: "vmhost: could not read the script \".\": Is a directory.\n", status: 2)
      // Scripts are read before plugins are loaded.
      try await VMHostRun.expect(
        ["run", "none.so", "--script", "none.vmt"] + Arguments.text,
        workingDirectory: directory.path,
        stderr: "vmhost: could not read the script \"none.vmt\": No such file or directory.\n",
        status: 2)
      try await VMHostRun.expect(
        Arguments.echo + ["--script", ""], workingDirectory: directory.path,
        stderr: "vmhost: could not read the script \"\": No such file or directory.\n", status: 2)
    }
  }
}
