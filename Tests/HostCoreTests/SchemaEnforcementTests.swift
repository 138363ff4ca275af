import CanonicalJSON
import HostCore
import TestSupport
import Testing

extension InProcessTests {
  /// Values and configs that don't fit the schemas of the manifest, wherever the plugin runs.
  struct SchemaEnforcementTests {
    @Test(
      arguments: [
        ("5", "expected an object, found 5"),
        ("{}", "expected the member \"id\", which is missing"),
        ("{\"id\":1.5}", "id: expected an integer, found 1.5"),
        ("{\"id\":1,\"tags\":[\"a\",null]}", "tags[1]: expected a string, found null"),
      ], TestSession.Place.allCases)
    func `an input that doesn't fit is refused before the plugin sees it`(
      _ row: (value: String, words: String), place: TestSession.Place
    ) throws {
      // This plugin refuses everything, so it hasn't seen what is refused in other words.
      let test = try TestSession.broken(fault: "send-failed-words", in: place)
      let found = #expect(throws: SessionError.self) {
        try test.queue("order", row.value, tag: 12)
        try test.flush()
      }
      #expect(found?.code == .refused(.value))
      #expect(found?.tag == 12)
      #expect(found?.description == "broken can't take this value for \"order\": \(row.words).")
      #expect(try test.send("order", "{\"id\":1}") == ["< rang"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `an input without the value that its schema wants is refused`(
      _ place: TestSession.Place
    ) throws {
      let test = try TestSession.broken(in: place)
      let found = #expect(throws: SessionError.self) { try test.send("order") }
      #expect(found?.code == .refused(.value))
      #expect(found?.description == "broken needs a value for \"order\".")
    }

    @Test(arguments: TestSession.Place.allCases)
    func `one bad input among thousands keeps its place`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(in: place)
      for tag in 1...3000 {
        try test.queue("order", tag == 2001 ? "{\"id\":\"x\"}" : "{\"id\":1}", tag: UInt64(tag))
      }
      let found = #expect(throws: SessionError.self) { try test.flush() }
      #expect(found?.code == .refused(.value))
      #expect(found?.tag == 2001)
      #expect(test.events().count == 2000)
      #expect(try test.send("order", "{\"id\":2}") == ["< rang"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what the plugin says of an earlier input comes first`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(in: place)
      try test.queue("emit", "5", tag: 1)
      try test.queue("order", "5", tag: 2)
      let first = #expect(throws: SessionError.self) { try test.flush() }
      #expect(first?.code == .refused(.value))
      #expect(first?.tag == 1)
      // The other one was dropped, as it is after any refusal.
      #expect(try test.send("order", "{\"id\":2}") == ["< rang"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `a plugin may work on what comes before a bad input`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(in: place)
      let instance = try test.session.instance("broken")
      let port = try #require(instance.viewModel.inputs.firstIndex { $0.name == "order" })
      var batch = InputBatch()
      for value in ["{\"id\":1}", "null"] {
        let bytes = Array(value.utf8)
        _ = test.session.add(to: &batch, instance, port, value: bytes.span, tag: 7)
      }
      if place == .worker {
        try test.session.start(&batch)
        #expect(test.session.isUnderWay)
        #expect(throws: SessionError.self) { try test.session.finishDelivery() }
      } else {
        #expect(throws: SessionError.self) { try test.session.start(&batch) }
      }
      #expect(!test.session.isUnderWay)
      #expect(test.events() == ["< rang"])
      #expect(batch.isEmpty)
      #expect(try test.send("order", "{\"id\":2}") == ["< rang"])
    }

    @Test(
      arguments: [
        ("5", "expected an object, found 5"),
        ("{\"id\": \"1\"}", "id: expected an integer, found \"1\""),
        ("{\"tags\":[{}],\"id\":1}", "tags[0]: expected a string, found an object"),
      ], TestSession.Place.allCases)
    func `an output that doesn't fit breaks the contract`(
      _ row: (value: String, words: String), place: TestSession.Place
    ) throws {
      let test = try TestSession.broken(in: place)
      let found = #expect(throws: SessionError.self) {
        try test.emit("16 0 ordered {\"id\":1}", "16 0 ordered \(row.value)", "16 0 rang")
      }
      #expect(found?.code == .contract)
      #expect(
        found?.description == "brokenfixture.so broke its contract at the input \"emit\": broken"
          + " (broken): it emitted \"ordered\" with a value that its schema doesn't allow:"
          + " \(row.words).")
      // What came before is there to be shown, and the value isn't.
      #expect(test.events() == ["< ordered {\"id\":1}"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what fits may be written in any form`(_ place: TestSession.Place) throws {
      let test = try TestSession.broken(in: place)
      #expect(
        try test.emit("16 0 ordered { \"tags\" : [], \"id\" : 1.0 }")
          == ["< ordered {\"id\":1,\"tags\":[]}"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what a flow feeds is checked too, and is a fault`(_ place: TestSession.Place) throws {
      let test = try TestSession.flowing(
        ["brokenfixture"], in: place,
        flow: "\"a.said\":{\"feed\":\"a.order\",\"mayRepeat\":true}")
      let events = try test.emit("16 0 said {}")
      #expect(
        events == [
          "< said {}",
          "# said \"a can't take this value for \\\"order\\\": expected the member"
            + " \\\"id\\\", which is missing (f.json:1:52)\"",
        ])
      #expect(try test.emit("16 0 said {\"id\":1}") == ["< said {\"id\":1}", "< rang"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `a config that doesn't fit opens nothing`(_ place: TestSession.Place) throws {
      var secrets = Secrets()
      secrets.add("six", value: "6-sided-die")
      let test = try TestSession("kitfixture", in: place, secrets: secrets)
      for (config, words) in [
        (
          "{\"sides\":\"six\"}",
          "kit.random can't take this config: sides: expected an integer, found \"six\"."
        ),
        (
          "{\"sides\":\"$secret:six\"}",
          "kit.random can't take this config: sides: expected an integer, found \"SECRET_six\"."
        ),
        ("[]", "the config of kit.random must be a JSON object."),
      ] {
        let found = #expect(throws: SessionError.self) {
          try test.open("kit.random", config: config)
        }
        #expect(found?.code == .refused(.config))
        #expect(found?.description == words)
      }
      #expect(test.session.instances.isEmpty)
      // A member that has a default needn't be given.
      #expect(try test.open("kit.random", config: "{}") == ["< sides 6"])
    }
  }
}
