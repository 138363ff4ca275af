import HostCore
import TestSupport
import Testing

extension InProcessTests {
  /// Plugins that break their promises at run time, and what the session says of it, wherever
  /// they run.
  struct ContractTests {
    private static let prefix = "brokenfixture.so broke its contract: broken (broken): "
    private static let prefixAtGo =
      "brokenfixture.so broke its contract at the input \"go\": broken (broken): "

    @Test(
      arguments: [
        ("view-model", "it has no such view model (and its manifest says otherwise)"),
        ("view-model-words", "no such thing here"),
        ("config", "it can't use this config"),
        ("config-words", "config.fault: expected another"),
        ("failed", "it can't go on"),
        ("failed-words", "out of memory"),
        ("unknown", "it returned the status -99"),
        ("positive", "it returned the status 7"),
      ], TestSession.Place.allCases)
    func `a refusal to open has the plugin's words or the status's`(
      _ row: (fault: String, words: String), place: TestSession.Place
    ) throws {
      let (fault, words) = row
      let test = try TestSession("brokenfixture", in: place)
      let found = #expect(throws: SessionError.self) {
        try test.open("broken", config: "{\"fault\":\"create-\(fault)\"}")
      }
      #expect(found?.isRefusal == true)
      #expect(found?.description == "broken would not open: \(words)")
      #expect(test.session.instances.isEmpty)
      // Nothing has changed: the handle is free, and a sound one opens.
      #expect(try test.open("broken").count == 2)
      try test.session.close("broken")
      #expect(test.session.instances.isEmpty)
    }

    @Test(
      arguments: [
        ("create-nothing", "create returned VM_OK without an instance"),
        ("frame-none", expected("info", found: "nothing")),
        ("frame-missing", expected("second", found: "nothing")),
        ("frame-reversed", expected("info", found: "\"second\"")),
        ("frame-twice", expected("second", found: "\"info\"")),
        ("frame-late", expected("info", found: "\"info\"")),
      ], TestSession.Place.allCases)
    func `an instance begins with its first frame`(
      _ row: (fault: String, words: String), place: TestSession.Place
    ) throws {
      let (fault, words) = row
      let test = try TestSession("brokenfixture", in: place)
      let found = #expect(throws: SessionError.self) {
        try test.open("broken", config: "{\"fault\":\"\(fault)\"}")
      }
      #expect(found?.code == .contract)
      #expect(found?.description == Self.prefix + words + ".")
    }

    private static func expected(_ state: String, found: String) -> String {
      "a new instance must first emit each state once, in the manifest's order; expected"
        + " \"\(state)\", found \(found)"
    }

    @Test(
      arguments: [
        ("kind", "it doesn't know this kind of event"),
        ("name", "it has no such input (and its manifest says otherwise)"),
        ("value", "it can't use this value"),
        ("value-words", "expected a number, found null"),
        ("id", "it has no open request of this id"),
        ("failed", "it can't go on"),
        ("unknown", "it returned the status -99"),
        ("idle", "it returned the status 1"),
      ], TestSession.Place.allCases)
    func `a refused input is named, and the instance goes on`(
      _ row: (fault: String, words: String), place: TestSession.Place
    ) throws {
      let (fault, words) = row
      let test = try TestSession.broken(fault: "send-\(fault)", in: place)
      let found = #expect(throws: SessionError.self) { try test.send("go") }
      #expect(found?.isRefusal == true)
      #expect(found?.description == "broken refused \"go\": \(words)")
      #expect(try test.emit("16 0 rang") == ["< rang"])
    }

    @Test(
      arguments: [
        ("unknown-kind", "it emitted an event of kind 99"),
        ("host-kind", "it emitted an event of kind 1"),
        ("private-kind", "it emitted an event of kind 65"),
        ("unknown-output", "it emitted \"sang\", which isn't in its manifest"),
        ("input-as-output", "it emitted \"go\", which isn't in its manifest"),
        ("bad-name", "it emitted \"s\u{fffd}\", which isn't in its manifest"),
        ("value-missing", "it emitted \"said\" without a value"),
        (
          "value-unexpected",
          "it emitted \"rang\" with a value, but its manifest has no schema for it"
        ),
        (
          "bad-json",
          "the value of its \"said\" is not JSON: expected a value, found \"}\" (byte 5)"
        ),
        (
          "two-values",
          "the value of its \"said\" is not JSON: expected nothing after the value, found \"2\""
            + " (byte 2)"
        ),
        (
          "bad-utf8",
          "the value of its \"said\" is not JSON: expected UTF-8, found byte 0xC3 that begins no"
            + " valid sequence (byte 1)"
        ),
        ("null-data", "it emitted a NULL pointer with a size, or an impossible size"),
        ("impossible-size", "it emitted a NULL pointer with a size, or an impossible size"),
        ("poll-failed", "poll returned the status -7"),
        ("poll-unknown", "poll returned the status 42"),
        ("request-0", "it made a request with the id 0"),
        ("request-twice", "it made two requests with the id 5"),
        (
          "request-unannounced",
          "it asked for \"teleport\", which isn't among the requests in its manifest"
        ),
        (
          "request-bad-json",
          "the value of its \"http\" is not JSON: expected a key in quotes, found the end of the"
            + " input (byte 1)"
        ),
        ("timer-empty", "it asked for \"timer\" with null: expected {\"after\":\"300ms\"}"),
        (
          "timer-number",
          "it asked for \"timer\" with {\"after\":300}: expected {\"after\":\"300ms\"}"
        ),
        (
          "timer-bad-json",
          "its request \"timer\" is not JSON: expected a key in quotes, found the end of the input"
            + " (byte 1)"
        ),
        ("storage-no-key", "it asked for \"storage.get\" with {}: expected text under \"key\""),
        (
          "storage-no-value",
          "it asked for \"storage.set\" with {\"key\":\"a\"}: expected the value under \"value\""
        ),
        (
          "storage-no-prefix",
          "it asked for \"storage.list\" with {\"key\":\"a\"}: expected text under \"prefix\""
        ),
        ("cancel-unknown", "it cancelled the request 7, which isn't open"),
        ("log-level", "it logged at the level \"shout\", which doesn't exist"),
        ("log-number", "the text of its log is not a JSON string"),
        ("log-nothing", "the text of its log is not a JSON string"),
        ("fault-number", "the text of its fault is not a JSON string"),
      ], TestSession.Place.allCases)
    func `a broken promise ends the session with one sentence`(
      _ row: (fault: String, words: String), place: TestSession.Place
    ) throws {
      let (fault, words) = row
      let test = try TestSession.broken(fault: fault, in: place)
      let found = #expect(throws: SessionError.self) { try test.send("go") }
      #expect(found?.code == .contract)
      #expect(found?.description == Self.prefixAtGo + words + ".")
      #expect(test.events().allSatisfy { $0.hasPrefix("? 1 http") || $0.hasPrefix("#") })
    }

    @Test(arguments: TestSession.Place.allCases)
    func `a flood ends at the limits`(_ place: TestSession.Place) throws {
      var limits = StepLimits()
      limits.events = 1000
      limits.bytes = 3 << 20
      let events = try TestSession.broken(fault: "flood", in: place, limits: limits)
      let tooMany = words { try events.send("go") }
      #expect(tooMany == "\(Self.prefixAtGo)\(limits.excess(.events)).")
      // What came before the limit is there to be shown.
      #expect(events.events().count == 1000)
      let bytes = try TestSession.broken(fault: "flood-bytes", in: place, limits: limits)
      let tooMuch = words { try bytes.send("go") }
      #expect(tooMuch == "\(Self.prefixAtGo)\(limits.excess(.bytes)).")
    }

    @Test func `a step that goes on for too long ends`() throws {
      var limits = StepLimits()
      limits.time = -1
      let test = try TestSession.broken(fault: "flood", limits: limits)
      #expect(
        words { try test.send("go") }.hasPrefix(Self.prefixAtGo + "it was not idle after "))
    }

    @Test(arguments: TestSession.Place.allCases)
    func `an instance that only wakes others still becomes idle`(_ place: TestSession.Place) throws
    {
      let test = try TestSession.broken(fault: "others-for-ever", in: place)
      #expect(try test.send("go") == ["< rang"])
      #expect(try test.send("go") == ["< rang"])
    }

    @Test func `one instance can make another one speak`() throws {
      let test = try TestSession("brokenfixture")
      try test.open("broken", as: "a", config: "{\"fault\":\"output-of-another\"}")
      try test.open("broken", as: "b")
      #expect(try test.send("go", to: "a") == ["< b.said \"from another\""])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `values come out canonical, however they were written`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(fault: "unsorted", in: place)
      #expect(try test.send("go") == ["< said {\"a\":\"A/\",\"b\":1}"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `a value of 10 MB goes through`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(fault: "huge-value", in: place)
      #expect(try test.send("go").map(\.utf8.count) == [10 << 20 + 7])
    }

    @Test func `a plugin that writes a size of 0 into its events is told the right one again`()
      throws
    {
      let test = try TestSession.broken(fault: "small-steps")
      #expect(try test.send("go") == ["< rang"])
      #expect(try test.emit("16 0 rang", "16 0 rang") == ["< rang", "< rang"])
    }

    @Test func `a reply that is refused in the middle of inputs is not taken for an input`() throws
    {
      let test = try TestSession.broken(fault: "refuse-replies")
      try test.queue("go", tag: 1)
      try test.queue("emit", "\"17 1 storage.get {\\\"key\\\":\\\"a\\\"}\"", tag: 2)
      let found = #expect(throws: SessionError.self) { try test.flush() }
      let words = "broken refused the reply to its \"storage.get\": no answer was wanted"
      #expect(found?.description == words)
      #expect(found?.tag == nil)
    }
  }
}
