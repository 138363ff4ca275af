import CanonicalJSON
import TestSupport
import Testing

struct FailureTests {
  @Test func `is offline when nothing listens`() async throws {
    try await RefusedPort.with { port in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: "http://127.0.0.1:\(port)/") == "offline")
        try #expect(provider.errorCode(get: "https://127.0.0.1:\(port)/") == "offline")
      }
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200", "HTTP/1.1 100 Continue\r\n\r\n"])
  func `is offline when the connection closes before an answer`(_ raw: String) async throws {
    try await LoopbackServer.with { _ in
      HTTPResponse(behaviour: .raw(Array(raw.utf8)))
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: server.url) == "offline")
      }
    }
  }

  static let malformed: [(String, String)] = [
    ("garbage", "garbage\r\n\r\n"),
    ("an old protocol", "<html>"),
    ("a wrong version", "HTTP/9.9 200 OK\r\n\r\n"),
    ("no status", "HTTP/1.1\r\n\r\n"),
    ("a status that is no number", "HTTP/1.1 abc OK\r\n\r\n"),
    ("a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n12"),
    ("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n12"),
    ("headers that end early", "HTTP/1.1 200 OK\r\nContent-"),
    ("a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
    ("chunks that end early", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"),
    ("bad gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
    (
      "chunks with trailers",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n"
    ),
    ("a TLS alert", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{50}"),
  ]

  @Test(arguments: malformed)
  func `fails on a malformed answer, and lives on`(_ name: String, _ raw: String) async throws {
    try await LoopbackServer.with { request in
      request.path == "/good"
        ? .json("1") : HTTPResponse(behaviour: .raw(Array(raw.utf8)))
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: server.url) == "failed")
        try #expect(provider.get(server.url + "/good")["body"] == 1)
      }
    }
  }

  @Test func `keeps other requests when an answer ends Foundation's process`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { request in
      request.path == "/held"
        ? .json("1", gate: gate)
        : HTTPResponse(behaviour: .raw(Array("HTTP/1.1 200 OK\r\nContent-".utf8)))
    } run: { server in
      try await ProviderDriver.with { provider in
        try provider.send(7, ["method": "GET", "url": .string(server.url + "/held")])
        try server.waitForRequests(1)
        try #expect(provider.errorCode(get: server.url + "/cut") == "failed")
        gate.open()
        let message = try provider.next()
        #expect(message["id"] == 7)
        #expect(message["value"]?["body"] == 1)
      }
    }
  }

  @Test func `fails on a body that ends early`() async throws {
    try await LoopbackServer.with { _ in
      HTTPResponse(body: Array("abc".utf8), behaviour: .truncate(missing: 5))
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: server.url) == "failed")
      }
    }
  }

  @Test func `fails on TLS that is none`() async throws {
    try await LoopbackServer.with { _ in
      .json("1")
    } run: { server in
      try await ProviderDriver.with { provider in
        let code = try provider.errorCode(get: "https://127.0.0.1:\(server.port)/")
        #expect(code == "failed")
      }
    }
  }

  @Test(arguments: ["0s", "50ms", "1000us"])
  func `times out when the server holds its answer`(_ timeout: String) async throws {
    let gate = try Gate()
    try await LoopbackServer.with { _ in
      .text("late", gate: gate)
    } run: { server in
      try await ProviderDriver.with { provider in
        let value: JSONValue = [
          "method": "GET", "url": .string(server.url), "timeout": .string(timeout),
        ]
        try #expect(provider.errorCode(value) == "timeout")
      }
    }
  }

  @Test func `times out in the middle of a body, and hangs up`() async throws {
    try await LoopbackServer.with { _ in
      HTTPResponse(body: Array("begun".utf8), behaviour: .stall)
    } run: { server in
      try await ProviderDriver.with { provider in
        let value: JSONValue = ["method": "GET", "url": .string(server.url), "timeout": "100ms"]
        try #expect(provider.errorCode(value) == "timeout")
        try server.waitForHangUps(1)
      }
    }
  }

  @Test func `takes a body up to the limit, and not one byte more`() async throws {
    try await LoopbackServer.with { request in
      .text(String(repeating: "x", count: Int(request.path.dropFirst()) ?? 0))
    } run: { server in
      try await ProviderDriver.with(environment: ["VMHOST_HTTP_MAX_BODY": "1000"]) { provider in
        try #expect(provider.get(server.url + "/1000")["text"]?.stringValue?.utf8.count == 1000)
        try #expect(provider.errorCode(get: server.url + "/1001") == "too-large")
      }
    }
  }

  @Test func `stops reading an endless body`() async throws {
    try await LoopbackServer.with { _ in
      HTTPResponse(behaviour: .stream(.max))
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: server.url) == "too-large")
        try server.waitForHangUps(1)
      }
    }
  }

  @Test func `names the place in a message, but keeps secrets out of it`() async throws {
    try await RefusedPort.with { port in
      try await ProviderDriver.with { provider in
        let url = "http://user:word@127.0.0.1:\(port)/list?api_key=secret#part"
        let message = try provider.answer(["method": "GET", "url": .string(url)])
        let text = try #require(message["message"]?.stringValue)
        #expect(text.hasPrefix("No connection to http://127.0.0.1:\(port)/list, or it was lost: "))
        #expect(!text.contains("secret") && !text.contains("word") && !text.contains("part"))
      }
    }
  }

  @Test(arguments: ["big", "-1", "", "1.5"])
  func `refuses a limit that is no number of bytes`(_ limit: String) async throws {
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost-http"), environment: ["VMHOST_HTTP_MAX_BODY": limit])
    #expect(output.status == .exited(2))
    #expect(
      output.stderr == """
        vmhost-http: VMHOST_HTTP_MAX_BODY is "\(limit)"; it must be a number of bytes.

        """)
    #expect(output.stdout == "")
  }
}
