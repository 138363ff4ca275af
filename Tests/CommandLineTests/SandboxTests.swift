import TestSupport
import Testing

/// Plugins in confined processes of their own: the same behaviour, and a host that outlives them.
@Suite struct SandboxTests {
  private static let search = "> didSearch \"jaws\"\n+ idle\n> didSelectItem 0\n"

  private static let notice =
    "vmhost: --sandbox=off: plugins run unconfined, with all the rights that you have.\n"

  @Test(arguments: [
    ([], ""), (["--sandbox", "best-effort"], ""), (["--sandbox", "off"], notice),
  ])
  func `gives the same outputs as in process`(
    _ options: [String], _ stderr: String
  ) async throws {
    let plain = try await VMHostRun.output(
      Arguments.movies + ["--in-process"], .text(Self.search))
    let confined = try await VMHostRun.output(Arguments.movies + options, .text(Self.search))
    #expect(confined.stdout == plain.stdout)
    #expect(confined.stderr == stderr)
    #expect(confined.status == .success)
    #expect(plain.stdout.contains("\"Jaws\""))
  }

  @Test func `keeps the order of events over plugins in several processes`() async throws {
    // Runs of several batches for one plugin, then turns.
    let lines = (0..<25_000).map { index in
      index < 22_000 && index / 9000 == 1 || index >= 22_000 && index.isMultiple(of: 3)
        ? "> greeter.nameChanged \"\(index)\"\n" : "> echo.say \(index)\n"
    }
    let arguments = ["run", "echo.so", "hello.so"] + Arguments.text
    let plain = try await VMHostRun.output(
      arguments + ["--in-process"], .text(lines.joined()))
    let confined = try await VMHostRun.output(arguments, .text(lines.joined()))
    #expect(confined.stdout == plain.stdout)
    #expect(confined.status == .success)
  }

  @Test func `carries values that are larger than the shared window`() async throws {
    let value = "\"" + String(repeating: "größe ", count: 700_000) + "\""
    let output = try await VMHostRun.output(
      Arguments.echo, .text("> say \(value)\n> say 1\n"))
    #expect(output.stdout == "< said \(value)\n< said 1\n")
    #expect(output.status == .success)
  }

  @Test func `keeps the order of large and small values that go in parts`() async throws {
    // Some go by the shared window, in several exchanges, and some are too large for it.
    let inputs = (0..<60).map { index in
      let size = index.isMultiple(of: 7) ? 1_500_000 : index.isMultiple(of: 2) ? 200_000 : 1
      return "> say \"\(index)\(String(repeating: "x", count: size))\"\n"
    }.joined()
    let output = try await VMHostRun.output(
      Arguments.echo + ["--sandbox", "best-effort"], .text(inputs))
    #expect(output.stdout == inputs.replacing("> say", with: "< said"))
    #expect(output.status == .success)
  }

  @Test func `shows the outputs of a line before it waits for the next one`() throws {
    let process = try VMHostRun.start(Arguments.echo + ["--sandbox", "best-effort"])
    for index in 0..<20 {
      try process.writeLine("> say \(index)")
      #expect(try process.readLine() == "< said \(index)")
    }
    process.closeInput()
    #expect(try process.readLine() == nil)
    #expect(try process.wait().status == .success)
  }

  @Test(arguments: [
    ("crash-in-send", "crashed with signal 11 (Segmentation fault)"),
    ("spin-in-send", "hangs: it did not return within 300ms"),
    ("spin-in-poll", "hangs: it did not return within 300ms"),
  ])
  func `outlives a plugin and says what it was at`(_ fault: String, _ words: String) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault) + ["--step-timeout", "300ms"],
      .text("# a comment\n> go\n> go\n"))
    #expect(output.stdout.hasSuffix("\n< second 2\n"))
    #expect(
      output.stderr
        == "vmhost: <stdin>:2: brokenfixture.so \(words) while it handled the input \"go\".\n")
    #expect(output.status == .exited(6))
  }

  @Test func `outlives a plugin that hangs while it is opened`() async throws {
    try await VMHostRun.expect(
      Arguments.broken("spin-in-create")
        + ["--step-timeout", "300ms"],
      stderr: """
        vmhost: brokenfixture.so hangs: it did not return within 300ms while it opened broken.

        """,
      status: 6)
  }

  @Test func `outlives a plugin that crashes while its instance is closed`() async throws {
    let output = try await VMHostRun.output(
      Arguments.broken("crash-in-destroy"),
      .text("> go\n@close broken\n@open broken\n"))
    #expect(output.stdout.hasSuffix("\n< second 2\n"))
    #expect(
      output.stderr == """
        vmhost: <stdin>:2: brokenfixture.so crashed with signal 11 (Segmentation fault) while it \
        closed broken.

        """)
    #expect(output.status == .exited(6))
  }

  /// Inputs go to the worker in batches, and the next lines are read meanwhile.
  @Test(arguments: [0, 500, 4092, 4093, 12_000], ["", "> bad.go\n", "> nobody.go\n"])
  func `prints what the steps before a crash emitted, and nothing of those after it`(
    _ count: Int, _ next: String
  ) async throws {
    let inputs = (0..<count).map { "> good.emit \"16 0 said \($0)\"\n" }.joined()
    let output = try await VMHostRun.output(
      ["run"] + Arguments.text,
      .text(
        """
        @plugin brokenfixture.so
        @open broken as good {"fault":""}
        @open broken as bad {"fault":"crash-in-send"}
        \(inputs)> bad.go
        \(next)\(inputs)\(next)
        """))
    let said = output.stdout.split(separator: "\n").filter { $0.hasPrefix("< good.said ") }
    #expect(said == (0..<count).map { "< good.said \($0)" })
    #expect(
      output.stderr
        == "vmhost: <stdin>:\(count + 4): brokenfixture.so crashed with signal 11 (Segmentation"
        + " fault) while it handled the input \"go\".\n")
    #expect(output.status == .exited(6))
  }

  @Test(arguments: [3, 5000, 9000])
  func `prints what came of the lines before one that is no line`(_ count: Int) async throws {
    let inputs = (1...count).map { "> say \($0)\n" }.joined()
    let output = try await VMHostRun.output(
      Arguments.echo + ["--sandbox", "best-effort"], .text(inputs + "> nothing\n" + inputs))
    #expect(output.stdout == inputs.replacing("> say", with: "< said"))
    #expect(output.stderr.hasPrefix("vmhost: <stdin>:\(count + 1):3: echo has no input"))
    #expect(output.status == .exited(2))
  }

  @Test func `says of a library why it doesn't load, as in process`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("no library\n", to: "fake.so")
      let arguments = ["run", path] + Arguments.text
      let plain = try await VMHostRun.output(arguments + ["--in-process"])
      let confined = try await VMHostRun.output(arguments)
      #expect(confined.stderr == plain.stderr)
      #expect(confined.status == .exited(3))
    }
  }

  @Test(arguments: [
    (["--in-process", "--memory", "64M"], "--memory"),
    (["--sandbox", "off", "--in-process"], "--sandbox"),
  ])
  func `in process there is nothing to confine`(
    _ options: [String], _ option: String
  ) async throws {
    for command in [["run", "echo.so"], ["describe", "echo.so"]] {
      try await VMHostRun.expect(
        command + options,
        stderr: "vmhost: \(option) needs plugins in processes of their own, so it can't be"
          + " combined with --in-process.\n",
        status: 2)
    }
  }

  @Test func `refuses less memory than a plugin's runtime takes`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--memory", "1M"],
      stderr: "vmhost: --memory: \"1M\" is not a size such as 512M or 2G, of at least 16M.\n",
      status: 2)
  }

  @Test func `describes in process what it describes from a worker, but no digest`() async throws {
    let plain = try await VMHostRun.output(["describe", "movies.so", "--in-process"])
    let confined = try await VMHostRun.output(["describe", "movies.so"])
    #expect(confined.lines.filter { !$0.hasPrefix("sha256 ") } == plain.lines)
  }

  @Test func `says which log lines came before a crash`() async throws {
    let output = try await VMHostRun.output(
      ["run"] + Arguments.text,
      .text(
        """
        @plugin brokenfixture.so
        @open broken as loud {"fault":"print"}
        @open broken as good {"fault":""}
        @open broken as bad {"fault":"crash-in-send"}
        > good.emit "19 0 info \\"first\\""
        + 1s
        > loud.go
        > bad.go

        """))
    #expect(
      output.stderr == """
        vmhost: <stdin>:8: brokenfixture.so crashed with signal 11 (Segmentation fault) while it \
        handled the input "go".
          Its last log lines:
            info: first
            printed: a line that a plugin printed

        """)
    #expect(output.status == .exited(6))
  }

  @Test func `keeps a plugin's words in their line, and secrets out of them`() async throws {
    let output = try await VMHostRun.output(
      ["run", "--secret", "tk=TK"] + Arguments.text,
      .text(
        #"""
        @plugin brokenfixture.so
        @open broken as good {"fault":""}
        @open broken as bad {"fault":"crash-in-send"}
        > good.emit "19 0 info \"\\u001b[31m\\nvmhost: all is well 0123456789\""
        > bad.go

        """#), environment: ["TK": "0123456789"])
    #expect(
      output.stderr == """
        vmhost: <stdin>:5: brokenfixture.so crashed with signal 11 (Segmentation fault) while it \
        handled the input "go".
          Its last log lines:
            info: \u{fffd}[31m vmhost: all is well SECRET_tk

        """)
  }

  @Test func `shows what a plugin prints even without the end of a line`() async throws {
    let output = try await VMHostRun.output(
      ["run", "brokenfixture.so", "--config", "{\"fault\":\"print-unfinished\",\"key\":null}"]
        + Arguments.text, .text("> go\n"))
    #expect(output.lines.contains("# brokenfixture.so printed: no end"))
  }

  @Test func `the doctor names every layer and says whether all are there`() async throws {
    let output = try await VMHostRun.output(["doctor"])
    for layer in [
      "descriptors", "fixed-addresses", "parent-death", "namespaces", "privileges", "limits",
      "landlock", "seccomp-load", "seccomp-run",
    ] {
      #expect(output.lines.contains { $0.hasPrefix("  \(layer) ") })
    }
    #expect(output.lines.contains { $0.hasPrefix("  strict       ") })
  }
}
