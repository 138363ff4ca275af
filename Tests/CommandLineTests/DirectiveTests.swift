import TestSupport
import Testing

/// Lines that begin with `@`.
struct DirectiveTests {
  @Test func `sets what an instance sees of the world`() async throws {
    let input = """
      @plugin kitfixture.so
      @seed 5
      @time 2026-01-31T12:00:00Z
      @locale de_AT
      @timezone Europe/Vienna
      @open kit.random {"sides":2}
      > where
      """
    let stdout = """
      < sides 2
      < place {"epoch":1769860800000000000,"locale":"de_AT","now":0,"timeZone":"Europe/Vienna"}

      """
    try await VMHostRun.expect(["run"] + Arguments.text, .text(input), stdout: stdout)
    try await TemporaryDirectory.with { directory in
      let script = try directory.write(input, to: "s.vmt")
      try await VMHostRun.expect(["run", "--script", script] + Arguments.text, stdout: stdout)
      // The command line wins over the script.
      let output = try await VMHostRun.output(
        ["run", "--script", script, "--locale", "en_GB", "--seed", "1"] + Arguments.text)
      #expect(output.stdout.contains("\"locale\":\"en_GB\""))
    }
  }

  @Test func `tells readers of JSON Lines what a directive has set`() async throws {
    let input = """
      @plugin echo.so
      @seed 5
      @time 2026-01-31T12:00:00Z
      @open echo
      > say 1
      """
    let stdout =
      try FirstFrame.session.replacing("\"seed\":1,", with: "\"seed\":5,") + """
        [\(VMHostRun.plugin("echo"))]}
        {"kind":"output","t":0,"instance":"echo","name":"said","value":1}
        {"kind":"end","t":0,"status":0}

        """
    try await VMHostRun.expect(
      ["run", "--format", "jsonl", "--clock", "virtual"], .text(input), stdout: stdout)
  }

  @Test func `gives the same numbers for the same seed`() async throws {
    func rolls(_ seed: String) async throws -> String {
      try await VMHostRun.output(
        Arguments.kit("random") + ["--seed", seed], .text("> roll 40\n")
      ).stdout
    }
    let first = try await rolls("7")
    #expect(first.contains("< rolled ["))
    #expect(try await rolls("7") == first)
    #expect(try await rolls("8") != first)
  }

  @Test func `fills a plugin's storage`() async throws {
    let input = """
      @plugin kitfixture.so
      @storage plain {"a":1}
      @storage "with blanks" "x"
      @open kit.effects
      > storageList ""
      > storageGet "plain"
      > storageGet "with blanks"
      """
    try await VMHostRun.expect(
      ["run"] + Arguments.text, .text(input),
      stdout: """
        < result "plain,with blanks"
        < result "{\\"a\\":1}"
        < result "\\"x\\""

        """)
  }

  @Test func `leaves a recorded effect to whoever answers it`() async throws {
    let input = """
      @plugin kitfixture.so
      @record storage.get
      @open kit.effects
      > storageSet {"key":"a","value":1}
      > storageGet "a"
      ! 1 2
      > storageGet "b"
      ! 2 error {"code":"storage-failed","message":"no disk"}
      """
    try await VMHostRun.expect(
      ["run"] + Arguments.text, .text(input),
      stdout: """
        < result "set"
        ? 1 storage.get {"key":"a"}
        < result "2"
        ? 2 storage.get {"key":"b"}
        < failed {"code":"storage-failed","message":"no disk"}

        """)
  }

  @Test(
    arguments: [
      ("@plugin", "8: @plugin: expected a plugin, as in @plugin movies.so.", 8),
      ("@open", "6: @open: expected a view model, as in @open movies.list.", 6),
      (
        "@open echo x", "12: expected \"as HANDLE\", a config in braces, or nothing after echo.", 12
      ),
      (
        "@open echo as", "12: expected \"as HANDLE\", a config in braces, or nothing after echo.",
        12
      ),
      ("@open echo {\"a\":}", "17: the value is not JSON: expected a value, found \"}\".", 17),
      ("@close", "7: @close: expected the handle of an instance.", 7),
      (
        "@seed -1",
        "7: \"-1\" is not a seed: use a whole number from 0 to"
          + " 18446744073709551615.", 7
      ),
      ("@time noon", "7: \"noon\" is not a time such as 2026-01-31T12:00:00Z.", 7),
      ("@locale", "8: @locale: expected a locale, as in @locale en_US.", 8),
      ("@timezone", "10: @timezone: expected a time zone, as in @timezone UTC.", 10),
      ("@storage", "9: @storage: expected a key, as in @storage recents [].", 9),
      ("@storage a", "1: @storage comes after the @plugin whose storage it fills.", 1),
      ("@storage a 1", "1: @storage comes after the @plugin whose storage it fills.", 1),
      (
        "@record timr",
        "9: \"timr\" is not an effect that the engine simulates. Did you mean \"timer\"?", 9
      ),
      ("@", "1: there is no directive @.", 1),
    ])
  func `points at what is wrong in`(_ line: String, message: String, column: Int) async throws {
    try await VMHostRun.expect(
      ["run"] + Arguments.text, .text("\(line)\n"),
      stderr: """
        vmhost: <stdin>:1:\(message)
          1 | \(line)
            | \(String(repeating: " ", count: column - 1))^

        """,
      status: 2)
  }

  @Test func `wants to know what the world is like before it opens anything`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text("@seed 5\n"),
      stderr: """
        vmhost: <stdin>:1:1: this must come before the first instance is opened. If the command \
        line opens it, use --seed, --time, --locale or --time-zone.
          1 | @seed 5
            | ^

        """,
      status: 2)
  }
}
