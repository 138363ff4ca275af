import CanonicalJSON
import TestSupport
import Testing

@testable import HostCore

extension InProcessTests {
  /// What a flow can't do.
  struct FlowFaultTests {
    @Test(arguments: TestSession.Place.allCases)
    func `what a config keeps from opening is a fault, and the session goes on`(
      _ place: TestSession.Place
    ) throws {
      let test = try TestSession.flowing(
        ["brokenfixture", "movies"], in: place,
        flow: """
          "a.said":[{"open":"movies.details","config":{"movie":"$value"}},{"close":"a"}],
          "a.heard":{"open":"movies.list"}
          """)
      let events = try test.emit("16 0 said {\"id\":5}", "16 0 heard 1")
      #expect(events.count == 10)
      #expect(events[...1] == ["< a.said {\"id\":5}", "< a.heard 1"])
      #expect(
        events[2].hasPrefix("# a.said \"movies.details can't take this config: "), "\(events[2])")
      #expect(events[2].hasSuffix(" (f.json:1:53)\""), "\(events[2])")
      // What the other signal leads to is done, and the rest of this one's is not.
      #expect(events[3] == "# opened list: movies.list")
      #expect(try test.emit("16 0 rang", from: "a") == ["< a.rang"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what a plugin refuses to be fed is a fault, of the instance that led to it`(
      _ place: TestSession.Place
    ) throws {
      let test = try TestSession.flowing(
        ["brokenfixture"], in: place,
        flow: "\"a.said\":{\"feed\":\"a.emit\",\"mayRepeat\":true}")
      try test.queue("emit", "\"16 0 heard 1\"")
      try test.queue("emit", "\"16 0 said 1\"")
      try test.queue("emit", "\"16 0 heard 2\"")
      try test.flush()
      #expect(test.session.events.hasFaults)
      #expect(test.session.events.records.map(\.step) == [0, 1, 1, 2])
      #expect(test.session.events.records.map(\.kind) == [.output, .output, .fault, .output])
      let events = test.events()
      #expect(events[2].hasPrefix("# said \"a refused \\\"emit\\\": "), "\(events[2])")
      #expect(events[2].hasSuffix(" (f.json:1:52)\""), "\(events[2])")
    }

    @Test func `what goes on and on is a fault, which drops all that the step would still do`()
      throws
    {
      let test = try TestSession.flowing(
        flow: """
          "a.rang":[{"open":"echo","as":"b"},{"open":"echo"}],
          "a.said":[{"feed":"b.say"},{"feed":"echo.say"}],
          "b.said":{"feed":"b.say","mayRepeat":true},
          "echo.said":{"feed":"echo.say","mayRepeat":true}
          """)
      try test.emit("16 0 rang")
      let events = try test.emit("16 0 said 1", from: "a")
      #expect(events.count == 1002)
      let last = events.suffix(2)
      #expect(
        last == [
          "< echo.said 1",
          "# b.said \"the flow opened, closed or fed more than 1000 times in one step"
            + " (f.json:3:10)\"",
        ])
      // Nothing is broken by it.
      #expect(try test.emit("16 0 heard 1", from: "a") == ["< a.heard 1"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what would be nested too deep is a fault of the flow, and not the plugin's`(
      _ place: TestSession.Place
    ) throws {
      let test = try TestSession.flowing(
        in: place,
        flow: """
          "a.rang":{"open":"echo"},
          "a.said":{"feed":"echo.say"},
          "a.heard":{"open":"broken","as":"b","config":{"deep":["$value"]}},
          "echo.said":[{"feed":"echo.say","value":["$value"],"mayRepeat":true}]
          """)
      try test.emit("16 0 rang")
      let events = try test.emit("16 0 said 1", from: "a")
      #expect(events.count == 259)
      #expect(
        events.last
          == "# echo.said \"the value for echo.say is impossible: expected at most 256 nested"
          + " arrays and objects, found one more (f.json:4:14)\""
      )
      let deepest = String(repeating: "[", count: 253) + String(repeating: "]", count: 253)
      #expect(try test.emit("16 0 heard \(deepest)", from: "a").contains("# opened b: broken"))
      let config = try test.emit("16 0 heard [[\(deepest)]]", from: "a")
      #expect(config.count == 2)
      #expect(
        config[1].hasPrefix(
          "# a.heard \"the config of broken is impossible: "), "\(config[1])")
    }

    @Test func `what would be too large is a fault`() throws {
      let parts = Array(repeating: "\"$value\"", count: 300).joined(separator: ",")
      let test = try TestSession.flowing(
        flow: """
          "a.rang":{"open":"echo"},
          "a.said":[{"feed":"echo.say","value":[\(parts)]},{"feed":"echo.say"}],
          "a.heard":{"feed":"echo.say"}
          """)
      try test.emit("16 0 rang")
      let text = "\"\(String(repeating: "x", count: 1 << 20))\""
      let events = try test.emit("16 0 said \(text)", "16 0 heard 1", from: "a")
      #expect(events.count == 3)
      #expect(events[1] == "< a.heard 1")
      #expect(
        events[2]
          == "# a.said \"the configs and values that the flow gives in one step have more than"
          + " 200000000 bytes. \\\"--limit bytes=SIZE\\\" allows more (f.json:2:11)\""
      )
      // A smaller one is none, and each step has all of it again.
      #expect(try test.emit("16 0 said 1", from: "a").count == 3)
    }

    @Test func `counts the bytes of a step together`() throws {
      var budget = FlowBudget(bytes: 100)
      try budget.take(bytes: 99)
      try budget.check(bytes: 1)
      try budget.take(bytes: 1)
      #expect(!budget.isSpent)
      #expect(throws: SessionError.self) { try budget.take(bytes: 1) }
      #expect(budget.isSpent)
    }

    @Test func `answers and timers that lead to a fault are not in vain`() throws {
      let test = try TestSession.flowing(
        ["kitfixture", "brokenfixture"],
        flow: """
          "a.rang":[{"open":"kit.effects"},{"open":"kit.works"}],
          "effects.result":{"feed":"a.emit","value":1},
          "works.began":{"feed":"a.emit","value":2}
          """)
      try test.emit("16 0 rang", from: "a")
      try test.send("get", "\"http://localhost/\"", to: "effects")
      let answered = try test.reply(
        1, "{\"status\":200,\"headers\":{},\"text\":\"x\"}", to: "effects")
      #expect(answered.last?.hasPrefix("# effects.result \"a refused ") == true, "\(answered)")
      try test.send("debounced", "\"x\"", to: "works")
      let fired = try test.advance(to: 10_000_000_000)
      #expect(fired.contains { $0.hasPrefix("# works.began \"a refused ") }, "\(fired)")
      #expect(test.session.now == 10_000_000_000)
    }

    @Test func `a plugin that breaks its contract ends the session, with the place in the flow`()
      throws
    {
      let test = try TestSession.flowing(
        ["brokenfixture"],
        flow: """
          "a.said":{"feed":"a.emit","value":"16 0 nothing","mayRepeat":true}
          """)
      try test.queue("emit", "\"16 0 said 1\"", tag: 7)
      let error = #expect(throws: SessionError.self) { try test.flush() }
      #expect(error?.code == .contract)
      #expect(error?.stepTag == 7)
      let words = error?.description ?? ""
      #expect(words.hasPrefix("brokenfixture.so broke its contract at the input "), "\(words)")
      #expect(words.hasSuffix(" The signal a.said led to it (f.json:1:52)."), "\(words)")
    }
  }
}
