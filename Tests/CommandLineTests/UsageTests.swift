import HostCore
import TestSupport
import Testing

/// Command lines that run nothing.
struct UsageTests {
  @Test(
    arguments: [
      (["--help"], "help.txt"), (["help"], "help.txt"), (["run", "--help"], "help-run.txt"),
      (["help", "run"], "help-run.txt"), (["new", "--help"], "help-new.txt"),
      (["lock", "--help"], "help-lock.txt"), (["manual", "--help"], "help-manual.txt"),
      (["completions", "--help"], "help-completions.txt"),
      (["describe", "-h"], "help-describe.txt"),
      (["replay", "--help"], "help-replay.txt"), (["test", "--help"], "help-test.txt"),
    ])
  func `shows help`(_ arguments: [String], golden: String) async throws {
    try await VMHostRun.expect(arguments, stdout: VMHostRun.golden(golden))
  }

  @Test func `shows the overview where no command is given`() async throws {
    try await VMHostRun.expect([], stderr: VMHostRun.golden("help.txt"), status: 2)
  }

  @Test func `shows its version`() async throws {
    try await VMHostRun.expect(["--version"], stdout: "vmhost \(HostVersion.number)\n")
  }

  @Test func `shows the versions of all that it exchanges, and the layers of the machine`()
    async throws
  {
    for machine in [nil, LesserMachine.container] {
      guard LesserMachine.isSimulated || machine == nil else { continue }
      let arguments = ["--version", "--json"]
      let output =
        if let machine { try await machine.output(arguments) } else {
          try await VMHostRun.output(arguments)
        }
      let missing = try machine?.missing ?? Confinement.probe().missing()
      let layers = ConfinementLayer.allCases.map { "\"\($0.rawValue)\":\(!missing.contains($0))" }
      #expect(
        output.stdout == """
          {"vmhost":"0.2.0","abi":"1.0","transcript":1,"lines":1,"testEvents":1,\
          "workerProtocol":8,"sandbox":{\(layers.joined(separator: ","))}}

          """)
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test func `a script reads the version with a line of sed`() async throws {
    let output = try await ChildProcess.run(
      "/bin/sed",
      ["-n", #"s/.*let number = "\(.*\)"/\1/p"#, "Sources/HostCore/System/HostVersion.swift"],
      workingDirectory: try Repository.root())
    #expect(output.stdout == "\(HostVersion.number)\n")
  }

  @Test(
    arguments: [
      (
        ["rnu"],
        "There is no command \"rnu\". Did you mean \"run\"?\n"
          + "See \"vmhost --help\" for the commands."
      ),
      (
        ["movies.so"],
        "There is no command \"movies.so\". To run a plugin, write \"vmhost run movies.so\".\n"
          + "See \"vmhost --help\" for the commands."
      ),
      (
        ["--version", "--jsn"],
        "\"--version\" can be followed by \"--json\" only, but \"--jsn\" came.\n"
          + "See \"vmhost --help\"."
      ),
      (
        ["--version", "--json", "x"],
        "\"--version\" can be followed by \"--json\" only, but \"x\" came.\n"
          + "See \"vmhost --help\"."
      ),
      (
        ["describe"],
        "\"vmhost describe\" needs PLUGIN. Name one, or a flow with --flow FILE.\n"
          + "See \"vmhost describe --help\"."
      ),
      (
        ["describe", "a.so", "b.so"],
        "describe shows one plugin at a time, and \"b.so\" came after \"a.so\". Name several"
          + " only with --flow FILE, which is checked with them."
      ),
      (
        ["describe", "a.so", "--format", "mermaid"],
        "--format mermaid draws a flow. Name one with --flow FILE."
      ),
      (
        ["describe", "--flow", "f.json", "--format", "markdown"],
        "--format markdown is for a plugin, and --flow f.json names a flow. A flow can be text,"
          + " json or mermaid."
      ),
      (
        ["describe", "--flow", "/nowhere/f.json"],
        "could not read the flow \"/nowhere/f.json\": No such file or directory."
      ),
      (
        ["run", "--scirpt", "x"],
        "\"vmhost run\" has no option \"--scirpt\". Did you mean \"--script\"?\n"
          + "See \"vmhost run --help\"."
      ),
    ])
  func `says what is wrong with a command line`(
    _ arguments: [String], message: String
  ) async throws {
    try await VMHostRun.expect(arguments, stderr: "vmhost: \(message)\n", status: 2)
  }

  @Test(arguments: ["text", "json", "markdown", "typescript", "python", "json-schema"])
  func `describes the Movies plugin`(_ format: String) async throws {
    try await VMHostRun.expect(
      ["describe", "movies.so", "--format", format],
      stdout: VMHostRun.golden("describe-movies.\(format)"))
  }

  @Test func `describes in text unless it is told otherwise`() async throws {
    try await VMHostRun.expect(
      ["describe", "movies.so"], stdout: VMHostRun.golden("describe-movies.text"))
  }

  @Test func `describes nothing that it can't load`() async throws {
    try await VMHostRun.expect(
      ["describe", "/etc/passwd"],
      stderr: """
        vmhost: Could not load "/etc/passwd": it is not a shared library: it has no ELF header.

        """,
      status: 3)
  }

  @Test func `is a usage error to run nothing at a terminal`() throws {
    let terminal = try PseudoTerminal(columns: 120)
    try terminal.start(BuildProducts.executable("vmhost"), ["run"])
    #expect(try terminal.waitForExit() == .status(2))
    #expect(
      terminal.screen.lines == [
        "vmhost: \"vmhost run\" needs PLUGIN. Name one, as in \"vmhost run movies.so\", or a "
          + "script that has @plugin lines.",
        "See \"vmhost run --help\".",
      ])
  }

  @Test func `runs nothing from a pipe that says nothing`() async throws {
    try await VMHostRun.expect(
      ["run"] + Arguments.jsonl,
      stdout: FirstFrame.session + "[]}\n{\"kind\":\"end\",\"t\":0,\"status\":0}\n")
  }
}
