import CanonicalJSON
import TestSupport
import Testing

struct ProxyTests {
  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `asks the proxy that the environment names`(_ variable: String) async throws {
    try await LoopbackServer.with { _ in
      .json("\"by proxy\"")
    } run: { proxy in
      try await ProviderDriver.with(environment: [variable: proxy.url]) { provider in
        try #expect(provider.get("http://movies.invalid/list?q=1")["body"] == "by proxy")
      }
      #expect(proxy.requests.map(\.target) == ["http://movies.invalid/list?q=1"])
      #expect(proxy.requests[0].header("host") == "movies.invalid")
    }
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY"])
  func `asks the proxy for a tunnel`(_ variable: String) async throws {
    try await LoopbackServer.with { _ in
      .text("no", status: 403)
    } run: { proxy in
      try await ProviderDriver.with(environment: [variable: proxy.url]) { provider in
        try #expect(["failed", "offline"].contains(provider.errorCode(get: "https://a.invalid/")))
      }
      #expect(proxy.requests.map(\.method) == ["CONNECT"])
      #expect(proxy.requests.map(\.target) == ["a.invalid:443"])
    }
  }

  @Test(arguments: ["no_proxy", "NO_PROXY"])
  func `goes past the proxy where the environment says so`(_ variable: String) async throws {
    try await LoopbackServer.with { _ in
      .close
    } run: { proxy in
      try await LoopbackServer.with { _ in
        .json("\"direct\"")
      } run: { server in
        let environment = ["http_proxy": proxy.url, variable: "localhost,127.0.0.1"]
        try await ProviderDriver.with(environment: environment) { provider in
          try #expect(provider.get(server.url)["body"] == "direct")
        }
      }
      #expect(proxy.requests.isEmpty)
    }
  }

  @Test func `is offline when the proxy is away`() async throws {
    try await RefusedPort.with { port in
      let environment = ["http_proxy": "http://127.0.0.1:\(port)"]
      try await ProviderDriver.with(environment: environment) { provider in
        try #expect(provider.errorCode(get: "http://movies.invalid/") == "offline")
      }
    }
  }
}
