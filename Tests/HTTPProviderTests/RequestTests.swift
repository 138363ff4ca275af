import CanonicalJSON
import TestSupport
import Testing

struct RequestTests {
  /// What the plugin asks with, and what the server gets.
  struct Case: Sendable, CustomTestStringConvertible {
    let value: JSONValue
    let type: String?
    let body: String
    var testDescription: String { value.canonicalText }
  }

  static let cases = [
    Case(
      value: ["body": ["b": 1, "a": 0.50]], type: "application/json", body: #"{"a":0.5,"b":1}"#),
    Case(value: ["body": .null], type: "application/json", body: "null"),
    Case(value: ["text": "né"], type: "text/plain; charset=utf-8", body: "né"),
    Case(value: ["base64": "YWJj"], type: "application/octet-stream", body: "abc"),
    Case(
      value: ["text": "a=1", "headers": ["Content-Type": "application/x-www-form-urlencoded"]],
      type: "application/x-www-form-urlencoded", body: "a=1"),
    Case(value: ["text": ""], type: "text/plain; charset=utf-8", body: ""),
    Case(value: [:], type: nil, body: ""),
  ]

  @Test(arguments: cases, ["POST", "PUT", "PATCH", "DELETE", "QUERY"])
  func `sends each form of body`(_ example: Case, _ method: String) async throws {
    try await LoopbackServer.with { _ in
      .json("{}")
    } run: { server in
      try await ProviderDriver.with { provider in
        var value = try #require(example.value.objectValue)
        value["method"] = .string(method)
        value["url"] = .string(server.url + "/p?q=%20&r=a+b")
        try #expect(provider.fetch(.object(value))["status"] == 200)
      }
      let request = try #require(server.requests.first)
      #expect(request.method == method)
      #expect(request.target == "/p?q=%20&r=a+b")
      #expect(request.header("content-type") == example.type)
      #expect(request.text == example.body)
    }
  }

  @Test func `sends the headers it is given, and a name of its own`() async throws {
    try await LoopbackServer.with { _ in
      .json("{}")
    } run: { server in
      try await ProviderDriver.with { provider in
        _ = try provider.get(server.url)
        let headers: JSONValue = ["X-Thing": "né, \"b\"", "User-Agent": "mine", "X-Empty": ""]
        _ = try provider.fetch(["method": "GET", "url": .string(server.url), "headers": headers])
      }
      #expect(server.requests[0].header("user-agent") == "vmhost-http")
      #expect(server.requests[0].header("content-type") == nil)
      #expect(server.requests[1].header("user-agent") == "mine")
      #expect(server.requests[1].header("x-thing") == "né, \"b\"")
      #expect(server.requests[1].header("x-empty") == "")
    }
  }

  @Test func `asks with HEAD and takes the length as a header, not as a body`() async throws {
    try await LoopbackServer.with { _ in
      .text(String(repeating: "x", count: 3000))
    } run: { server in
      try await ProviderDriver.with(environment: ["VMHOST_HTTP_MAX_BODY": "10"]) { provider in
        let value = try provider.fetch(["method": "HEAD", "url": .string(server.url)])
        #expect(value["headers"]?["content-length"] == "3000")
        #expect(value["text"] == "")
      }
      #expect(server.requests[0].method == "HEAD")
    }
  }

  @Test func `sends a large body whole`() async throws {
    let text = String(repeating: "0123456789", count: 300_000)
    try await LoopbackServer.with { _ in
      .json("{}")
    } run: { server in
      try await ProviderDriver.with { provider in
        _ = try provider.fetch(
          ["method": "POST", "url": .string(server.url), "text": .string(text)])
      }
      #expect(server.requests[0].text == text)
    }
  }

  static let invalidRequests: [JSONValue] = [
    .null, [], "http://127.0.0.1/",
    ["method": "GET"], ["url": "http://127.0.0.1/"],
    ["method": "", "url": "http://127.0.0.1/"], ["method": 1, "url": "http://127.0.0.1/"],
    ["method": "GE T", "url": "http://127.0.0.1/"],
    ["method": "GET\r\nX: y", "url": "http://127.0.0.1/"],
    ["method": "CONNECT", "url": "http://127.0.0.1/"],
    ["method": "GET", "url": .null], ["method": "GET", "url": 5],
    ["method": "GET", "url": "http://127.0.0.1/", "extra": 1],
    ["method": "GET", "url": "http://127.0.0.1/", "text": "a"],
    ["method": "HEAD", "url": "http://127.0.0.1/", "body": 1],
    ["method": "POST", "url": "http://127.0.0.1/", "text": "a", "body": 1],
    ["method": "POST", "url": "http://127.0.0.1/", "text": "a", "base64": ""],
    ["method": "POST", "url": "http://127.0.0.1/", "text": 1],
    ["method": "POST", "url": "http://127.0.0.1/", "base64": "%"],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": []],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["a": 1]],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["a b": "c"]],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["": "c"]],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["a": "b\r\nc: d"]],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["a": "1", "A": "2"]],
    ["method": "GET", "url": "http://127.0.0.1/", "headers": ["Content-Length": "3"]],
    ["method": "GET", "url": "http://127.0.0.1/", "timeout": 5],
    ["method": "GET", "url": "http://127.0.0.1/", "timeout": "5"],
    ["method": "GET", "url": "http://127.0.0.1/", "timeout": "-5s"],
    ["method": "GET", "url": "http://127.0.0.1/", "timeout": "99999999999999999h"],
  ]

  @Test func `refuses a request that is not as documented`() async throws {
    try await ProviderDriver.with { provider in
      for value in Self.invalidRequests {
        try #expect(provider.errorCode(value) == "invalid-request", "\(value)")
      }
    }
  }

  static let invalidURLs = [
    "", "/", "movies", "//127.0.0.1/", "127.0.0.1:80", "ftp://127.0.0.1/", "file:///etc/passwd",
    "data:text/plain,a", "http:", "http://", "http:///path", "http://?q", "https:127.0.0.1",
    "http://127.0.0.1/a b", "http://127.0.0.1:99999/", "http://127.0.0.1:0/", "http://[::1]/",
    "http://a b/", "http://127.0.0.1/né", "http://127.0.0.1/%", "http://127.0.0.1/\r\nHost: x",
    "http://127.0.0.1:8o/", "http://[", "javascript:alert(1)", "http://\u{0}/",
  ]

  @Test func `refuses a URL that is none of http or https`() async throws {
    try await ProviderDriver.with { provider in
      for url in Self.invalidURLs {
        try #expect(provider.errorCode(get: url) == "invalid-url", "\(url)")
      }
    }
  }

  @Test func `survives a URL and a header of a million bytes`() async throws {
    let long = String(repeating: "x", count: 1_000_000)
    try await LoopbackServer.with { _ in
      .json("1")
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.get(server.url + "/" + long)["body"] == 1)
        let headers: JSONValue = ["x-long": .string(long)]
        let value: JSONValue = ["method": "GET", "url": .string(server.url), "headers": headers]
        try #expect(provider.fetch(value)["body"] == 1)
      }
      #expect(server.requests[0].path.utf8.count == 1_000_001)
      #expect(server.requests[1].header("x-long") == long)
    }
  }
}
