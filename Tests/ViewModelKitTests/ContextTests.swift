import PluginABI
import Testing
import ViewModelKit

private struct Settings: ViewModelConfig {
  struct Nested: Codable, Sendable {
    var depth = 1
    var label: String?
  }

  var source = "catalogue"
  var pageSize = 20
  var apiKey: String?
  var nested = Nested()
}

private final class Surroundings: ViewModel {
  static let id = "test.context"

  let report = Input<NoValue>()
  let roll = Input<Int>()
  let say = Input<String>()
  let settings = State("")
  let place = Signal<String>()
  let rolls = Signal<[Int]>()
  private var context: Context<Settings>?

  func start(_ context: Context<Settings>) {
    self.context = context
    let config = context.config
    settings.value = [
      config.source, "\(config.pageSize)", config.apiKey ?? "nil", "\(config.nested.depth)",
      config.nested.label ?? "nil",
    ].joined(separator: " ")
    report.on {
      self.place.emit("\(context.locale) \(context.timeZone) \(context.epoch) \(context.now)")
    }
    roll.on { count in
      self.rolls.emit((0..<count).map { _ in Int.random(in: 1...6, using: &context.random) })
    }
    say.on { text in
      context.log(.debug, text)
      context.log(.warning, "w")
    }
  }
}

extension KitTests {
  @Suite struct Contexts {
    let host = TestHost(Surroundings.self)

    @Test(arguments: [
      ("", "catalogue 20 nil 1 nil"),
      ("{}", "catalogue 20 nil 1 nil"),
      (#"{"pageSize":5}"#, "catalogue 5 nil 1 nil"),
      (#"{"apiKey":"k","nested":{"label":"x"}}"#, "catalogue 20 k 1 x"),
      (#"{"nested":{"depth":7},"source":"tmdb"}"#, "tmdb 20 nil 7 nil"),
      (#"{"apiKey":null}"#, "catalogue 20 nil 1 nil"),
    ])
    func `the config is laid over the default`(json: String, settings: String) throws {
      let instance = try host.create("test.context", config: json)
      #expect(instance.poll() == ["< settings \"\(settings)\""])
    }

    @Test(arguments: [
      (#"{"pagesize":5}"#, "The config has no member \"pagesize\". Did you mean \"pageSize\"?"),
      (#"{"apikey":""}"#, "The config has no member \"apikey\". Did you mean \"apiKey\"?"),
      (
        #"{"nested":{"dept":5}}"#,
        "The config has no member \"nested.dept\". Did you mean \"depth\"?"
      ),
    ])
    func `an unknown member is refused with the nearest name`(
      json: String, message: String
    ) throws {
      #expect(
        try refusal { _ = try host.create("test.context", config: json) }
          == Refused(status: Int(VM_E_CONFIG), message: message))
    }

    @Test(arguments: [
      (#"{"pageSize":"5"}"#, "pageSize"), (#"{"nested":{"depth":null}}"#, "depth"),
      (#"{"nested":[]}"#, "nested"), ("[]", "object"), ("\"x\"", "object"), ("{", "not JSON"),
      (#"{"source":null}"#, "source"),
    ])
    func `a config of the wrong shape is refused`(json: String, mention: String) throws {
      let refused = try refusal { _ = try host.create("test.context", config: json) }
      #expect(refused.status == Int(VM_E_CONFIG))
      #expect(refused.message.contains(mention), "\(refused.message)")
    }

    @Test func `place and time are the session's`() throws {
      let instance = try host.create("test.context", epoch: 1_700_000_000_000_000_000, time: 5)
      _ = instance.poll()
      #expect(
        try instance.input("report", time: 1_500_000_000)
          == ["< place \"en_US UTC 1700000000000000000 1.5 seconds\""])
      _ = try refusal { _ = try instance.input("nothing", time: 9_000_000_000) }
      #expect(
        try instance.input("report", time: 2_000_000_000).last?.hasSuffix(" 2.0 seconds\"") == true)
    }

    @Test func `chance comes from the seed alone`() throws {
      let rolls = try [1, 1, 2].map { seed in
        try host.open("test.context", seed: UInt64(seed)).input("roll", "30")
      }
      #expect(rolls[0] == rolls[1])
      #expect(rolls[0] != rolls[2])
      let instance = try host.open("test.context", seed: 1)
      #expect(try instance.input("roll", "3") != instance.input("roll", "3"))
    }

    @Test func `the generator is SplitMix64`() {
      let random = SeededRandom(seed: 1_234_567)
      #expect(
        (0..<3).map { _ in random.next() } == [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ])
    }

    @Test func `a log line has its level and text`() throws {
      let instance = try host.open("test.context")
      #expect(
        try instance.input("say", #""é\n\"""#) == [#"log debug "é\n\"""#, "log warning \"w\""])
    }
  }
}
