import CanonicalJSON
import TestSupport
import Testing

struct RedirectTests {
  /// Answers `/from` with a redirect to `location`, all else with JSON.
  private static func redirecting(
    _ status: Int, to location: String
  ) -> LoopbackServer.Handler {
    { $0.path == "/from" ? .redirect(to: location, status: status) : .json("\"there\"") }
  }

  static let methods: [(Int, String, String)] = [
    (301, "GET", "GET"), (302, "GET", "GET"), (303, "GET", "GET"), (307, "GET", "GET"),
    (308, "GET", "GET"), (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"),
    (307, "POST", "POST"), (308, "POST", "POST"), (303, "PUT", "GET"), (302, "PUT", "PUT"),
  ]

  @Test(arguments: methods)
  func `follows with the method that the status asks for`(
    _ status: Int, _ method: String, _ expected: String
  ) async throws {
    try await LoopbackServer.with(Self.redirecting(status, to: "/to?q=1")) { server in
      try await ProviderDriver.with { provider in
        var value: [String: JSONValue] = [
          "method": .string(method), "url": .string(server.url + "/from"),
          "headers": ["X-Kept": "yes", "Authorization": "secret"],
        ]
        if method != "GET" { value["text"] = "payload" }
        try #expect(provider.fetch(.object(value))["body"] == "there")
      }
      let last = try #require(server.requests.last)
      #expect(server.requests.count == 2)
      #expect(last.method == expected)
      #expect(last.target == "/to?q=1")
      #expect(last.text == (expected == "GET" ? "" : "payload"))
      #expect((last.header("content-type") == nil) == (expected == "GET"))
      #expect(last.header("x-kept") == "yes")
      #expect(last.header("authorization") == "secret")
    }
  }

  @Test func `keeps credentials from another origin`() async throws {
    try await LoopbackServer.with { _ in
      .json("\"there\"")
    } run: { other in
      let location = other.url + "/to"
      try await LoopbackServer.with(Self.redirecting(307, to: location)) { server in
        try await ProviderDriver.with { provider in
          let headers: JSONValue = ["authorization": "secret", "Cookie": "a=1", "X-Kept": "yes"]
          let value: JSONValue = [
            "method": "GET", "url": .string(server.url + "/from"), "headers": headers,
          ]
          try #expect(provider.fetch(value)["body"] == "there")
        }
      }
      let last = try #require(other.requests.last)
      #expect(last.header("authorization") == nil)
      #expect(last.header("cookie") == nil)
      #expect(last.header("x-kept") == "yes")
      #expect(last.header("host") == "127.0.0.1:\(other.port)")
    }
  }

  @Test func `follows ten redirects and no more`() async throws {
    try await LoopbackServer.with { request in
      let left = Int(request.path.dropFirst()) ?? 0
      return left == 0 ? .json("1") : .redirect(to: "/\(left - 1)")
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.get(server.url + "/10")["body"] == 1)
        try #expect(provider.errorCode(get: server.url + "/11") == "failed")
      }
      #expect(server.requests.count == 22)
    }
  }

  @Test func `ends a loop`() async throws {
    try await LoopbackServer.with { _ in
      .redirect(to: "/again")
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.errorCode(get: server.url) == "failed")
      }
      #expect(server.requests.count == 11)
    }
  }

  @Test func `counts the timeout over all redirects`() async throws {
    let gate = try Gate()
    try await LoopbackServer.with { request in
      request.path == "/held" ? .text("late", gate: gate) : .redirect(to: "/held")
    } run: { server in
      try await ProviderDriver.with { provider in
        let value: JSONValue = ["method": "GET", "url": .string(server.url), "timeout": "200ms"]
        try #expect(provider.errorCode(value) == "timeout")
        try server.waitForHangUps(1)
      }
    }
  }

  static let strange = [
    "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http:///x", "//", "//?", "?", "#", " ",
    "http:foo", "\u{1}", "http://a b/", "%", "http://[::1/", "/%2Fa", "//a:b:c/", "http://:80/",
    "javascript:1", "/a b", "http://127.0.0.1:99999/", "\u{ff}\u{fe}", "///", "http://é/", ":",
    "::",
  ]

  @Test(arguments: strange)
  func `survives a strange place to go to`(_ location: String) async throws {
    try await LoopbackServer.with(Self.redirecting(302, to: location)) { server in
      try await ProviderDriver.with { provider in
        let message = try provider.answer(["method": "GET", "url": .string(server.url + "/from")])
        #expect(message["id"] == 1)
        try #expect(provider.get(server.url + "/good")["body"] == "there")
      }
    }
  }

  @Test func `gives a redirect without a place to go to as the answer`() async throws {
    try await LoopbackServer.with { _ in
      .text("where?", status: 302)
    } run: { server in
      try await ProviderDriver.with { provider in
        try #expect(provider.get(server.url)["status"] == 302)
      }
    }
  }
}
