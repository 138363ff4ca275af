import CanonicalJSON
import TestSupport
import Testing

@testable import HostCore

extension InProcessTests {
  /// Where signals lead in a session.
  struct FlowSessionTests {
    private func session(
      _ libraries: [String] = ["brokenfixture", "echo"], secrets: Secrets = Secrets(),
      in place: TestSession.Place = .here, config: String? = nil, flow on: String
    ) throws -> TestSession {
      try TestSession.flowing(libraries, secrets: secrets, in: place, config: config, flow: on)
    }

    @Test(arguments: TestSession.Place.allCases)
    func `does what signals lead to in their order, and what comes of it after that`(
      _ place: TestSession.Place
    ) throws {
      let test = try session(
        in: place,
        flow: """
          "a.rang":[{"open":"echo","as":"b"},{"open":"echo","as":"c"},{"open":"echo","as":"d"}],
          "a.said":[{"feed":"b.say"},{"feed":"c.say","value":["$value"]}],
          "a.heard":{"feed":"b.say"},
          "b.said":{"feed":"d.say"}
          """)
      #expect(
        try test.emit("16 0 rang") == [
          "< a.rang", "# opened b: echo", "# opened c: echo", "# opened d: echo",
        ])
      #expect(
        try test.emit("16 0 said 1", "16 0 heard 2", from: "a") == [
          "< a.said 1", "< a.heard 2", "< b.said 1", "< c.said [1]", "< b.said 2", "< d.said 1",
          "< d.said 2",
        ])
    }

    @Test func `makes each input's consequences before the next input, in its step`() throws {
      let test = try session(
        flow: "\"a.rang\":{\"open\":\"echo\"},\"a.said\":{\"feed\":\"echo.say\"}")
      try test.emit("16 0 rang")
      try test.queue("emit", "\"16 0 said 1\"", to: "a")
      try test.queue("emit", "\"16 0 said 2\"", to: "a")
      try test.flush()
      #expect(test.session.events.records.map(\.step) == [0, 0, 1, 1])
      #expect(
        test.events() == ["< a.said 1", "< echo.said 1", "< a.said 2", "< echo.said 2"])
    }

    @Test(arguments: TestSession.Place.allCases)
    func `delivers inputs together to a plugin of which no signal leads anywhere`(
      _ place: TestSession.Place
    ) throws {
      let test = try session(in: place, flow: "\"a.rang\":{\"open\":\"echo\"}")
      try test.emit("16 0 rang")
      let changes = test.session.changes
      for (handle, isTogether) in [("echo", true), ("a", false)] {
        var batch = InputBatch()
        let instance = try test.session.instance(handle)
        let value = Array("\"16 0 said 1\"".utf8)
        let port = try #require(instance.viewModel.inputs.firstIndex { $0.hasValue })
        for tag in 1...3 {
          _ = test.session.add(to: &batch, instance, port, value: value.span, tag: UInt64(tag))
        }
        #expect(test.session.navigates(batch) == !isTogether)
        try test.session.start(&batch)
        #expect(test.session.isUnderWay == (isTogether && place == .worker))
        try test.session.finishDelivery()
        #expect(test.session.events.records.map(\.step) == [0, 1, 2])
        #expect(test.events().allSatisfy { $0.hasPrefix("< \(handle).said ") })
      }
      #expect(test.session.changes == changes)
      // Of an instance that is closed nothing leads anywhere.
      try test.session.close("a")
      #expect(test.session.changes == changes + 1)
      try test.open("broken", as: "b")
      var batch = InputBatch()
      _ = test.session.add(
        to: &batch, try test.session.instance("b"), 0, value: [UInt8]().span, tag: 1)
      #expect(!test.session.navigates(batch))
    }

    @Test func `opens anew, or keeps what is open`() throws {
      let test = try session(
        flow: """
          "a.said":{"open":"broken","as":"b","config":{"key":"$value"}},
          "a.heard":{"open":"broken","as":"b","unlessOpen":true},
          "a.rang":{"close":"b"}
          """)
      let opened = try test.emit("16 0 said \"one\"")
      #expect(opened.count == 4)
      #expect(opened[1] == "# opened b: broken")
      #expect(opened[2].contains("\"one\""))
      try test.emit("17 1 printer {}", from: "b")
      #expect(try test.emit("16 0 heard 2", from: "a") == ["< a.heard 2"])
      // The one that is replaced ends with its request.
      let replaced = try test.emit("16 0 said \"two\"", from: "a")
      #expect(replaced.count == 6)
      #expect(replaced[1...3] == ["x b.1 printer", "# closed b", "# opened b: broken"])
      #expect(replaced[4].contains("\"two\""))
      #expect(try test.emit("16 0 rang", from: "a") == ["< rang", "# closed b"])
      #expect(try test.emit("16 0 rang", from: "a") == ["< rang"])
      #expect(test.session.instances.map(\.handle) == ["a"])
    }

    @Test func `gives on parts of a signal's value, and null for what isn't there`() throws {
      let test = try session(
        flow: """
          "a.rang":{"open":"echo"},
          "a.said":{"feed":"echo.say","value":["$value.user.name","$value.none","$value.user.id.x"]}
          """)
      try test.emit("16 0 rang")
      #expect(
        try test.emit("16 0 said {\"user\":{\"id\":7,\"name\":\"Ann\"}}", from: "a").last
          == "< echo.said [\"Ann\",null,null]")
    }

    @Test func `gives on the config of the signal's instance, and leaves out what it lacks`() throws
    {
      var secrets = Secrets()
      secrets.add("key", for: "broken", value: "hunter22")
      let test = try session(
        secrets: secrets, config: #"{"key":"$secret:key","n":{"m":1}}"#,
        flow: """
          "a.said":[{"close":"a"},
            {"open":"broken","as":"b",
             "config":{"k":"$config.key","m":"$config.n.m","x":"$config.x"}}],
          "a.rang":{"open":"broken","as":"c","config":{"k":"$config.key"}},
          "b.rang":{"open":"broken","as":"d","config":{"all":["$config","$config.x"]}}
          """)
      // Both signals are of an instance that is closed by the first thing they lead to.
      let opened = try test.emit("16 0 said 1", "16 0 rang", from: "a").filter {
        $0.contains("hunter22")
      }
      #expect(opened.count == 2)
      #expect(opened[0].contains(#"{"k":"hunter22","key":"hunter22","m":1}"#))
      #expect(opened[1].contains(#"{"k":"hunter22","key":"hunter22"}"#))
      #expect(
        try test.emit("16 0 rang", from: "b").contains {
          $0.contains(#""all":[{"k":"hunter22","key":"hunter22","m":1},null]"#)
        })
    }

    @Test func `tells what a line opens and closes only where there is a flow`() throws {
      let test = try session(flow: "\"a.rang\":{\"close\":\"a\"}")
      #expect(try test.open("echo") == ["# opened echo: echo"])
      try test.session.close("echo")
      #expect(test.events() == ["# closed echo"])
      let plain = try TestSession("echo")
      #expect(try plain.open("echo") == [])
      try plain.session.close("echo")
      #expect(plain.events() == [])
    }

    @Test func `gives no secret to a plugin that names it in a signal`() throws {
      var secrets = Secrets()
      secrets.add("key", for: "broken", value: "hunter22")
      let test = try session(
        secrets: secrets,
        flow: """
          "a.said":{"open":"broken","as":"b","config":{"key":"$value"}},
          "a.heard":{"open":"broken","as":"b","config":{"key":"$secret:key"}}
          """)
      let named = try test.emit("16 0 said \"$secret:key\"")
      #expect(named[2].contains("$secret:key"))
      #expect(!named[2].contains("hunter22"))
      // The one that was open is closed first.
      #expect(try test.emit("16 0 heard 1", from: "a")[3].contains("hunter22"))
    }

    @Test(arguments: TestSession.Place.allCases)
    func `what was put in place is not looked at again`(_ place: TestSession.Place) throws {
      var secrets = Secrets()
      secrets.add("one", value: "$value.zz")
      secrets.add("two", value: "$secret:one")
      let test = try session(
        secrets: secrets, in: place, config: #"{"a":"$secret:one","b":"$secret:two"}"#,
        flow: """
          "a.said":{"open":"broken","as":"b",
            "config":{"key":"$secret:one","two":"$secret:two","v":"$value.v","n":["$value.n"],
              "all":"$config","m":"$config.a"}}
          """)
      let opened = try test.emit(#"16 0 said {"n":"$value.v","v":"$secret:one","zz":"wrong"}"#)
      #expect(
        opened[2].contains(
          #"{"all":{"a":"$value.zz","b":"$secret:one","key":"SECRET_key"},"key":"$value.zz","#
            + #""m":"$value.zz","n":["$value.v"],"two":"$secret:one","v":"$secret:one"}"#),
        "\(opened[2])")
    }

    @Test(arguments: TestSession.Place.allCases)
    func `a member that the config lacks has the secret of its default`(
      _ place: TestSession.Place
    ) throws {
      var secrets = Secrets()
      secrets.add("key", for: "broken", value: "hunter22")
      let test = try session(
        ["brokenfixture", "echo"], secrets: secrets, in: place,
        flow: """
          "a.rang":{"open":"broken","as":"b","config":{"key":"$config.other"}}
          """)
      let opened = try test.emit("16 0 rang")
      #expect(opened.contains { $0.contains(#"{"key":"hunter22"}"#) }, "\(opened)")
    }

    @Test func `finds members by their names, whatever is in them and before them`() throws {
      let test = try session(
        flow: """
          "a.rang":{"open":"echo"},
          "a.said":{"feed":"echo.say",
            "value":["$value.ä\\"\\n","$value.b.c","$value.b.d","$value.b.c.x","$value.}"]}
          """)
      try test.emit("16 0 rang")
      let value = #"{"b":{"a":"}","c":[{"c":1},"]"],"d":{}},"}":"{","ä\"\n":-0.5}"#
      #expect(
        try test.emit("16 0 said \(value)", from: "a").last
          == #"< echo.said [-0.5,[{"c":1},"]"],{},null,"{"]"#)
    }

    @Test func `follows signals of answers and timers too`() throws {
      let test = try session(
        ["kitfixture", "brokenfixture"],
        flow: """
          "a.rang":[{"open":"kit.effects"},{"open":"kit.works"}],
          "effects.result":{"feed":"a.emit","value":"16 0 said 1"},
          "works.began":{"feed":"a.emit","value":"16 0 said 2"}
          """)
      try test.emit("16 0 rang", from: "a")
      try test.send("get", "\"http://localhost/\"", to: "effects")
      let answered = try test.reply(
        1, "{\"status\":200,\"headers\":{},\"text\":\"x\"}", to: "effects")
      #expect(answered.last == "< a.said 1")
      try test.send("debounced", "\"x\"", to: "works")
      let fired = try test.advance(to: 10_000_000_000)
      #expect(fired.contains("< a.said 2"))
    }

    @Test func `logs an input for what isn't open`() throws {
      let test = try session(
        flow: "\"a.rang\":{\"open\":\"echo\"},\"a.said\":{\"feed\":\"echo.say\"}")
      #expect(
        try test.emit("16 0 said 1") == [
          "< said 1", "# warning \"nothing was fed to echo.say, which isn't open\"",
        ])
    }

    @Test func `refuses an input for an instance that the one before it closed`() throws {
      let test = try session(
        flow: "\"a.rang\":{\"open\":\"echo\"},\"echo.said\":{\"close\":\"echo\"}")
      try test.emit("16 0 rang")
      try test.queue("say", "1", to: "echo")
      try test.queue("say", "2", to: "echo")
      #expect(
        words { try test.flush() }
          == "there is no instance \"echo\" any more: it has been closed.")
      #expect(test.events() == ["< said 1", "# closed echo"])
    }

    @Test func `is there once, before all instances, and keeps its handles`() throws {
      let test = try session(flow: "\"a.rang\":{\"open\":\"echo\",\"as\":\"b\"}")
      #expect(
        words { try test.open("broken", as: "b") }
          == "the flow \"f.json\" has the handle \"b\" for echo. Open broken under another one,"
          + " such as \"b2\".")
      let text = "{\"start\":{\"open\":\"broken\"}}"
      let flow = try FlowRules(
        FlowDocument(Array(text.utf8), path: "g.json"), test.session.manifests)
      #expect(
        words { try test.session.use(flow) }
          == "the flow must be loaded before the first instance is opened.")
      let fresh = try TestSession("brokenfixture")
      try fresh.session.use(flow)
      #expect(
        words { try fresh.session.use(flow) }
          == "the session already has the flow \"g.json\", and it can have only one.")
    }

    @Test func `refuses a secret that nobody gave before anything happens`() throws {
      let message = words {
        _ = try session(
          flow: "\"a.rang\":{\"open\":\"echo\",\"config\":{\"key\":\"$secret:nope\"}}")
      }
      #expect(message.hasPrefix("f.json: the config names the secret \"nope\""), "\(message)")
    }
  }
}
