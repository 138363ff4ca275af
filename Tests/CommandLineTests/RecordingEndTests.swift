import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

/// `run --record`: files that can't be written, sessions that end badly, and what is taken back.
struct RecordingEndTests {
  // MARK: Files

  @Test func `refuses a file that is there already, and leaves it alone`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("mine\n", to: "a.vmt")
      try await VMHostRun.expect(
        ["run", "echo.so", "--record", "a.vmt"], .text("> say 1\n"),
        workingDirectory: directory.path,
        stderr: """
          vmhost: could not record to "a.vmt": it exists already. Remove it first, or choose \
          another name.

          """, status: 2)
      let file = URL(fileURLWithPath: directory.file("a.vmt"))
      #expect(try String(contentsOf: file, encoding: .utf8) == "mine\n")
    }
  }

  @Test(
    arguments: [
      ("none/a.vmt", "No such file or directory"), ("/dev/null/a.vmt", "Not a directory"),
      (String(repeating: "a", count: 300), "File name too long"), ("", "No such file or directory"),
    ])
  func `says where it can't record`(_ path: String, reason: String) async throws {
    try await TemporaryDirectory.with { directory in
      try await VMHostRun.expect(
        ["run", "echo.so", "--record", path], workingDirectory: directory.path,
        stderr: "vmhost: could not record to \"\(path)\": \(reason).\n", status: 2)
    }
  }

  @Test func `records only into a new file, not into what else has a name`() async throws {
    try await TemporaryDirectory.with { directory in
      try FileManager.default.createDirectory(
        atPath: directory.file("folder"), withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: directory.file("link"), withDestinationPath: "nowhere")
      try #require(unsafe mkfifo(directory.file("pipe"), 0o600) == 0)
      let other = "it is a device or a pipe, and a recording goes into a new file."
      for (path, reason) in [
        ("folder", "it is a folder. Name a file in it."), ("folder/", "Is a directory."),
        ("link", "it exists already. Remove it first, or choose another name."),
        ("pipe", other), ("/dev/full", other), ("/dev/stdout", other),
      ] {
        try await VMHostRun.expect(
          ["run", "echo.so", "--record", path], .text("> say 1\n"),
          workingDirectory: directory.path,
          stderr: "vmhost: could not record to \"\(path)\": \(reason)\n", status: 2)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(left.sorted() == ["folder", "link", "pipe"])
    }
  }

  @Test func `leaves no file where nothing happened`() async throws {
    try await TemporaryDirectory.with { directory in
      for arguments in [["run", "nope.so"], ["run"], ["run", "echo.so", "--view-model", "ehco"]] {
        _ = try await VMHostRun.output(
          arguments + ["--record", "a.vmt"], workingDirectory: directory.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
      }
    }
  }

  @Test func `keeps the file for its owner`() async throws {
    try await TemporaryDirectory.with { directory in
      _ = try await Recording.of(Arguments.echo, .null, in: directory)
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("a.vmt"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(
    arguments: [
      (["--record-header", "x"], "--record-header x: nothing is recorded. Add --record FILE."),
      (
        ["--record", "a", "--record-header", "a:b"],
        "--record-header: \"a:b\" is not the name of a header, such as x-total."
      ),
      (
        ["--record", "a", "--record-header", ""],
        "--record-header: \"\" is not the name of a header, such as x-total."
      ),
    ])
  func `refuses headers that can't be`(_ arguments: [String], message: String) async throws {
    try await VMHostRun.expect(
      ["run", "echo.so"] + arguments, stderr: "vmhost: \(message)\n", status: 2)
  }

  @Test(arguments: [1, 2, 3, 8, 20])
  func `ends the session when the disk is full, with whole lines in the file`(
    _ blocks: Int
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let value = String(repeating: "x", count: 150)
      let input = (0..<100).map { "> say \"\($0) \(value)\"\n" }.joined()
      let arguments = Arguments.echo + Recording.settled.suffix(4) + ["--in-process"]
      let complete = try await Recording.of(arguments, .text(input), in: directory, as: "whole.vmt")
      let command = """
        ulimit -f \(blocks)
        exec '\(try BuildProducts.executable("vmhost"))' "$@" --record a.vmt
        """
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", command, "sh"] + arguments, environment: VMHostRun.environment,
        workingDirectory: directory.path, input: .text(input))
      #expect(
        output.stderr == """
          vmhost: could not write the recording "a.vmt": File too large. It ends before that.

          """)
      #expect(output.status == .exited(74))
      let file = try Recording(output, directory.file("a.vmt"))
      let isWhole = complete.text.hasPrefix(file.text) && file.text.hasSuffix("\n")
      #expect(isWhole, "\(file.text.suffix(400))")
      #expect(file.text.utf8.count > blocks * 512 - 1000)
      let shown = output.lines.count
      #expect(file.text.components(separatedBy: "\n> say ").count - 1 >= shown)
    }
  }

  // MARK: Ends

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends the file when a signal ends the session`(_ signal: Int32) async throws {
    try await TemporaryDirectory.with { directory in
      let child = try VMHostRun.start(
        Arguments.echo + ["--record", "a.vmt"], workingDirectory: directory.path)
      try child.writeLine("> say 1")
      #expect(try child.readLine() == "< said 1")
      child.kill(signal)
      let output = try child.wait(closingInput: false)
      #expect(output.status == .signaled(signal))
      let recording = try Recording(output, directory.file("a.vmt"))
      #expect(recording.body == "@plugin echo.so\n@open echo\n> say 1\n< said 1\n@end\n")
    }
  }

  @Test(arguments: ["crash-in-send", "unknown-output", "crash-in-destroy", "hang-in-send"])
  func `leaves the file without an end when the plugin breaks down`(_ fault: String) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Arguments.broken(fault) + ["--step-timeout", "1s"], .text("+ 5ms\n> go\n"),
        in: directory)
      #expect(recording.output.status == .exited(6))
      #expect(recording.text.hasSuffix("\n< second 2\n+ 5ms\n> go\n"), "\(recording.text)")
    }
  }

  @Test func `takes a refused input back and ends the file`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Arguments.kit("random"), .text("> roll 1\n+ 5ms\n> roll \"x\"\n> roll 2\n"), in: directory)
      #expect(recording.output.status == .exited(2))
      #expect(
        recording.output.stderr == "vmhost: <stdin>:3: random can't take this value for \"roll\":"
          + " expected an integer, found \"x\".\n")
      #expect(recording.text.hasSuffix("\n> roll 1\n\(recording.output.lines[1])\n@end\n"))
      try await recording.expectReplay()
    }
  }

  @Test func `takes back at a terminal what changed nothing, and says what it has recorded`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let terminal = try PseudoTerminal(columns: 100, rows: 60)
      try terminal.start(
        BuildProducts.executable("vmhost"),
        ["run", "brokenfixture.so", "--clock", "virtual", "--record", directory.file("a.vmt")],
        environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "NO_COLOR": "1"])
      try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
      let typed = [
        ("@open broken as b {\"fault\":\"create-config-words\"}", "expected another"),
        ("@open broken as b {\"fault\":\"refuse-replies\"}", "< b.second 2"),
        ("+ 5ms", "+ 5ms"),
        ("@open broken", "the handle \"broken\" is taken"), ("@close c", "no instance \"c\""),
        ("> b.emit \"17 1 printer {}\"", "? b.1 printer {}"),
        ("! b.1 7", "no answer was wanted"), ("! b.2 7", "no open request 2"),
        ("> broken.emit 7", "broken refused"), ("> broken.go", "< broken.rang"),
      ]
      for (line, answer) in typed {
        try terminal.write("\(line)\r")
        try terminal.wait(for: answer) { screen in
          screen.lines.contains { $0.contains(answer) } && screen.lines.last == ">"
        }
      }
      try terminal.write(Keys.control("D"))
      #expect(try terminal.waitForExit() == .status(0))
      let recording = try Recording(nil, directory.file("a.vmt"))
      #expect(
        recording.body.components(separatedBy: "\n").filter { ">!+@x".contains($0.first ?? " ") }
          == [
            "@plugin brokenfixture.so", "@open broken",
            "@open broken as b {\"fault\":\"refuse-replies\"}", "+ 5ms",
            "> b.emit \"17 1 printer {}\"", "> broken.go", "@close b", "x b.1", "@end",
          ])
      let words = "vmhost: recorded 5 steps to \(directory.file("a.vmt"))"
      #expect(terminal.screen.lines.joined().contains(words))
      try await recording.expectReplay()
    }
  }

  @Test func `a signal in the midst of a wait leaves a file that passes`() async throws {
    try await TemporaryDirectory.with { directory in
      let child = try VMHostRun.start(
        ["run", "kitfixture.so", "--view-model", "kit.ticker", "--view-model", "kit.effects"]
          + ["--format", "text", "--effect", "ping=cat >/dev/null", "--record", "a.vmt"],
        workingDirectory: directory.path)
      try child.write(Array("> effects.ping\n> ticker.start\n+ 1h\n".utf8))
      #expect(try child.readLine() == "? effects.1 ping")
      child.kill(SIGINT)
      #expect(try child.wait(closingInput: false).status == .signaled(SIGINT))
      let recording = try Recording(nil, directory.file("a.vmt"))
      #expect(recording.text.hasSuffix("\n@close effects\nx effects.1\n@end\n"))
      try await expectPass("a.vmt", in: directory)
    }
  }

  @Test(arguments: [("| head -2", nil), (">&-", Int32(74)), ("> /dev/full", 74)])
  func `an output that nobody reads leaves a file that passes`(
    _ redirection: String, _ status: Int32?
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let input = (0..<20_000).map { "> say \($0)\n" }.joined()
      let vmhost = try BuildProducts.executable("vmhost")
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", "'\(vmhost)' run echo.so --record a.vmt \(redirection)"],
        environment: VMHostRun.environment, workingDirectory: directory.path, input: .text(input))
      if let status { #expect(output.status == .exited(status)) }
      let recording = try Recording(nil, directory.file("a.vmt"))
      #expect(recording.text.hasSuffix("\n@end\n"))
      // Where not even the first line could be printed, it has no step that says anything.
      let test = try await VMHostRun.output(["test", "a.vmt"], workingDirectory: directory.path)
      #expect(test.status == .success, "\(test.stdout)")
    }
  }

  @Test func `of two plugins the one that crashes is found again`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run"] + Recording.settled,
        .text(
          """
          @plugin echo.so
          @plugin brokenfixture.so
          @open echo
          @open broken {"fault":"crash-in-send","key":null}
          > echo.say 1
          > broken.go
          > echo.say 2
          """), in: directory)
      #expect(recording.output.status == .exited(6))
      #expect(recording.text.hasSuffix("\n> echo.say 1\n< echo.said 1\n> broken.go\n"))
      let replay = try await VMHostRun.output(
        ["replay", "a.vmt"], workingDirectory: directory.path)
      #expect(replay.status == .exited(6))
      #expect(replay.stderr.contains("brokenfixture.so crashed"), "\(replay.stderr)")
    }
  }
}
