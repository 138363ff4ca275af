import CanonicalJSON
import TestSupport
import Testing

struct AnswerTests {
  /// What the server sends, and what the value has beside `headers` and `status`.
  struct Case: Sendable, CustomTestStringConvertible {
    let type: String?
    let body: [UInt8]
    let expected: JSONValue

    init(_ type: String?, _ body: String, _ expected: JSONValue) {
      self.init(type, Array(body.utf8), expected)
    }

    init(_ type: String?, _ body: [UInt8], _ expected: JSONValue) {
      (self.type, self.body, self.expected) = (type, body, expected)
    }

    var testDescription: String { "\(type ?? "no type"): \(expected)" }
  }

  static let cases = [
    Case(
      "application/json", "{\"b\":1,\"a\":[true,null]}", ["body": ["a": [true, .null], "b": 1]]),
    Case("application/json; charset=utf-8", " \"text\" ", ["body": "text"]),
    Case("application/vnd.api+json", "[]", ["body": []]),
    Case("Application/JSON", "null", ["body": .null]),
    Case("application/json", "{oops", ["text": "{oops"]),
    Case("application/json", "{\"a\":1,\"a\":2}", ["text": "{\"a\":1,\"a\":2}"]),
    Case("application/json", [0xff, 0xfe], ["base64": "//4="]),
    Case("application/json", "", ["text": ""]),
    Case("text/plain", "naïve\n\u{0}", ["text": "naïve\n\u{0}"]),
    Case("text/html; charset=iso-8859-1", [0x6e, 0xe9], ["base64": "buk="]),
    Case("application/xml; charset=UTF-8", "<a/>", ["text": "<a/>"]),
    Case("application/xml", "<a/>", ["base64": "PGEvPg=="]),
    Case("image/png", [0, 1, 2, 255], ["base64": "AAEC/w=="]),
    Case("image/png", "", ["text": ""]),
    Case(nil, "plain", ["base64": "cGxhaW4="]),
  ]

  @Test(arguments: cases)
  func `gives a body as JSON, text or base64`(_ example: Case) async throws {
    try await LoopbackServer.with { _ in
      let headers = example.type.map { [(name: "Content-Type", value: $0)] } ?? []
      return HTTPResponse(headers: headers, body: example.body)
    } run: { server in
      try await ProviderDriver.with { provider in
        var value = try #require(try provider.get(server.url).objectValue)
        #expect(value.removeValue(forKey: "status") == 200)
        #expect(value.removeValue(forKey: "headers") != nil)
        #expect(JSONValue.object(value) == example.expected)
      }
    }
  }

  @Test func `keeps every digit of integers, and writes canonical JSON`() async throws {
    let sent = """
      {"z": 123456789012345678901234567890, "i": -9007199254740993, "d": 0.1000,
       "e": 1e2, "s": "\\u00e9\\/"}
      """
    try await LoopbackServer.with { _ in
      .json(sent)
    } run: { server in
      try await ProviderDriver.with { provider in
        try provider.send(
          18_446_744_073_709_551_615, ["method": "GET", "url": .string(server.url)])
        let line = try #require(try provider.child.readLine())
        let body = """
          {"d":0.1,"e":100,"i":-9007199254740993,"s":"é/","z":123456789012345678901234567890}
          """
        let start = #"{"kind":"reply","id":18446744073709551615,"value":{"body":"# + body
        #expect(line.hasPrefix(start + #","headers":{"content-length":"#), "\(line)")
        #expect(line.hasSuffix(#""content-type":"application/json"},"status":200}}"#), "\(line)")
      }
    }
  }

  @Test func `gives headers in lower case, with repeated ones joined`() async throws {
    let headers = [
      (name: "X-One", value: "First; A=b"), (name: "x-one", value: "second"),
      (name: "Set-Cookie", value: "a=1"), (name: "Set-Cookie", value: "b=2"),
      (name: "X-Empty", value: ""), (name: "X-Unicode", value: "né"),
    ]
    try await LoopbackServer.with { _ in
      HTTPResponse(headers: headers)
    } run: { server in
      try await ProviderDriver.with { provider in
        let expected: JSONValue = [
          "content-length": "0", "set-cookie": "a=1, b=2", "x-empty": "",
          "x-one": "First; A=b, second", "x-unicode": "né",
        ]
        for _ in 1...2 {
          let headers = try provider.get(server.url)["headers"]
          #expect(headers == expected)
        }
      }
      // No cookie comes back: each request stands alone.
      #expect(server.requests.allSatisfy { $0.header("cookie") == nil })
    }
  }

  @Test(arguments: [201, 204, 304, 400, 401, 404, 407, 418, 500, 503])
  func `gives any status as a reply`(_ status: Int) async throws {
    try await LoopbackServer.with { _ in
      var response = HTTPResponse.text("why", status: status)
      response.headers.append(("WWW-Authenticate", "Basic realm=\"test\""))
      return response
    } run: { server in
      try await ProviderDriver.with { provider in
        let value = try provider.get(server.url)
        #expect(value["status"] == .number(JSONNumber(status)))
        #expect(value["text"] == (status == 204 || status == 304 ? "" : "why"))
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `takes interim answers and chunked bodies`() async throws {
    let raw = """
      HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
      HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n\
      3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n
      """
    try await LoopbackServer.with { _ in
      HTTPResponse(behaviour: .raw(Array(raw.utf8)))
    } run: { server in
      try await ProviderDriver.with { provider in
        let value = try provider.get(server.url)
        #expect(value["status"] == 200)
        #expect(value["text"] == "abcde")
      }
    }
  }

  @Test(arguments: [
    String(repeating: "[", count: 255) + String(repeating: "]", count: 255),
    "{\"e\u{301}\":1,\"\u{E9}\":2}",
  ])
  func `gives JSON that a line can't hold as text`(_ sent: String) async throws {
    try await LoopbackServer.with { _ in
      .json(sent)
    } run: { server in
      try await ProviderDriver.with { provider in
        try provider.send(1, ["method": "GET", "url": .string(server.url)])
        let line = Array(try #require(try provider.child.readLine()).utf8)
        let reply = try JSONValue(parsing: line.span)
        #expect(reply["value"]?["text"] == .string(sent))
      }
    }
  }

  @Test func `unpacks a gzip body`() async throws {
    let packed = try await ChildProcess.run("/bin/gzip", ["-c"], input: .text("[1,2]")).stdoutBytes
    try await LoopbackServer.with { _ in
      HTTPResponse(
        headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], body: packed)
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.get(server.url)["body"] == [1, 2])
      }
    }
  }
}
