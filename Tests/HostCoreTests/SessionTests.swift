import CanonicalJSON
import HostCore
import TestSupport
import Testing

extension InProcessTests {
  struct SessionTests {
    // MARK: Instances

    @Test func `opening shows each state once, in the manifest's order`() throws {
      let test = try TestSession("brokenfixture")
      let events = try test.open("broken")
      #expect(events.count == 2)
      #expect(events[0].hasPrefix("< info {"))
      #expect(events[1] == "< second 2")
      #expect(try test.frame(of: "broken")[1] == "2")
    }

    @Test func `the frame keeps the latest value of each state`() throws {
      let test = try TestSession.broken()
      try test.emit("16 0 second 3", "16 0 second {\"b\":1,\"a\":2}", "16 0 said 9")
      #expect(try test.frame(of: "broken")[1] == "{\"a\":2,\"b\":1}")
    }

    @Test func `a handle is the view model's last part, or what one likes`() throws {
      let test = try TestSession("movies", "echo")
      try test.open("movies.list")
      try test.open("movies.list", as: "other-list_2")
      try test.open("echo")
      #expect(test.session.instances.map(\.handle) == ["list", "other-list_2", "echo"])
      try test.session.close("list")
      #expect(test.session.instances.map(\.handle) == ["other-list_2", "echo"])
      try test.open("movies.list")
      #expect(test.session.instances.map(\.handle) == ["other-list_2", "echo", "list"])
    }

    private static let refusals: [(@Sendable (TestSession) throws -> Void, RefusalCode, String)] = [
      (
        { try $0.open("nothing") }, .unknownViewModel,
        "there is no view model \"nothing\". There are: \"echo\"."
      ),
      (
        { try $0.open("ehco") }, .unknownViewModel,
        "there is no view model \"ehco\". Did you mean \"echo\"?"
      ),
      (
        { try $0.open("echo") }, .handleTaken,
        "the handle \"echo\" is taken. Open the second one under another handle, such as"
          + " \"echo2\"."
      ),
      (
        { try $0.open("echo", as: "1st") }, .syntax,
        "\"1st\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
      ),
      (
        { try $0.open("echo", as: "a.b") }, .syntax,
        "\"a.b\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
      ),
      (
        { try $0.open("echo", as: "") }, .syntax,
        "\"\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
      ),
      (
        { try $0.open("echo", as: "e", config: "[]") }, .config,
        "the config of echo must be a JSON object."
      ),
      (
        { try $0.session.close("eco") }, .unknownInstance,
        "there is no instance \"eco\". Did you mean \"echo\"?"
      ),
      ({ try $0.reply(1, "1") }, .unknownRequest, "echo has no open request 1: it has made none."),
      (
        { try $0.open("echo", as: "e", config: "{\"a\":[\"$secret:tmdb\"]}") }, .config,
        "the config names the secret \"tmdb\", which is not given. Put it into a variable of the"
          + " environment and add --secret tmdb=VARIABLE."
      ),
    ]

    @Test(arguments: refusals.indices)
    func `what makes no sense is refused in words and changes nothing`(_ index: Int) throws {
      let test = try TestSession("echo")
      try test.open("echo")
      let found = #expect(throws: SessionError.self) { try Self.refusals[index].0(test) }
      #expect(found?.refusal == Self.refusals[index].1)
      #expect(found?.description == Self.refusals[index].2)
      #expect(test.session.instances.map(\.handle) == ["echo"])
      #expect(try test.send("say", "1") == ["< said 1"])
    }

    @Test func `a plugin can't be there twice`() throws {
      let words = words { _ = try TestSession("echo", "echo") }
      #expect(words == "\"echo.so\" and \"echo.so\" are both the plugin \"echo\".")
    }

    @Test func `events of a closed instance still name it`() throws {
      let test = try TestSession.broken()
      try test.emit("17 9 http {}")
      try test.session.close("broken")
      let record = try #require(test.session.events.records.last)
      #expect(record.kind == .cancel)
      #expect(test.session.handle(of: record) == "broken")
    }

    @Test func `what an instance is made from arrives`() throws {
      var options = SessionEngine.Options()
      options.seed = 7
      options.epoch = 1_767_225_600_000_000_000
      options.locale = "de_AT"
      options.timeZone = "Europe/Vienna"
      let test = try TestSession("brokenfixture", options: options)
      try test.advance(to: 1_500)
      let info = try #require(try test.open("broken", config: "{\"b\":1, \"a\":2}").first)
      #expect(
        info.hasPrefix(
          "< info {\"config\":{\"a\":2,\"b\":1,\"key\":\"SECRET_key\"},"
            + "\"epoch\":1767225600000000000,"))
      #expect(info.contains("\"locale\":\"de_AT\""))
      #expect(info.hasSuffix("\"time\":1500,\"timeZone\":\"Europe/Vienna\"}"))
      test.session.configure { $0.locale = "fr" }
      #expect(try test.open("broken", as: "second")[0].contains("\"locale\":\"fr\""))
    }

    // MARK: Inputs

    @Test func `inputs keep their order over two plugins`() throws {
      let test = try TestSession("echo", "brokenfixture")
      try test.open("echo")
      try test.open("broken")
      for number in 0..<50 {
        let value = "\"16 0 said \(number)\""
        if number % 3 == 0 {
          try test.queue("emit", value, to: "broken")
        } else {
          try test.queue("say", "\(number)", to: "echo")
        }
      }
      try test.flush()
      let expected = (0..<50).map { "< \($0 % 3 == 0 ? "broken" : "echo").said \($0)" }
      #expect(test.events() == expected)
    }

    @Test(arguments: [0, 1, 25, 49])
    func `a refusal among queued inputs delivers exactly what came before`(_ place: Int) throws {
      let test = try TestSession.broken()
      for number in 0..<50 {
        try test.queue(
          "emit", number == place ? "1" : "\"16 0 said \(number)\"", tag: UInt64(number + 1))
      }
      let found = #expect(throws: SessionError.self) { try test.flush() }
      #expect(found?.description == "broken refused \"emit\": it can't use this value")
      #expect(found?.tag == UInt64(place + 1))
      #expect(test.events() == (0..<place).map { "< said \($0)" })
      try test.flush()
      #expect(test.events() == [])
    }

    // MARK: Requests

    @Test func `requests are numbered from 1 as users see them`() throws {
      let test = try TestSession.broken()
      let events = try test.emit(
        "17 70 http {\"b\":1,\"a\":2}", "17 5 timer {\"after\":\"1s\"}",
        "17 6 storage.get {\"key\":\"k\"}", "17 12 printer", "17 3 http []")
      #expect(
        events == [
          "? 1 http {\"a\":2,\"b\":1}", "? 2 printer", "? 3 http []",
          heard("storage.get", 6, "null"),
        ])
      #expect(test.session.oldestOpenRequest != nil)
      // Each instance counts for itself.
      try test.open("broken", as: "other")
      #expect(try test.emit("17 1 http {}", from: "other") == ["? other.1 http {}"])
    }

    @Test func `a reply goes to its request, once, with the plugin's own id`() throws {
      let test = try TestSession.broken()
      try test.emit("17 70 http {}", "17 12 printer {}")
      #expect(try test.reply(2, "[1]") == [heard("printer", 12, "[1]")])
      #expect(try test.reply(1, "") == [heard("http", 70, "\"none\"")])
      #expect(test.session.oldestOpenRequest == nil)
      #expect(
        words { try test.reply(2, "1") }
          == "broken has no open request 2: that request is already answered. None is open.")
    }

    @Test func `a failure arrives as code and message`() throws {
      let test = try TestSession.broken()
      try test.emit("17 70 http {}")
      let instance = try test.session.instance("broken")
      try test.session.fail(instance, 1, code: "offline", message: "no \"route\"")
      let value = "{\"code\":\"offline\",\"message\":\"no \\\"route\\\"\"}"
      #expect(test.events() == [heard("http", 70, value, kind: 3)])
    }

    @Test func `a plugin's cancel is shown and its reply refused`() throws {
      let test = try TestSession.broken()
      try test.emit("17 70 http {}", "17 71 http {}")
      #expect(try test.emit("18 70 http") == ["x 1 http"])
      #expect(
        words { try test.reply(1, "1") }
          == "broken has no open request 1: it cancelled that request. Open: 2 http.")
      // The id is free again, and the user's number is not used twice.
      #expect(try test.emit("17 70 http {}") == ["? 3 http {}"])
    }

    @Test func `closing cancels what is open, in order, but not what nobody sees`() throws {
      let test = try TestSession.broken()
      try test.emit(
        "17 9 http {}", "17 8 timer {\"after\":\"1s\"}", "17 7 printer {}", "17 6 http {}")
      try test.reply(2, "1")
      try test.session.close("broken")
      #expect(test.events() == ["x 1 http", "x 3 http"])
      #expect(test.session.nextDeadline == nil)
      #expect(test.session.oldestOpenRequest == nil)
    }

    @Test func `an effect of the engine can be answered from outside instead`() throws {
      var options = SessionEngine.Options()
      options.recorded = ["timer", "storage.get"]
      let test = try TestSession.broken(options: options)
      let events = try test.emit(
        "17 1 timer {\"after\":\"1s\"}", "17 2 storage.get {\"key\":\"a\"}",
        "17 3 storage.set {\"key\":\"a\",\"value\":1}")
      #expect(
        events == [
          "? 1 timer {\"after\":\"1s\"}", "? 2 storage.get {\"key\":\"a\"}",
          heard("storage.set", 3, "\"none\""),
        ])
      #expect(test.session.nextDeadline == nil)
      #expect(try test.reply(1, "") == [heard("timer", 1, "\"none\"")])
    }

    // MARK: Logs

    @Test func `logs and faults have their places among the outputs`() throws {
      let test = try TestSession.broken()
      let events = try test.emit(
        "19 0 debug \"a\"", "16 0 said 1", "20 0 go \"it broke\"", "16 0 rang")
      #expect(events == ["# debug \"a\"", "< said 1", "# go \"it broke\"", "< rang"])
    }
  }
}

/// What `broken` says of an answer that it got.
func heard(
  _ effect: String, _ id: UInt64, _ value: String, kind: Int = 2, at time: Nanoseconds = 0,
  by handle: String? = nil
) -> String {
  let name = handle.map { "\($0).heard" } ?? "heard"
  return "< \(name) {\"effect\":\"\(effect)\",\"id\":\(id),\"kind\":\(kind),\"time\":\(time),"
    + "\"value\":\(value)}"
}
