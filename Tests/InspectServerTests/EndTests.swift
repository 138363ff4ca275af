import Foundation
import TestSupport
import Testing

/// How the server begins and ends, and what it can do in between.
struct EndTests {
  private static let end =
    "event: end\ndata: {\"kind\":\"end\",\"message\":\"The session has ended.\"}\n\n"

  @Test func `ends with the session, after its last line`() throws {
    let page = try LivePage(lines: ["{\"n\":1}"])
    let stream = try page.events()
    try page.child.write(Array("{\"n\":2}\n{\"n\":3}".utf8))
    page.child.closeInput()
    #expect(
      try stream.readToEnd()
        == "id: 1\ndata: {\"n\":1}\n\nid: 2\ndata: {\"n\":2}\n\nid: 3\ndata: {\"n\":3}\n\n"
        + Self.end)
    try page.end()
  }

  @Test func `ends with the session, although a page doesn't read`() throws {
    let page = try LivePage(["farewell=200ms"])
    let client = try LoopbackClient(port: page.port, receiveBuffer: 4096)
    try client.send(page.request("GET /events", ["X-Vmhost-Secret: \(page.secret)"]))
    _ = try client.readAnswerHead()
    try page.child.writeLine("{\"v\":\"\(String(repeating: "x", count: 20_000_000))\"}")
    try page.end()
  }

  @Test func `ends when nobody reads its standard output`() async throws {
    let script = """
      "$1" <"$2" | head -n 1 &
      exec 3>"$2"
      printf '{"kind":"page","bytes":1}\\nx' >&3
      wait
      """
    try await TemporaryDirectory.with { directory in
      let pipe = directory.file("pipe")
      #expect(try await ChildProcess.run("/usr/bin/mkfifo", [pipe]).status == .success)
      // The shell keeps the standard input open, and waits for the server.
      let program = try BuildProducts.executable("vmhost-inspect")
      let output = try await ChildProcess.run(
        "/bin/bash", ["-c", script, "bash", program, pipe])
      #expect(output.lines.count == 1)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `ends with a signal`(_ signal: Int32) throws {
    let page = try LivePage()
    let stream = try page.events()
    page.child.kill(signal)
    #expect(try stream.readToEnd() == "")
    #expect(try page.child.wait(closingInput: false).status == .signaled(signal))
  }

  @Test func `ends when the page is gone, and not while it is loaded again`() throws {
    let page = try LivePage(["reload=3s"])
    for _ in 1...3 {
      let stream = try page.events()
      try page.child.writeLine("{}")
      _ = try stream.readEvent()
      #expect(!page.child.ends(within: .milliseconds(400)))
    }
    #expect(try page.child.wait(closingInput: false).status == .success)
  }

  @Test func `goes on for as long as there is a page`() throws {
    let page = try LivePage(["reload=100ms", "start=30s"])
    let stream = try page.events()
    #expect(!page.child.ends(within: .milliseconds(400)))
    withExtendedLifetime(stream) {}
    page.child.closeInput()
    #expect(try page.child.wait().status == .success)
  }

  @Test func `ends when no page comes`() throws {
    let page = try LivePage(["start=300ms"])
    #expect(try page.child.wait(closingInput: false).status == .success)
  }

  @Test(arguments: [
    ("", "the first line of standard input must be {\"kind\":\"page\",\"bytes\":N}; "),
    ("{\"kind\":\"page\"}\n", "the first line of standard input must be"),
    ("{\"kind\":\"page\",\"bytes\":-1}\n", "the first line of standard input must be"),
    ("{\"kind\":\"page\",\"bytes\":1.5}\n", "the first line of standard input must be"),
    ("{\"kind\":\"session\",\"bytes\":1}\nx", "the first line of standard input must be"),
    (String(repeating: "x", count: 100_000), "the first line of standard input must be"),
    (
      "{\"kind\":\"page\",\"bytes\":16777217}\n",
      "the page has 16777217 bytes; a page has at most 16 MB."
    ),
    (
      "{\"kind\":\"page\",\"bytes\":5}\nabc",
      "standard input ended 2 bytes before the end of the page."
    ),
  ])
  func `says what is wrong with its input`(_ input: String, _ message: String) async throws {
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost-inspect"), input: .text(input))
    #expect(output.stderr.hasPrefix("vmhost-inspect: \(message)"))
    #expect(output.stderr.hasSuffix(".\n"))
    #expect(output.stdout == "")
    #expect(output.status == .exited(2))
  }

  @Test(arguments: ["--port=80", "reload", "reload=soon", "kept=-1", ""])
  func `refuses arguments that are no limits`(_ argument: String) async throws {
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost-inspect"), [argument])
    #expect(
      output.stderr
        == "vmhost-inspect: \"\(argument)\" is no limit; \"vmhost inspect\" starts this program.\n")
    #expect(output.status == .exited(2))
  }

  @Test func `is confined while it serves`() throws {
    try LivePage.with { page in
      #expect(try page.processStatus("NoNewPrivs") == 1)
      #expect(try page.processStatus("Seccomp") == 2)
      #expect(try page.processStatus("Threads") == 1)
      let folder = "/proc/\(page.child.processID)"
      let limits = try String(contentsOfFile: "\(folder)/limits", encoding: .utf8)
      #expect(limits.contains(#/Max processes +0 +0 /#))
      #expect(limits.contains(#/Max open files +144 +144 /#))
      // Its three standard streams and the socket that it listens with.
      #expect(try page.openFiles() == [0, 1, 2, 3])
    }
  }

  @Test func `listens on this machine only, and on one port`() throws {
    try LivePage.with { page in
      let table = try String(
        contentsOfFile: "/proc/\(page.child.processID)/net/tcp", encoding: .utf8)
      let port = String(page.port, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: 4 - port.count) + port
      let listening = table.split(separator: "\n").filter { line in
        let words = line.split(separator: " ")
        return words.count > 3 && words[1].hasSuffix(":\(padded)") && words[3] == "0A"
      }
      #expect(listening.count == 1)
      #expect(listening.allSatisfy { $0.contains(" 0100007F:\(padded) ") })
    }
  }
}
