import Foundation
import TestSupport
import Testing

/// What a flow can't do, as it shows in each way to run a session.
struct FlowFaultTests {
  private static let flow = """
    {"start":[{"open":"echo"}],\
    "on":{"echo.said":{"open":"movies.details","config":{"movie":"$value"}}}}

    """
  private static let fault =
    "# fault of echo in \"said\": \"movies.details can't take this config: movie.id: expected a"
    + " string, found 5 (ref.json:1:46)\"\n"
  private static let steps = """
    > echo.say {"id":5}
    > echo.say {"id":5}

    """

  @Test func `a session with a fault goes on, and its recording says the same`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(Self.flow, to: "ref.json")
      let recording = try await Recording.of(
        ["run", "echo.so", "movies.so", "--flow", "ref.json"] + Recording.settled,
        .text(Self.steps), in: directory)
      let said = "< echo.said {\"id\":5}\n" + Self.fault
      #expect(recording.output.stdout == "# opened echo: echo\n" + said + said)
      #expect(recording.output.stderr == "")
      #expect(recording.output.status == .exited(1))
      #expect(recording.text.hasSuffix("\n@end\n"))
      let replay = try await VMHostRun.output(
        ["replay", "a.vmt", "--format", "text"], workingDirectory: directory.path)
      #expect(replay.stdout.components(separatedBy: Self.fault).count == 3, "\(replay.stdout)")
      #expect(replay.status == .exited(1), "\(replay.stderr)")
      let test = try await VMHostRun.output(["test", "a.vmt"], workingDirectory: directory.path)
      #expect(test.status == .exited(1))
      #expect(
        test.stdout.contains("echo failed in \"said\": \"movies.details can't take this config: "))
      #expect(test.stdout.contains("1 failed"), "\(test.stdout)")
    }
  }

  /// The value would have 4 GiB, and the process may have 3.
  @Test func `what would be too large is never made`() async throws {
    try await TemporaryDirectory.with { directory in
      let parts = Array(repeating: "\"$value\"", count: 4096).joined(separator: ",")
      try directory.write(
        """
        {"start":{"open":"echo"},
          "on":{"echo.said":{"feed":"echo.say","value":[\(parts)],"mayRepeat":true}}}
        """, to: "f.json")
      let text = String(repeating: "x", count: 1 << 20)
      try directory.write("> echo.say \"\(text)\"\n", to: "steps.txt")
      let output = try await ChildProcess.run(
        "/bin/sh",
        [
          "-c",
          "ulimit -v 3000000; exec vmhost run echo.so --in-process --flow f.json --format jsonl"
            + " --clock virtual --script steps.txt",
        ],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: directory.path)
      #expect(output.status == .exited(1), "\(output.stderr)")
      #expect(
        output.stdout.contains(
          #"have more than 200000000 bytes. \"--limit bytes=SIZE\" allows more (f.json:2:21)"#))
    }
  }

  @Test func `an answer of a provider that leads to a fault ends in exit status 1`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        """
        {"start":[
          {"open":"kit.effects"},
          {"open":"broken","as":"a","config":{"fault":"","key":null}}],
          "on":{"effects.result":{"feed":"a.emit","value":1}}}
        """, to: "f.json")
      let output = try await VMHostRun.output(
        [
          "run", "kitfixture.so", "brokenfixture.so", "--flow", "f.json", "--format", "jsonl",
          "--effect",
          #"http=read -r a; echo '{"kind":"reply","id":1,"value":{"status":200,"headers":{},"#
            + #""text":"x"}}'; cat >/dev/null"#,
        ], .text("> effects.get \"http://localhost/\"\n+ idle\n"),
        workingDirectory: directory.path)
      #expect(output.status == .exited(1), "\(output.stdout)\(output.stderr)")
      let faults = output.stdout.split(separator: "\n").filter {
        $0.hasPrefix("{\"kind\":\"fault\"")
      }
      #expect(faults.count == 1, "\(output.stdout)\(output.stderr)")
      #expect(
        faults.first?.contains(
          "\"instance\":\"effects\",\"input\":\"result\",\"message\":\"a refused ")
          == true)
    }
  }

  @Test func `a breach of contract that a flow leads to names the line and the flow`() async throws
  {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        """
        {"start":{"open":"broken","as":"a","config":{"fault":"","key":null}},
          "on":{"a.said":{"feed":"a.emit","value":"16 0 nothing","mayRepeat":true}}}
        """, to: "f.json")
      let output = try await VMHostRun.output(
        ["run", "brokenfixture.so", "--flow", "f.json"] + Arguments.text,
        .text("> a.emit \"16 0 heard 1\"\n> a.emit \"16 0 said 1\"\n"),
        workingDirectory: directory.path)
      #expect(output.stderr.hasPrefix("vmhost: <stdin>:2: brokenfixture.so broke its contract at"))
      #expect(
        output.stderr.hasSuffix(" The signal a.said led to it (f.json:2:18).\n"), "\(output.stderr)"
      )
    }
  }
}
