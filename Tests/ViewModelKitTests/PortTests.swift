import PluginABI
import Testing
import ViewModelKit

private struct Point: Codable, Equatable, Sendable {
  var x: Int
  var y: Int?
}

private final class Ports: ViewModel {
  static let id = "test.ports"

  let text = Input<String>()
  let number = Input<Int>()
  let maybe = Input<String?>()
  let tap = Input<NoValue>()
  let point = Input<Point>()

  let echo = State("first")
  let flag = State(false, .distinct)
  let points = State<[Point]>([])
  let seen = Signal<String>()
  let tapped = Signal<NoValue>()

  func start(_ context: Context<NoConfig>) {
    echo.value = "started"
    seen.emit("in start")
    text.on { text in self.echo.value = text }
    text.on { text in self.seen.emit("second handler: \(text)") }
    number.on { number in self.flag.value = number > 0 }
    maybe.on { text in self.seen.emit(text ?? "nothing") }
    tap.on { self.tapped.emit() }
    point.on { point in self.points.value.append(point) }
  }
}

private final class Preset: ViewModel {
  static let id = "test.preset"

  let change = Input<Bool>()
  let flag = State(false, .distinct)

  func start(_ context: Context<NoConfig>) {
    flag.value = true
    change.on { self.flag.value = $0 }
  }
}

extension KitTests {
  @Suite struct Inputs {
    let host = TestHost(Ports.self)

    @Test func `an instance begins with its states in order, then what start emitted`() throws {
      let instance = try host.create("test.ports")
      #expect(
        instance.poll() == [
          "< echo \"started\"", "< flag false", "< points []", "< seen \"in start\"",
        ])
      #expect(instance.lastStatus == Int(VM_IDLE))
    }

    @Test func `handlers run in the order in which they were added`() throws {
      let instance = try host.open("test.ports")
      #expect(
        try instance.input("text", "\"a\"") == ["< echo \"a\"", "< seen \"second handler: a\""])
    }

    @Test func `a distinct state is compared with what start set it to`() throws {
      let instance = try TestHost(Preset.self).open("test.preset")
      #expect(try instance.input("change", "true") == [])
      #expect(try instance.input("change", "false") == ["< flag false"])
    }

    @Test func `a state emits equal values, a distinct one doesn't`() throws {
      let instance = try host.open("test.ports")
      _ = try instance.input("text", "\"a\"")
      #expect(try instance.input("text", "\"a\"").first == "< echo \"a\"")
      #expect(try instance.input("number", "0") == [])
      #expect(try instance.input("number", "5") == ["< flag true"])
      #expect(try instance.input("number", "6") == [])
      #expect(try instance.input("number", "-6") == ["< flag false"])
      #expect(try instance.input("number", " 9223372036854775807 ") == ["< flag true"])
    }

    @Test func `inputs and signals without value work`() throws {
      let instance = try host.open("test.ports")
      #expect(try instance.input("tap") == ["< tapped"])
    }

    @Test func `an optional input takes null, and means it`() throws {
      let instance = try host.open("test.ports")
      #expect(try instance.input("maybe", "null") == ["< seen \"nothing\""])
      #expect(try instance.input("maybe", "\"x\"") == ["< seen \"x\""])
    }

    @Test func `structures go in and come out`() throws {
      let instance = try host.open("test.ports")
      #expect(try instance.input("point", "{\"y\":2,\"x\":1}") == ["< points [{\"x\":1,\"y\":2}]"])
      #expect(
        try instance.input("point", " { \"x\" : 3 } ")
          == ["< points [{\"x\":1,\"y\":2},{\"x\":3}]"])
    }

    @Test(arguments: ["", "é", "日本語", "👩‍👩‍👧", "\u{0}\u{1F}", "a\u{2028}b", "\"\\/"])
    func `any text survives`(_ text: String) throws {
      let instance = try host.open("test.ports")
      let json = JSONValue.string(text).canonicalText
      #expect(try instance.input("text", json).first == "< echo \(json)")
    }

    @Test func `a value of 10 MB survives`() throws {
      let instance = try host.open("test.ports")
      let json = "\"" + String(repeating: "0123456789", count: 1_000_000) + "\""
      let lines = try instance.input("text", json)
      #expect(lines.first?.utf8.count == json.utf8.count + "< echo ".utf8.count)
    }

    @Test(arguments: [
      ("text", "", "The input \"text\" needs a value."),
      ("maybe", "", "The input \"maybe\" needs a value."),
      ("tap", "null", "The input \"tap\" takes no value; send the input without one."),
    ])
    func `a missing or superfluous value is refused`(
      name: String, json: String, message: String
    ) throws {
      let instance = try host.open("test.ports")
      let refused = try refusal { _ = try instance.input(name, json) }
      #expect(refused == Refused(status: Int(VM_E_VALUE), message: message))
      #expect(instance.poll() == [])
    }

    @Test(arguments: [
      ("text", "1"), ("text", "\"a"), ("text", "\"a\" 1"), ("text", "null"), ("number", "1.5"),
      ("number", "\"1\""), ("point", "{}"), ("point", "{\"x\":\"1\"}"), ("point", "[]"),
      ("text", "\u{FEFF}\"a\""), ("number", "99999999999999999999"),
      ("number", "01"), ("number", "1 2"), ("number", "-"), ("number", "true"), ("number", " "),
    ])
    func `a malformed value is refused before any handler runs`(name: String, json: String) throws {
      let instance = try host.open("test.ports")
      let refused = try refusal { _ = try instance.input(name, json) }
      #expect(refused.status == Int(VM_E_VALUE))
      #expect(refused.message.hasPrefix("The input \"\(name)\" can't take this value: "))
      #expect(instance.poll() == [])
    }

    @Test func `a wrong member is named by its path`() throws {
      let instance = try host.open("test.ports")
      let refused = try refusal { _ = try instance.input("point", "{\"x\":1,\"y\":\"2\"}") }
      #expect(refused.message.contains("y"))
      #expect(refused.message.contains("integer") || refused.message.contains("number"))
    }

    @Test func `an unknown input is refused with the nearest name`() throws {
      let instance = try host.open("test.ports")
      #expect(
        try refusal { _ = try instance.input("txet", "1") }
          == Refused(
            status: Int(VM_E_NAME),
            message: """
              The view model "test.ports" has no input "txet". Did you mean "text"?
              """))
      #expect(
        try refusal { _ = try instance.input("somethingElse") }.message
          == """
          The view model "test.ports" has no input "somethingElse". There are: "text", "number", \
          "maybe", "tap", "point".
          """)
    }

    @Test func `a state or signal is no input`() throws {
      let instance = try host.open("test.ports")
      #expect(try refusal { _ = try instance.input("echo", "1") }.status == Int(VM_E_NAME))
      #expect(try refusal { _ = try instance.input("seen", "1") }.status == Int(VM_E_NAME))
    }

    @Test func `an unknown kind of event is refused`() throws {
      let instance = try host.open("test.ports")
      for kind in [0, 4, 15, 16, 17, 99] {
        let refused = try refusal { try instance.send(kind: kind, "text", "\"a\"") }
        #expect(refused.status == Int(VM_E_KIND))
        #expect(refused.message == "The plugin knows no events of kind \(kind).")
      }
      #expect(instance.poll() == [])
    }

    @Test func `an unknown view model is refused with the nearest name`() throws {
      #expect(
        try refusal { _ = try host.create("test.port") }
          == Refused(
            status: Int(VM_E_VIEW_MODEL),
            message: """
              The plugin "test" has no view model "test.port". Did you mean "test.ports"?
              """))
    }

    @Test func `100,000 events leave nothing behind`() throws {
      let instance = try host.open("test.ports")
      for index in 0..<100_000 {
        let lines = try instance.input("number", index.isMultiple(of: 2) ? "1" : "0")
        guard lines.count == 1 else {
          Issue.record("event \(index) gave \(lines)")
          return
        }
      }
      #expect(try instance.input("tap") == ["< tapped"])
    }
  }
}
