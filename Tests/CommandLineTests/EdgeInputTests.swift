import TestSupport
import Testing

/// Input at the edges of what makes sense: each gets one clear answer.
@Suite struct EdgeInputTests {
  @Test func `refuses a secret that is too short to be hidden`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--secret", "pin=VMHOST_TEST_PIN"], environment: ["VMHOST_TEST_PIN": "123"],
      stderr: """
        vmhost: --secret pin: the value of VMHOST_TEST_PIN has fewer than 4 bytes. Too much text \
        would be replaced by SECRET_pin.

        """,
      status: 2)
  }

  @Test func `names a byte order mark`() async throws {
    let output = try await VMHostRun.output(Arguments.echo, .text("\u{FEFF}> say 1\n"))
    #expect(
      output.stderr.hasPrefix(
        "vmhost: <stdin>:1:1: this begins with a byte order mark. Save it as UTF-8 without one.\n"))
    #expect(output.status == .exited(2))
  }

  @Test func `reads members whose names are written with escapes`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text(#"{"v\u0061lue":[1],"n\u0061me":"s\u0061y"}"#),
      stdout: "< said [1]\n")
  }

  @Test func `ends a plugin whose timers leave no time to pass`() async throws {
    let output = try await VMHostRun.output(
      Arguments.kit("ticker") + ["--limit", "requests=1000"], .text("> spin\n+ 1s\n"))
    #expect(output.stdout.hasPrefix("< ticked 1\n< ticked 2\n"))
    #expect(
      output.stderr
        == "vmhost: <stdin>:2: kitfixture.so broke its contract at the reply to \"timer\": ticker"
        + " (kit.ticker): it made more than 1000 requests in one step."
        + " \"--limit requests=NUMBER\" allows more.\n")
    #expect(output.status == .exited(6))
  }

  @Test func `ends a plugin that asks the storage without end`() async throws {
    let output = try await VMHostRun.output(
      Arguments.kit("effects") + ["--limit", "requests=1000"], .text("> storageSpin\n"))
    #expect(output.stdout.isEmpty)
    #expect(
      output.stderr
        == "vmhost: <stdin>:1: kitfixture.so broke its contract at the reply to \"storage.get\":"
        + " effects (kit.effects): it made more than 1000 requests in one step."
        + " \"--limit requests=NUMBER\" allows more.\n")
    #expect(output.status == .exited(6))
  }

  @Test func `lets the command line win over the directives of a pipe`() async throws {
    let output = try await VMHostRun.output(
      ["run", "--format", "jsonl", "--clock", "virtual", "--seed", "7", "--locale", "en_GB"],
      .text("@seed 5\n@locale de_AT\n@timezone Europe/Vienna\n@plugin echo.so\n@open echo\n"))
    let session = try #require(output.lines.first)
    #expect(session.contains("\"seed\":7,"))
    #expect(session.contains("\"locale\":\"en_GB\",\"timeZone\":\"Europe/Vienna\""))
  }

  @Test func `names an effect that nobody asks for, and one that vmhost answers itself`()
    async throws
  {
    try await VMHostRun.expect(
      Arguments.movies + ["--effect", "htpp=cat", "--effect", "timer=cat"],
      stdout: FirstFrame.movies,
      stderr: """
        vmhost: --effect htpp: no view model of these plugins asks for it. Did you mean "http"?
        vmhost: --effect timer: vmhost answers it itself, unless the script says @record timer.

        """)
  }

  @Test(arguments: [
    (">&-", "vmhost: could not write the output: Bad file descriptor.\n"),
    (">/dev/full", "vmhost: could not write the output: No space left on device.\n"),
  ])
  func `says that its output is lost`(_ redirection: String, _ words: String) async throws {
    let program = try BuildProducts.executable("vmhost")
    for command in ["run hello.so --format text", "describe hello.so", "--help"] {
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", "'\(program)' \(command) \(redirection) </dev/null"])
      #expect(output.stderr == words)
      #expect(output.status == .exited(74))
    }
  }

  @Test func `says that a folder can't be read as input`() async throws {
    let program = try BuildProducts.executable("vmhost")
    let output = try await ChildProcess.run(
      "/bin/sh", ["-c", "'\(program)' run hello.so --format text </tmp"])
    #expect(output.stderr == "vmhost: could not read the input: Is a directory.\n")
    #expect(output.status == .exited(2))
  }

  @Test func `keeps what a plugin in process prints out of its own output`() async throws {
    let output = try await VMHostRun.output(
      Arguments.broken("print") + ["--in-process"], .text("> go\n> go\n"))
    #expect(!output.stdout.contains("printed"))
    #expect(output.stdout.hasPrefix("< "))
    #expect(output.stderr == "a line that a plugin printed\na line that a plugin printed\n")
    #expect(output.status == .success)
  }

  @Test func `shows what a plugin prints as log lines`() async throws {
    let output = try await VMHostRun.output(Arguments.broken("print"), .text("> go\n> go\n"))
    let line = "# brokenfixture.so printed: a line that a plugin printed"
    #expect(output.lines.filter { $0 == line }.count == 2)
    #expect(output.stderr == "")
  }

  @Test func `names the plugin that printed in JSON Lines`() async throws {
    let output = try await VMHostRun.output(
      ["run", "brokenfixture.so", "--config", "{\"fault\":\"print\",\"key\":null}"]
        + Arguments.jsonl, .text("> go\n+ 1s\n> go\n"))
    let logs = output.lines.filter { $0.hasPrefix("{\"kind\":\"log\"") }
    #expect(
      logs
        == ["0", "1"].map {
          "{\"kind\":\"log\",\"t\":\($0),\"plugin\":\"brokenfixture.so\",\"level\":\"info\","
            + "\"message\":\"a line that a plugin printed\"}"
        })
  }
}
