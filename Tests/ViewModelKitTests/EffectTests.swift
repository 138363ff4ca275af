import PluginABI
import Testing
import ViewModelKit

private struct Place: Codable, Sendable {
  var city: String
}

private final class Effects: ViewModel {
  static let id = "test.effects"

  let getPage = Input<String>()
  let post = Input<String>()
  let getKey = Input<String>()
  let setKey = Input<String>()
  let deleteKey = Input<String>()
  let list = Input<String>()
  let locate = Input<String>()
  let ping = Input<NoValue>()
  let undeclared = Input<NoValue>()
  let result = Signal<String>()
  let bytes = Signal<[UInt8]>()

  let http = HTTP()
  let storage = Storage()
  let geo = Effect<Place, Place>("geo.locate")
  let pinger = Effect<NoValue, NoValue>("ping")
  let work = Work(.queued)

  func start(_ context: Context<NoConfig>) {
    getPage.start(work) { url in
      await self.report {
        let response = try await self.http.get(url, headers: ["accept": "*/*"])
        return self.text(response)
      }
    }
    post.start(work) { kind in
      await self.report { self.text(try await self.http.send(self.request(kind))) }
    }
    getKey.start(work) { key in
      await self.report { try await self.storage.get(key, as: Int.self).map { "\($0)" } ?? "nil" }
    }
    setKey.start(work) { key in
      await self.report {
        try await self.storage.set(key, [1, 2])
        return "set"
      }
    }
    deleteKey.start(work) { key in
      await self.report {
        try await self.storage.delete(key)
        return "deleted"
      }
    }
    list.start(work) { prefix in
      await self.report { try await self.storage.list(prefix: prefix).joined(separator: "|") }
    }
    locate.start(work) { city in
      await self.report { try await self.geo.send(Place(city: city)).city }
    }
    ping.start(work) {
      await self.report {
        try await self.pinger.send()
        return "pong"
      }
    }
    undeclared.start(work) {
      try await Timer().sleep(for: .zero)
    }
  }

  private func report(_ body: () async throws -> String) async {
    do {
      result.emit(try await body())
    } catch {
      result.emit("error \(error)")
    }
  }

  private func request(_ kind: String) -> HTTPRequest {
    var request = HTTPRequest(method: "POST", url: "u")
    switch kind {
    case "json": request.body = .json(Place(city: "Rome"))
    case "value": request.body = .json(JSONValue.array([1, .null]))
    case "text": request.body = .text("hi")
    case "bytes": request.body = .bytes([0, 255, 16, 1])
    default: request.timeout = .seconds(90)
    }
    return request
  }

  private func text(_ response: HTTPResponse) -> String {
    let body: String
    switch response.body {
    case .json(let json):
      let place = Result { try response.decode(Place.self).city }
      body = "json \(String(decoding: json, as: UTF8.self)) \((try? place.get()) ?? "?")"
    case .text(let text): body = "text \(text)"
    case .bytes(let bytes): body = "bytes \(bytes)"
    }
    return "\(response.status) \(response.headers["a"] ?? "-") \(body)"
  }
}

extension KitTests {
  @Suite struct EffectCalls {
    let instance: TestInstance

    init() throws { instance = try TestHost(Effects.self).open("test.effects") }

    @Test(arguments: [
      (
        "getPage", "https://x", "http",
        #"{"headers":{"accept":"*/*"},"method":"GET","url":"https://x"}"#
      ),
      ("post", "json", "http", #"{"body":{"city":"Rome"},"method":"POST","url":"u"}"#),
      ("post", "value", "http", #"{"body":[1,null],"method":"POST","url":"u"}"#),
      ("post", "text", "http", #"{"method":"POST","text":"hi","url":"u"}"#),
      ("post", "bytes", "http", #"{"base64":"AP8QAQ==","method":"POST","url":"u"}"#),
      ("post", "timeout", "http", #"{"method":"POST","timeout":"90s","url":"u"}"#),
      ("getKey", "k", "storage.get", #"{"key":"k"}"#),
      ("setKey", "k", "storage.set", #"{"key":"k","value":[1,2]}"#),
      ("deleteKey", "k", "storage.delete", #"{"key":"k"}"#),
      ("list", "a.", "storage.list", #"{"prefix":"a."}"#),
      ("locate", "Rome", "geo.locate", #"{"city":"Rome"}"#),
    ])
    func `a call is a request`(input: String, value: String, effect: String, json: String) throws {
      #expect(try instance.input(input, "\"\(value)\"") == ["? 1 \(effect) \(json)"])
    }

    @Test func `a call without value is a request without value`() throws {
      #expect(try instance.input("ping") == ["? 1 ping"])
      #expect(try instance.reply(1, "ping") == ["< result \"pong\""])
    }

    @Test(arguments: [
      (
        "getPage", "http", #"{"body":{"city":"Rome"},"headers":{"a":"b"},"status":200}"#,
        #"200 b json {"city":"Rome"} Rome"#
      ),
      ("getPage", "http", #" { "status" : 500 , "body" : [ ] } "#, "500 - json [ ] ?"),
      ("getPage", "http", #"{"body":null,"status":200}"#, "200 - json null ?"),
      ("getPage", "http", #"{"status":200,"text":"hé"}"#, "200 - text hé"),
      ("getPage", "http", #"{"status":204}"#, "204 - text "),
      ("getPage", "http", #"{"status":200,"base64":"AP8QAQ=="}"#, "200 - bytes [0, 255, 16, 1]"),
      ("getKey", "storage.get", "3", "3"),
      ("getKey", "storage.get", "null", "nil"),
      ("setKey", "storage.set", "", "set"),
      ("setKey", "storage.set", "null", "set"),
      ("deleteKey", "storage.delete", "", "deleted"),
      ("list", "storage.list", #"["a","b"]"#, "a|b"),
      ("locate", "geo.locate", #"{"city":"Roma","extra":1}"#, "Roma"),
    ])
    func `a reply comes back as a value`(
      input: String, effect: String, reply: String, result: String
    ) throws {
      _ = try instance.input(input, "\"x\"")
      let expected = JSONValue.string(result).canonicalText
      #expect(try instance.reply(1, effect, reply) == ["< result \(expected)"])
    }

    @Test(arguments: [
      ("getPage", "http", ""), ("getPage", "http", "[]"), ("getPage", "http", "{}"),
      ("getPage", "http", #"{"status":"200"}"#), ("getPage", "http", #"{"status":1,"base64":"_"}"#),
      ("getPage", "http", #"{"status":1,"headers":[]}"#), ("getKey", "storage.get", "\"x\""),
      ("getKey", "storage.get", ""), ("setKey", "storage.set", "1"),
      ("list", "storage.list", "[1]"),
      ("locate", "geo.locate", "{}"),
    ])
    func `a reply of the wrong shape is thrown as invalid-reply`(
      input: String, effect: String, reply: String
    ) throws {
      _ = try instance.input(input, "\"x\"")
      let lines = try instance.reply(1, effect, reply)
      #expect(
        lines.first?.hasPrefix(
          "< result \"error invalid-reply: The reply to \\\"\(effect)\\\" can't be used: ") == true,
        "\(lines)")
    }

    @Test func `an error is thrown with its code`() throws {
      _ = try instance.input("getPage", "\"x\"")
      #expect(
        try instance.fail(1, "http", code: "offline") == ["< result \"error offline: no luck\""])
    }

    @Test(arguments: ["{", "1 2", "\"", "nul"])
    func `a reply that isn't JSON is refused, and the request stays open`(json: String) throws {
      _ = try instance.input("getKey", "\"x\"")
      let refused = try refusal { _ = try instance.reply(1, "storage.get", json) }
      #expect(refused.status == Int(VM_E_VALUE))
      #expect(try instance.reply(1, "storage.get", "7") == ["< result \"7\""])
    }

    @Test(arguments: ["", "{}", "{\"code\":1,\"message\":\"\"}", "[]", "{"])
    func `a malformed error is refused, and the request stays open`(json: String) throws {
      _ = try instance.input("getKey", "\"x\"")
      let refused = try refusal {
        try instance.send(kind: Int(VM_ERROR), id: 1, "storage.get", json)
      }
      #expect(refused.status == Int(VM_E_VALUE))
      #expect(try instance.reply(1, "storage.get", "7") == ["< result \"7\""])
    }

    @Test func `an answer to no open request is refused`() throws {
      _ = try instance.input("getKey", "\"x\"")
      #expect(
        try refusal { _ = try instance.reply(2, "storage.get", "1") }.status == Int(VM_E_ID))
      #expect(
        try refusal { _ = try instance.reply(1, "http", "1") }
          == Refused(
            status: Int(VM_E_ID),
            message: """
              The request 1 of "test.effects" is for "storage.get", not "http".
              """))
      _ = try instance.reply(1, "storage.get", "1")
      #expect(
        try refusal { _ = try instance.reply(1, "storage.get", "1") }.status == Int(VM_E_ID))
      #expect(
        try refusal { _ = try instance.fail(1, "storage.get", code: "x") }.status == Int(VM_E_ID))
    }

    @Test func `an effect that is no stored property says so`() throws {
      let lines = try instance.input("undeclared")
      #expect(lines.last?.hasPrefix("fault undeclared \"not-declared: The effect") == true)
    }
  }
}
