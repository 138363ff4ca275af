import CanonicalJSON
import TestSupport
import Testing

struct ProtocolTests {
  @Test func `answers in the order in which answers come`() async throws {
    let gates = try (0..<10).map { _ in try Gate() }
    try await LoopbackServer.with { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return .json("\(number)", gate: gates[number])
    } run: { server in
      try await ProviderDriver.with { provider in
        for id in 0..<10 {
          try provider.send(UInt64(id), ["method": "GET", "url": .string("\(server.url)/\(id)")])
        }
        try server.waitForRequests(10)
        for id in (0..<10).reversed() {
          gates[id].open()
          let message = try provider.next()
          #expect(message["id"] == .number(JSONNumber(id)))
          #expect(message["value"]?["body"] == .number(JSONNumber(id)))
        }
      }
    }
  }

  @Test func `answers a cancelled request with cancelled, once, and hangs up`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { request in
      request.path == "/held" ? .json("1", gate: gate) : .json("2")
    } run: { server in
      try await ProviderDriver.with { provider in
        try provider.send(1, ["method": "GET", "url": .string(server.url + "/held")])
        try server.waitForRequests(1)
        try provider.child.writeLine(#"{"kind":"cancel","id":1}"#)
        let message = try provider.next()
        #expect(message["kind"] == "error" && message["id"] == 1)
        #expect(message["code"] == "cancelled")
        try server.waitForHangUps(1)
        gate.open()
        // The id is free again, and cancelling what is not open is no mistake.
        try provider.child.writeLine(#"{"kind":"cancel","id":1}"#)
        try #expect(provider.get(server.url + "/free")["body"] == 2)
      }
    }
  }

  @Test func `answers each request once when cancels and answers race`() async throws {
    try await LoopbackServer.with { request in
      request.path == "/away" ? .redirect(to: "/to") : .json("1")
    } run: { server in
      try await ProviderDriver.with { provider in
        for id in 1...100 as ClosedRange<UInt64> {
          try provider.send(id, ["method": "GET", "url": .string(server.url + "/away")])
          if id > 2 { try provider.child.writeLine(#"{"kind":"cancel","id":\#(id - 2)}"#) }
        }
        var answered: Set<UInt64> = []
        for _ in 1...100 {
          let message = try provider.next()
          guard case .number(let number) = message["id"] else {
            Issue.record("no id: \(message)")
            continue
          }
          #expect(answered.insert(UInt64(number.description) ?? 0).inserted)
          #expect(message["kind"] == "reply" || message["code"] == "cancelled", "\(message)")
        }
        #expect(answered == Set(1...100))
      }
    }
  }

  @Test func `ignores a second start of an open request, and says so`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { _ in
      .json("1", gate: gate)
    } run: { server in
      try await ProviderDriver.with { provider in
        let value: JSONValue = ["method": "GET", "url": .string(server.url)]
        try provider.send(1, value)
        try provider.send(1, value)
        try #expect(provider.next()["kind"] == "log")
        gate.open()
        try #expect(provider.next()["kind"] == "reply")
      }
      #expect(server.requests.count == 1)
    }
  }

  static let unreadable: [(String, String)] = [
    ("oops", "log"), ("{", "log"), ("[]", "log"), ("1", "log"), ("{}", "log"),
    (#"{"kind":"request"}"#, "log"), (#"{"kind":"cancel"}"#, "log"),
    (#"{"kind":"cancel","id":-1}"#, "log"), (#"{"kind":"cancel","id":"1"}"#, "log"),
    (#"{"kind":"cancel","id":18446744073709551616}"#, "log"),
    (#"{"kind":"cancel","id":1.5}"#, "log"),
    ("\u{0}", "log"), ("{\"id\":1}{\"id\":2}", "log"),
    (#"{"id":1}"#, "failed"), (#"{"kind":"dance","id":1}"#, "failed"),
    (#"{"kind":5,"id":1}"#, "failed"), (#"{"kind":"request","id":1}"#, "failed"),
    (#"{"kind":"request","id":1,"effect":5}"#, "failed"),
    (#"{"kind":"request","id":1,"effect":"ftp","value":{}}"#, "failed"),
    (#"{"kind":"request","id":1,"effect":"http"}"#, "invalid-request"),
  ]

  @Test func `reports a line that it can't read, and goes on`() async throws {
    try await ProviderDriver.with { provider in
      for (line, expected) in Self.unreadable {
        try provider.child.writeLine(line)
        let message = try provider.next()
        let kind = message["kind"]?.stringValue
        #expect((kind == "log" ? "log" : message["code"]?.stringValue) == expected, "\(line)")
        #expect(message["id"] == (kind == "log" ? nil : 1), "\(line)")
      }
      try provider.child.write([0xff, 0xfe, 0x0a])
      try #expect(provider.next()["level"] == "warning")
      try provider.child.writeLine("")
      try provider.child.write(Array("  \r\n".utf8))
    }
  }

  @Test func `takes line ends of Windows, members it doesn't know, and a last line without end`()
    async throws
  {
    let input = "{\"kind\":\"dance\",\"id\":1,\"new\":[]}\r\n{\"kind\":\"dance\",\"id\":2}"
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost-http"), environment: [:], input: .text(input))
    #expect(output.status == .success)
    #expect(output.lines.count == 2)
    #expect(output.lines.allSatisfy { $0.contains("unknown kind") })
  }

  @Test func `ends at once when its input ends, with requests open`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { _ in
      .json("1", gate: gate)
    } run: { server in
      try await ProviderDriver.with { provider in
        for id in 1...5 as ClosedRange<UInt64> {
          try provider.send(id, ["method": "GET", "url": .string(server.url)])
        }
        try server.waitForRequests(5)
      }
    }
  }

  @Test func `ends when nobody reads its answers any more`() async throws {
    let provider = try BuildProducts.executable("vmhost-http")
    let output = try await ChildProcess.run(
      "/bin/bash", ["-c", "yes oops | \"$0\" | true; echo ${PIPESTATUS[1]}", provider],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(output.stdout == "1\n")
    #expect(output.stderr == "")
  }
}
