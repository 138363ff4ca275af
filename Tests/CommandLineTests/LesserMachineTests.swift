import HostCore
import TestSupport
import Testing

/// vmhost on machines that refuse layers of confinement: what runs, what doesn't, and what is said.
@Suite(.enabled(if: LesserMachine.isSimulated)) struct LesserMachineTests {
  private static let machines = LesserMachine.single + [.container, .bare]

  private static func arguments(_ mode: SandboxMode) -> [String] {
    ["run", "echo.so", "--sandbox", mode.rawValue]
  }

  @Test(arguments: machines)
  func `best-effort runs, and says what is missing`(_ machine: LesserMachine) async throws {
    let text = try await machine.output(
      Self.arguments(.bestEffort) + Arguments.text, .text("> say 1\n"))
    #expect(text.stdout == "< said 1\n")
    #expect(text.stderr == machine.notice)
    #expect(text.status == .success)
    let lines = try await machine.output(
      ["run", "echo.so"] + Arguments.jsonl, .text("> say 1\n"))
    let names = machine.missing.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let members = names.isEmpty ? "" : "\"missing\":[\(names)],"
    #expect(lines.lines[0].contains("\"sandbox\":\"best-effort\",\(members)\"plugins\":"))
    #expect(try LinesSchema.shared.get().unknownLines(lines.stdout) == [])
  }

  @Test(arguments: machines, [SandboxMode.standard, .strict])
  func `a mode runs or refuses, by what it demands`(
    _ machine: LesserMachine, _ mode: SandboxMode
  ) async throws {
    let output = try await machine.output(
      Self.arguments(mode) + Arguments.text, .text("> say 1\n"))
    guard !machine.accepts(mode) else {
      #expect(output.stdout == "< said 1\n")
      #expect(output.stderr == machine.notice)
      #expect(output.status == .success)
      return
    }
    #expect(output.stdout == "")
    #expect(output.status == .exited(3))
    let beginning =
      "vmhost: Could not load \"echo.so\": Could not confine the worker as \"\(mode.rawValue)\""
      + " demands: "
    let end = ". \"vmhost doctor\" says what to do about it.\n"
    // Nothing of the plugin has run yet, so the layer that follows loading hasn't been tried.
    let refused = machine.missing.filter { mode.demanded.contains($0) && $0 != .seccompRun }
    #expect(output.stderr.hasPrefix(beginning))
    #expect(output.stderr.hasSuffix(end))
    for layer in refused {
      #expect(output.stderr.contains("\"\(layer.rawValue)\" is not available: \(machine.reason)"))
    }
    #expect(output.stderr.split(separator: ";").count == refused.count)
  }

  @Test func `the first command of the README runs where every layer is refused`() async throws {
    let command = try Repository.text("README.md").split(separator: "\n")
      .first { $0.hasPrefix("swift build && .build/debug/vmhost run ") }
    let words = try #require(command).split(separator: " ")
    let arguments = words.drop { $0 != "run" }.map(String.init)
    let here = try await ChildProcess.run(
      BuildProducts.executable("vmhost"), arguments, workingDirectory: try Repository.root())
    let there = try await LesserMachine.bare.output(
      arguments, workingDirectory: try Repository.root())
    #expect(there.stdout == here.stdout)
    #expect(there.stderr == LesserMachine.bare.notice)
    #expect(there.status == .success)
  }

  @Test func `replay, describe and test say what is missing, once`() async throws {
    try await TemporaryDirectory.with { folder in
      let transcript = "@plugin echo.so\n@open echo\n\n> say 1\n< said 1\n"
      for name in ["a", "b", "c"] { try folder.write(transcript, to: "\(name).vmt") }
      let machine = LesserMachine.container
      let (events, junit) = (folder.file("events.jsonl"), folder.file("junit.xml"))
      for arguments in [
        ["replay", "a.vmt", "b.vmt"], ["describe", "echo.so"],
        ["test", ".", "--events", events, "--junit", junit, "--jobs", "3"],
      ] {
        let output = try await machine.output(arguments, workingDirectory: folder.path)
        // What follows is the progress of a test.
        #expect(output.stderr.hasPrefix(machine.notice), "\(arguments)")
        #expect(output.stderr.split(separator: "confined without").count == 2, "\(arguments)")
        #expect(output.status == .success)
      }
      let missing = "\"missing\":[\"fixed-addresses\",\"namespaces\"]"
      #expect(try text(events).hasSuffix(",\"status\":0,\(missing)}\n"))
      #expect(
        try text(junit).contains(
          "<property name=\"missing-confinement\" value=\"fixed-addresses namespaces\"/>"))
      let merged = folder.file("merged.jsonl")
      let merge = try await VMHostRun.output(
        ["merge-reports", events, "--events", merged, "--junit", junit])
      #expect(merge.status == .success)
      #expect(try text(merged).hasSuffix(",\"status\":0,\(missing)}\n"))
      #expect(try text(junit).contains("missing-confinement"))
    }
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }

  @Test func `a run on a whole machine has nothing missing`() async throws {
    let output = try await VMHostRun.output(["run", "echo.so"] + Arguments.jsonl)
    #expect(!output.stdout.contains("\"missing\""))
    #expect(output.stderr == "")
  }

  @Test(arguments: machines)
  func `the doctor says which modes work, and ends with 1 if one doesn't`(
    _ machine: LesserMachine
  ) async throws {
    let output = try await machine.output(["doctor"])
    for layer in ConfinementLayer.allCases {
      let line = output.lines.first { $0.hasPrefix("  \(layer.rawValue) ") }
      #expect(
        line?.contains(" not available: \(machine.reason)") == machine.missing.contains(layer),
        "\(layer)")
    }
    let missing = machine.missing.map(\.rawValue).joined(separator: ", ")
    for mode in [SandboxMode.strict, .standard, .bestEffort] {
      let refused = machine.missing.filter(mode.demanded.contains).map(\.rawValue)
      let verdict =
        refused.isEmpty
        ? "works\(missing.isEmpty ? "" : ", without \(missing)")"
        : "refuses: it demands \(refused.joined(separator: ", "))"
      let name = mode.rawValue + String(repeating: " ", count: 11 - mode.rawValue.count)
      #expect(output.lines.contains("  \(name)  \(verdict)"), "\(mode)")
    }
    #expect(output.status == (machine.accepts(.strict) ? .success : .exited(1)))
    #expect(output.stderr == "")
  }

  @Test func `the doctor of a whole machine ends with 0`() async throws {
    let output = try await VMHostRun.output(["doctor"])
    #expect(
      output.stdout.hasSuffix(
        """

        Modes (--sandbox)
          strict       works
          standard     works
          best-effort  works

        """))
    #expect(output.status == .success)
  }

  // MARK: VMHOST_SANDBOX

  private static let least = "VMHOST_SANDBOX"

  @Test(arguments: SandboxMode.allCases, SandboxMode.allCases)
  func `no option goes below VMHOST_SANDBOX`(
    _ least: SandboxMode, _ asked: SandboxMode
  ) async throws {
    let output = try await VMHostRun.output(
      ["run", "echo.so", "--sandbox", asked.rawValue] + Arguments.jsonl,
      environment: [Self.least: least.rawValue])
    guard asked < least else {
      #expect(output.stdout.contains("\"sandbox\":\"\(asked.rawValue)\""))
      #expect(output.status == .success)
      return
    }
    #expect(output.stdout == "")
    #expect(
      output.stderr
        == "vmhost: --sandbox=\(asked.rawValue): VMHOST_SANDBOX demands at least"
        + " \"\(least.rawValue)\".\n")
    #expect(output.status == .exited(2))
  }

  @Test(arguments: [
    (nil, "best-effort"), ("", "best-effort"), ("off", "best-effort"),
    ("best-effort", "best-effort"), ("standard", "standard"), ("strict", "strict"),
  ])
  func `it is the mode of a run that asks for none`(_ least: String?, _ mode: String) async throws {
    let output = try await VMHostRun.output(
      ["run", "echo.so"] + Arguments.jsonl, environment: least.map { [Self.least: $0] } ?? [:])
    #expect(output.stdout.contains("\"sandbox\":\"\(mode)\""))
    #expect(output.status == .success)
  }

  @Test(arguments: [
    ["run", "echo.so", "--in-process"], ["run", "echo.so", "--backtrace"],
    ["describe", "echo.so", "--in-process"], ["replay", "a.vmt", "--in-process"],
    ["test", "a.vmt", "--in-process"],
  ])
  func `it refuses what leaves plugins unconfined`(_ arguments: [String]) async throws {
    for least in [SandboxMode.bestEffort, .standard, .strict] {
      try await VMHostRun.expect(
        arguments, environment: [Self.least: least.rawValue],
        stderr: "vmhost: \(arguments.last ?? ""): it leaves plugins unconfined, and VMHOST_SANDBOX"
          + " demands at least \"\(least.rawValue)\".\n",
        status: 2)
    }
  }

  @Test(arguments: ["run echo.so", "describe echo.so", "replay a.vmt", "test .", "doctor"])
  func `a value that is no mode is an error`(_ command: String) async throws {
    try await VMHostRun.expect(
      command.split(separator: " ").map(String.init), environment: [Self.least: "strct"],
      stderr: "vmhost: VMHOST_SANDBOX: \"strct\" is not a mode: it must be one of off, best-effort,"
        + " standard, strict. Did you mean \"strict\"?\n",
      status: 2)
  }

  /// Linux before 5.9 has no call that closes all of a process's files.
  @Test(arguments: [SandboxMode.off, .bestEffort])
  func `a plugin gets none of the host's open files, however they are closed`(
    _ mode: SandboxMode
  ) async throws {
    let probe = try BuildProducts.executable("worker-probe")
    for refused in ["descriptors", "descriptors,landlock,seccomp"] {
      let output = try await ChildProcess.run(
        "/bin/sh",
        [
          "-c", "exec 9</etc/passwd; exec \"$@\"", "sh", probe, "lesser", refused,
          BuildProducts.executable("vmhost"), "run", "hostilefixture.so", "--sandbox",
          mode.rawValue, "--config", #"{"act":"create:read-file:/dev/fd/9"}"#,
        ] + Arguments.text, environment: VMHostRun.environment, input: .text("> go\n"))
      #expect(!output.stdout.contains("read-file: done"), "\(output.stdout)")
      #expect(output.stdout.contains("printed: read-file: "), "\(output.stdout)")
      #expect(output.status == .success)
    }
  }

  @Test func `says what its document shows`() async throws {
    let page = try Repository.text("Documentation/Sandbox.md")
    let namespaces = try #require(LesserMachine.single.first { $0.missing == [.namespaces] })
    #expect(page.contains("```text\n\(namespaces.notice)```\n"))
    let block = try #require(page.split(separator: "<!-- run: least -->\n```sh\n").last)
    let parts = block.split(separator: "```")
    let output = try await ChildProcess.run(
      "/bin/sh", ["-c", String(parts[0])],
      environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"])
    #expect(output.stderr == parts[2].dropFirst("text\n".count))
    #expect(output.status == .exited(2))
  }

  @Test func `a lesser machine refuses what VMHOST_SANDBOX demands`() async throws {
    let output = try await LesserMachine.container.output(
      ["run", "echo.so"] + Arguments.text, environment: [Self.least: "strict"])
    #expect(output.stderr.contains("as \"strict\" demands: \"namespaces\" is not available: "))
    #expect(output.status == .exited(3))
  }
}
