import Foundation
import TestSupport
import Testing

/// Sessions that somebody else ends.
struct InterruptionTests {
  @Test func `ends quietly when nobody reads on`() async throws {
    let vmhost = try BuildProducts.executable("vmhost")
    let command = """
      yes '> say 1' 2>/dev/null | head -100000 2>/dev/null \
      | { '\(vmhost)' run echo.so --format text; echo "status $?" >&2; } | head -1
      """
    let output = try await ChildProcess.run("/bin/sh", ["-c", command])
    #expect(output.stdout == "< said 1\n")
    #expect(output.stderr.hasSuffix("status 141\n"))
    // A shell may add words of its own about the signal, vmhost none.
    #expect(!output.stderr.contains("vmhost:"))
  }

  @Test func `ends quietly when help is not read`() async throws {
    let vmhost = try BuildProducts.executable("vmhost")
    let output = try await ChildProcess.run(
      "/bin/sh", ["-c", "{ '\(vmhost)' run --help; echo \"status $?\" >&2; } | true"])
    #expect(output.stdout == "")
    #expect(["status 141\n", "status 0\n"].contains(output.stderr))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends at once by a signal while time passes`(_ signal: Int32) throws {
    let child = try VMHostRun.start(["run", "hello.so", "--format", "text"])
    try child.writeLine("> nameChanged \"x\"\n+ 600s\n> nameChanged \"y\"")
    #expect(try child.readLine() == "< greeting \"Hello!\"")
    #expect(try child.readLine() == "< greeting \"Hello, x!\"")
    child.kill(signal)
    let output = try child.wait(closingInput: false)
    #expect(output.stdout == "< greeting \"Hello!\"\n< greeting \"Hello, x!\"\n")
    #expect(output.stderr == "")
    #expect(output.status == .signaled(signal))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `ends at once by a signal while a plugin is busy`(_ signal: Int32) throws {
    let child = try VMHostRun.start(Arguments.broken("spin-in-poll"))
    try child.writeLine("> emit \"16 0 said 1\"\n+ 1s")
    while let line = try child.readLine(), line != "< said 1" {}
    try child.writeLine("> go")
    child.kill(signal)
    let output = try child.wait(closingInput: false)
    let words = "brokenfixture.so was still busy while it handled the input \"go\".\n"
    // The signal may also come before the plugin is busy.
    #expect(output.stderr.hasSuffix(words) || output.stderr == "")
    #expect(output.status == .signaled(signal))
  }

  @Test func `shows a long virtual time as it passes, and ends in it by a signal`() throws {
    let child = try VMHostRun.start(Arguments.kit("ticker"))
    try child.writeLine("> start\n+ 1000000h")
    #expect(try child.readLine() == "< ticked 1")
    child.kill(SIGINT)
    let output = try child.wait(closingInput: false)
    #expect(output.status == .signaled(SIGINT))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `ends at once by a signal while it waits for input`(_ signal: Int32) throws {
    let child = try VMHostRun.start(["run", "hello.so"] + Arguments.jsonl)
    _ = try child.readLine()
    _ = try child.readLine()
    child.kill(signal)
    let output = try child.wait(closingInput: false)
    #expect(output.lines.last == "{\"kind\":\"end\",\"t\":0,\"status\":\(128 + signal)}")
    #expect(output.stderr == "")
    #expect(output.status == .signaled(signal))
  }

  @Test(arguments: ["exec cat >/dev/null", "trap '' TERM HUP INT; exec sleep 1000"])
  func `leaves no provider behind`(_ command: String) async throws {
    try await TemporaryDirectory.with { directory in
      let child = try VMHostRun.start(
        Arguments.kit("effects") + [
          "--effect", "geo.locate=echo $$ >'\(directory.file("id"))'; echo ready >&2; \(command)",
        ])
      try child.writeLine("> locate {\"city\":\"Graz\"}\n+ idle")
      try child.waitForStderr(containing: "ready\n")
      child.kill(SIGTERM)
      #expect(try child.wait(closingInput: false).status == .signaled(SIGTERM))
      let text = try String(contentsOfFile: directory.file("id"), encoding: .utf8)
      let process = try #require(pid_t(text.dropLast()))
      #expect(kill(process, 0) == -1 && errno == ESRCH)
    }
  }

  @Test func `answers a front end at once, before the input ends`() throws {
    let child = try VMHostRun.start(
      ["run", "kitfixture.so", "--view-model", "kit.works"] + Arguments.jsonl)
    #expect(try child.readLine()?.hasPrefix("{\"kind\":\"session\",") == true)
    #expect(
      try child.readLine()
        == "{\"kind\":\"output\",\"t\":0,\"instance\":\"works\",\"name\":\"busy\",\"value\":false}")
    try child.writeLine("{\"name\":\"latest\",\"value\":\"a\"}")
    #expect(
      try child.readLine()
        == "{\"kind\":\"output\",\"t\":0,\"instance\":\"works\",\"name\":\"busy\",\"value\":true}")
    #expect(
      try child.readLine()
        == "{\"kind\":\"output\",\"t\":0,\"instance\":\"works\",\"name\":\"began\",\"value\":\"a\"}"
    )
    // Half a line is not yet a line.
    try child.write(Array("{\"kind\":\"adv".utf8))
    try child.writeLine("ance\",\"by\":\"1s\"}")
    #expect(
      try child.readLine()
        == "{\"kind\":\"output\",\"t\":1,\"instance\":\"works\",\"name\":\"ended\",\"value\":\"a\"}"
    )
    #expect(try child.wait().lines.last == "{\"kind\":\"end\",\"t\":1,\"status\":0}")
  }

  @Test func `lets timers fire on the live clock while it waits for input`() throws {
    let child = try VMHostRun.start(["run", "movies.so", "--format", "text"])
    try child.writeLine("> didSearch \"no such film\"")
    while let line = try child.readLine(), line != "< query \"no such film\"" {}
    #expect(try child.readLine() == "< items []")
    #expect(try child.readLine() == "< loading \"none\"")
    #expect(try child.wait().status == .success)
  }
}
