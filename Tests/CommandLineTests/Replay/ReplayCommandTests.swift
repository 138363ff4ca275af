import Foundation
import TestSupport
import Testing

/// `vmhost replay`: what it prints, its options, several transcripts, and its end.
struct ReplayCommandTests {
  private static let search = "Examples/search.vmt"
  private static let settled = "@seed 1\n@time 2026-01-31T12:00:00Z\n"

  /// A step of each kind, with what a plugin emits of each kind.
  private static let session =
    Transcript.effects.replacing("vmt 1\n", with: "vmt 1\n" + settled) + """
      # A comment.
      >  locate   {"city" : "Graz"}
      ? 1 geo.locate {"city":"Graz"}
      @open kit.works as w
      < w.busy false
      > w.debounced "a"
      > w.debounced "b"
      + 1500ms
      < @300ms w.busy true
      < @300ms w.began "b"
      < @1300ms w.ended "b"
      < @1300ms w.busy false
      ! list.1 error {"code":"offline",\
      "message":"no route to\\u009b the host, and no other way to get there either, by land or \
      by sea"}
      < list.failed {
          "code": "offline",
          "message": "no route to\\u009b the host, and no other way to get there either, by land \
      or by sea"
        }
      @close w
      > ping
      ? 2 ping
      {"kind":"reply","id":2}
      < result "pong"

      """

  @Test func `prints every step and event as text`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.session, to: "a.vmt")
      try await VMHostRun.expect(
        ["replay", "a.vmt", "--format", "text"], workingDirectory: folder.path,
        stdout: try VMHostRun.golden("replay.txt"))
    }
  }

  @Test func `prints every event as JSON Lines, in a pipe by itself`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.session, to: "a.vmt")
      let digest = try VMHostRun.digest(of: "kitfixture")
      try await VMHostRun.expect(
        ["replay", "a.vmt"], workingDirectory: folder.path,
        stdout: try VMHostRun.golden("replay.jsonl").replacing("SHA256_kitfixture", with: digest))
    }
  }

  /// What is printed as text can be played.
  @Test func `what it prints is the transcript but for what it doesn't do`() async throws {
    let output = try await Transcript.replay(Self.session)
    try await Transcript.expectPass(
      "vmt 1\n\(Self.settled)@plugin kitfixture.so\n" + output.stdout)
  }

  @Test func `prints what the differences are as JSON Lines too`() async throws {
    let text = Transcript.echo + "> say 1\n< said 2\n> say 3\n"
    let output = try await Transcript.replay(text, ["--keep-going"])
    #expect(
      output.lines.dropFirst() == [
        "{\"kind\":\"output\",\"t\":0,\"instance\":\"echo\",\"name\":\"said\",\"value\":1}",
        "{\"kind\":\"difference\",\"t\":0,\"line\":5,"
          + "\"message\":\"expected < said 2, found < said 1\"}",
        "{\"kind\":\"output\",\"t\":0,\"instance\":\"echo\",\"name\":\"said\",\"value\":3}",
        "{\"kind\":\"difference\",\"t\":0,\"line\":6,"
          + "\"message\":\"found < said 3, which no line expects\"}",
        "{\"kind\":\"end\",\"t\":0,\"status\":1}",
      ])
  }

  // MARK: Differences

  @Test func `stops at the first difference, unless it is to go on`() async throws {
    let text = Transcript.echo + "> say 1\n< said 2\n> say 3\n< said 4\n+ 5ms\n"
    let first = """
      vmhost: a.vmt:5: expected < said 2, found < said 1
      \(Transcript.legend)
      - < said 2
      + < said 1

      """
    let second = """
      vmhost: a.vmt:7: expected < said 4, found < said 3
      \(Transcript.legend)
      - < said 4
      + < said 3

      """
    let beginning = "@open echo\n> say 1\n< said 1\n"
    let short = try await Transcript.replay(text)
    #expect(short.stdout == beginning)
    #expect(short.stderr == first)
    #expect(short.status == .exited(1))
    let long = try await Transcript.replay(text, ["--format", "text", "--keep-going"])
    #expect(long.stdout == beginning + "> say 3\n< said 3\n+ 5ms\n")
    #expect(long.stderr == first + second)
    #expect(long.status == .exited(1))
  }

  // MARK: Several transcripts

  private static let files = [
    ("good.vmt", Transcript.echo + "> say 1\n< said 1\n"),
    ("other.vmt", Transcript.echo + "> say 1\n< said 2\n"),
    ("bad.vmt", "nonsense\n"),
    ("script.vmt", Transcript.echo + "> say 3\n"),
  ]

  private static let runs: [(arguments: [String], status: Int32, played: [(String, Int)])] = [
    (["good.vmt", "script.vmt"], 0, [("good.vmt", 0), ("script.vmt", 0)]),
    (["good.vmt", "other.vmt", "script.vmt"], 1, [("good.vmt", 0), ("other.vmt", 1)]),
    (
      ["other.vmt", "good.vmt", "bad.vmt", "nope.vmt", "script.vmt", "--keep-going"], 2,
      [("other.vmt", 1), ("good.vmt", 0), ("script.vmt", 0)]
    ),
    (["bad.vmt", "good.vmt"], 2, []),
    (["good.vmt", "good.vmt", "--in-process"], 0, [("good.vmt", 0), ("good.vmt", 0)]),
  ]

  @Test(arguments: runs.indices)
  func `plays several in order, each in a session of its own`(
    _ index: Int
  ) async throws {
    let (arguments, status, played) = Self.runs[index]
    try await TemporaryDirectory.with { folder in
      for (name, text) in Self.files { try folder.write(text, to: name) }
      let text = try await VMHostRun.output(
        ["replay"] + arguments + ["--format", "text"], workingDirectory: folder.path)
      #expect(text.lines.filter { $0.hasPrefix("# ") } == played.map { "# \($0.0)" })
      #expect(text.status == .exited(status))
      let jsonl = try await VMHostRun.output(
        ["replay"] + arguments, workingDirectory: folder.path)
      #expect(jsonl.lines.count { $0.hasPrefix("{\"kind\":\"session\",") } == played.count)
      let ends = jsonl.lines.filter { $0.hasPrefix("{\"kind\":\"end\",") }
      #expect(ends == played.map { "{\"kind\":\"end\",\"t\":0,\"status\":\($0.1)}" })
      #expect(jsonl.status == .exited(status))
    }
  }

  /// A thread for each plugin that was loaded would need more memory than the process may have.
  @Test func `many in process take no thread each`() async throws {
    try await TemporaryDirectory.with { folder in
      for (name, text) in Self.files { try folder.write(text, to: name) }
      let names = Array(repeating: "good.vmt", count: 400).joined(separator: " ")
      let output = try await ChildProcess.run(
        "/bin/sh",
        ["-c", "ulimit -v 2000000; exec vmhost replay --in-process --format text \(names)"],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: folder.path)
      #expect(output.stderr == "")
      #expect(output.status == .exited(0))
      #expect(output.lines.count { $0 == "< said 1" } == 400)
    }
  }

  @Test func `needs a transcript`() async throws {
    let output = try await VMHostRun.output(["replay"])
    #expect(output.stderr.hasPrefix("vmhost: "), "\(output.stderr)")
    #expect(output.stdout == "")
    #expect(output.status == .exited(2))
  }

  // MARK: Pace

  @Test(arguments: ["real", "1", "0.5", "1000000", "1e300"])
  func `plays at a pace, and prints the same`(_ speed: String) async throws {
    let text = Transcript.works + "> group\n+ 1ms\n> latest \"a\"\n< began \"a\"\n"
    let plain = try await Transcript.replay(text, ["--keep-going", "--format", "text"])
    let paced = try await Transcript.replay(
      text, ["--keep-going", "--format", "text", "--speed", speed])
    #expect(paced.stdout == plain.stdout)
    #expect(paced.stderr == plain.stderr)
    #expect(paced.status == plain.status)
  }

  @Test(arguments: ["0", "-1", "nan", "inf", "fast", "", "1x"])
  func `refuses a pace that is none`(_ speed: String) async throws {
    try await VMHostRun.expect(
      ["replay", "a.vmt", "--speed", speed],
      stderr: """
        vmhost: --speed: "\(speed)" is not "real", or how many times faster, as in 10.

        """, status: 2)
  }

  /// Each event is shown when its time has come, and a signal ends the wait for the next.
  @Test(arguments: [(SIGINT, "real"), (SIGTERM, "0.00001"), (SIGINT, "1e-300")])
  func `ends by a signal while it waits for an event`(_ signal: Int32, speed: String) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(
        "vmt 1\n@plugin kitfixture.so\n@open kit.works as w\n> latest \"a\"\n+ 0s\n> group\n"
          + "+ 1h\n> latest \"b\"\n+ 1h\n", to: "a.vmt")
      let child = try VMHostRun.start(
        ["replay", "a.vmt", "--format", "text", "--speed", speed], workingDirectory: folder.path)
      while let line = try child.readLine(), line != "+ 1h" {}
      child.kill(signal)
      let output = try child.wait(closingInput: false)
      #expect(!output.stdout.contains("latest \"b\""))
      // Slowed down, the first event of that step is days away.
      #expect(speed == "real" || output.stdout.hasSuffix("\n+ 1h\n"))
      #expect(output.stderr == "")
      #expect(output.status == .signaled(signal))
    }
  }

  // MARK: Signals

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends by a signal while much happens, and says so to programs`(_ signal: Int32) throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    try folder.write(
      "vmt 1\n@plugin kitfixture.so\n@open kit.ticker\n> start\n+ 1s\n+ 1000000h\n", to: "a.vmt")
    let child = try VMHostRun.start(
      ["replay", "a.vmt", "--speed", "real"], workingDirectory: folder.path)
    #expect(try child.readLine()?.hasPrefix("{\"kind\":\"session\",") == true)
    child.kill(signal)
    let output = try child.wait(closingInput: false)
    #expect(output.lines.last?.hasSuffix(",\"status\":\(128 + signal)}") == true)
    #expect(output.status == .signaled(signal))
  }

  @Test func `ends quietly when nobody reads on`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(
        Transcript.echo + String(repeating: "> say 1\n", count: 50_000), to: "a.vmt")
      let vmhost = try BuildProducts.executable("vmhost")
      let output = try await ChildProcess.run(
        "/bin/sh",
        ["-c", "{ '\(vmhost)' replay a.vmt --format text; echo \"status $?\" >&2; } | head -1"],
        environment: VMHostRun.environment, workingDirectory: folder.path)
      #expect(output.stdout == "@open echo\n")
      #expect(output.stderr.hasSuffix("status 141\n"), "\(output.stderr)")
      #expect(!output.stderr.contains("vmhost:"))
    }
  }
}
