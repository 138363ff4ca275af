import TestSupport
import Testing

/// What `run` opens: the same for a script and for a pipe.
struct OpeningTests {
  /// Runs vmhost with these lines twice, and expects the same of both.
  private func expect(
    _ arguments: [String], _ lines: String, stdout: String, stderr: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(lines, to: "s.vmt")
      for isScript in [true, false] {
        try await VMHostRun.expect(
          ["run"] + arguments + Arguments.text + (isScript ? ["--script", "s.vmt"] : []),
          isScript ? .null : .text(lines), workingDirectory: directory.path, stdout: stdout,
          stderr: stderr.replacing("SOURCE", with: isScript ? "s.vmt" : "<stdin>"),
          status: status, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `opens the first view model of each plugin that the command line names`()
    async throws
  {
    try await expect(["echo.so"], "> say 1\n", stdout: "< said 1\n")
    try await expect(
      ["echo.so", "hello.so"], "> echo.say 1\n",
      stdout: "< greeter.greeting \"Hello!\"\n< echo.said 1\n")
  }

  @Test func `opens what --view-model names instead`() async throws {
    try await expect(
      ["echo.so", "hello.so", "--view-model", "echo=e"], "> e.say 1\n", stdout: "< said 1\n")
  }

  @Test func `opens nothing for lines that name their plugins themselves`() async throws {
    try await expect(
      [], "@plugin echo.so\n@plugin hello.so\n@open echo\n> say 1\n", stdout: "< said 1\n")
    try await expect(
      [], "@plugin echo.so\n> say 1\n", stdout: "",
      stderr: """
        vmhost: SOURCE:2:3: no instance is open. Open one: @plugin movies.so, then @open \
        movies.list.
          2 | > say 1
            |   ^

        """, status: 2)
  }

  @Test func `lines open more than that`() async throws {
    try await expect(
      ["kitfixture.so", "--view-model", "kit.random=a"], "@open kit.random as b\n",
      stdout: "< sides 6\n< b.sides 6\n")
  }

  @Test(arguments: [
    "@open echo", "@open echo as echo", "@open echo {}",
    "{\"kind\":\"open\",\"viewModel\":\"echo\"}",
  ])
  func `an @open of what is open already says so and no more`(_ line: String) async throws {
    try await expect(
      ["echo.so"], "@plugin echo.so\n\(line)\n> say 1\n", stdout: "< said 1\n")
    // It isn't an instance more, nor one that was opened later.
    let taken = """
      vmhost: SOURCE:2: the handle "echo" is taken. Open the second one under another handle, \
      such as "echo2".

      """
    try await expect(
      ["echo.so"], "\(line)\n\(line)\n", stdout: "", stderr: taken, status: 2)
    for step in ["> say 1", "+ 1s", "{\"name\":\"say\",\"value\":1}"] {
      try await expect(
        ["echo.so"], "\(step)\n\(line)\n", stdout: step == "+ 1s" ? "" : "< said 1\n",
        stderr: taken, status: 2)
    }
    // After a @close it opens again.
    try await expect(
      ["hello.so"], "@close greeter\n@open hello.greeter\n> cleared\n",
      stdout: String(repeating: "< greeting \"Hello!\"\n", count: 3))
  }

  @Test func `an @open with a config has that of the command line`() async throws {
    let random = ["kitfixture.so", "--view-model", "kit.random", "--config", "{\"sides\":3}"]
    try await expect(random, "@open kit.random {\"sides\": 3}\n", stdout: "< sides 3\n")
    try await expect(
      random, "@open kit.random {\"sides\":4}\n", stdout: "< sides 3\n",
      stderr: """
        vmhost: SOURCE:1:7: the command line opened "random" with another config. Give the config \
        there (--config), or name the plugin here (@plugin) and not there.
          1 | @open kit.random {"sides":4}
            |       ^

        """, status: 2)
  }

  @Test func `a flow is the command line's, or of lines that open its start themselves`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let flow = try directory.write(
        "{\"start\":{\"open\":\"echo\",\"as\":\"e\"}}", to: "f.json")
      let opened = "# opened e: echo\n< e.said 1\n"
      try await expect(["echo.so", "--flow", flow], "> say 1\n", stdout: opened)
      try await expect(
        ["echo.so", "--flow", flow], "@flow \(flow)\n@open echo as e\n> say 1\n", stdout: opened)
      try await expect(
        [], "@plugin echo.so\n@flow \(flow)\n@open echo as e\n> say 1\n", stdout: opened)
      try await expect(
        ["echo.so"], "@flow \(flow)\n> say 1\n", stdout: "",
        stderr: """
          vmhost: SOURCE:1:1: @flow must come before the first instance is opened. If the command \
          line opens it, use --flow.
            1 | @flow \(flow)
              | ^

          """, status: 2)
    }
  }

  @Test(arguments: [["--config", "{}"], ["--view-model", "echo"]])
  func `has nothing to open without a plugin on the command line`(_ option: [String]) async throws {
    try await expect(
      option, "@plugin echo.so\n@open echo\n", stdout: "",
      stderr: """
        vmhost: \(option[0]) needs a plugin on the command line. Lines that name plugins \
        themselves (@plugin) open their instances, too (@open).

        """, status: 2)
  }
}
