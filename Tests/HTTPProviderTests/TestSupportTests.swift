import TestSupport
import Testing

/// The helpers that all tests trust, tested where they are used most.
struct TestSupportTests {
  @Test func `runs a process with arguments, environment, folder and input`() async throws {
    try await TemporaryDirectory.with { directory in
      let script = "read line; echo \"$1 $WORD $line\"; pwd; echo bad >&2; exit 3"
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", script, "sh", "one"], environment: ["WORD": "two"],
        workingDirectory: directory.path, input: .text("three\n"))
      #expect(output.lines == ["one two three", directory.path])
      #expect(output.stderr == "bad\n")
      #expect(output.status == .exited(3))
    }
  }

  @Test func `moves megabytes through all three streams at once`() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "a"), count: 3_000_000)
    let output = try await ChildProcess.run(
      "/bin/sh", ["-c", "tee /dev/stderr"], input: .bytes(input))
    #expect(output.stdoutBytes == input)
    #expect(output.stderrBytes == input)
  }

  @Test func `survives a child that does not read its input`() async throws {
    let input = [UInt8](repeating: 0, count: 3_000_000)
    let output = try await ChildProcess.run("/bin/true", input: .bytes(input))
    #expect(output.status == .success)
  }

  @Test func `kills what runs too long, with what it started`() async throws {
    let error = await #expect(throws: TestSupportError.self) {
      try await ChildProcess.run(
        "/bin/sh", ["-c", "echo begun; sleep 1000 & sleep 1000"], within: .milliseconds(300))
    }
    #expect(error?.description.contains("begun") == true)
  }

  @Test func `reports a child of the child that keeps the output open`() async throws {
    let error = await #expect(throws: TestSupportError.self) {
      try await ChildProcess.run("/bin/sh", ["-c", "sleep 1000 &"], within: .milliseconds(300))
    }
    #expect(error?.description.contains("kept its output open") == true)
  }

  @Test func `talks to a process line by line`() throws {
    let child = try ChildProcess("/bin/cat")
    try child.writeLine("one")
    #expect(try child.readLine() == "one")
    try child.write(Array("two\nthree".utf8))
    #expect(try child.readLine() == "two")
    child.closeInput()
    #expect(try child.readLine() == "three")
    #expect(try child.readLine() == nil)
    #expect(try child.wait().status == .success)
  }

  @Test func `says which signal ended a process`() throws {
    let child = try ChildProcess("/bin/cat")
    child.kill(15)
    #expect(try child.wait(closingInput: false).status == .signaled(15))
    #expect(throws: TestSupportError.self) { try child.writeLine("late") }
  }

  @Test func `names the executable that can't be started`() {
    let error = #expect(throws: TestSupportError.self) { try ChildProcess("/no/such/thing") }
    #expect(error?.description.contains("/no/such/thing") == true)
  }

  @Test func `finds build products, and says what is missing`() throws {
    #expect(try BuildProducts.executable("vmhost-http").hasSuffix("/vmhost-http"))
    #expect(throws: TestSupportError.self) { try BuildProducts.library("nothing") }
  }

  @Test func `removes a temporary folder with what is in it`() async throws {
    let path = try await TemporaryDirectory.with { directory in
      try directory.write("text", to: "deep/down.txt")
      #expect(try await ChildProcess.run("/bin/ls", [directory.path]).stdout == "deep\n")
      return directory.path
    }
    #expect(try await ChildProcess.run("/bin/ls", [path]).status != .success)
  }

  @Test func `stops a server with answers held and connections open`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { _ in
      .text("held", gate: gate)
    } run: { server in
      let script =
        "exec 3<>/dev/tcp/127.0.0.1/$0; printf 'GET / HTTP/1.1\r\n\r\n' >&3; exec cat <&3"
      let client = try ChildProcess("/bin/bash", ["-c", script, "\(server.port)"])
      #expect(try server.waitForRequests(1)[0].path == "/")
      #expect(throws: TestSupportError.self) {
        try server.waitForRequests(2, within: .milliseconds(10))
      }
      client.kill(9)
      try server.waitForHangUps(1)
    }
  }
}
