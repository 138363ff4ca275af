import Testing
import ViewModelKit

private struct Mistake: Error, CustomStringConvertible {
  var description: String { "a mistake" }
}

private final class Combining: ViewModel {
  static let id = "test.combining"

  let number = Input<Int>()
  let note = Input<String?>()
  let ask = Input<NoValue>()

  let seen = Signal<String>()
  let latest = Signal<String>()

  let timer = Timer()
  let work = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    number.on { self.seen.emit("before \($0)") }
    let both = CombineLatest(number, note)
    both.on { number, note in
      self.seen.emit("first \(number) \(note ?? "nil")")
      if number < 0 { throw Mistake() }
    }
    both.on { number, note in self.seen.emit("second \(number) \(note ?? "nil")") }
    both.start(work) { number, _ in
      try await self.timer.sleep(for: .seconds(number))
      self.seen.emit("slept \(number)")
    }
    number.on { self.seen.emit("after \($0)") }
    ask.on {
      self.latest.emit(both.latest.map { "\($0) \($1 ?? "nil")" } ?? "none")
    }
  }
}

extension KitTests {
  @Suite struct CombiningLatest {
    let instance: TestInstance

    init() throws { instance = try TestHost(Combining.self).open("test.combining") }

    @Test func `nothing is told until both inputs have come`() throws {
      #expect(try instance.input("ask") == ["< latest \"none\""])
      #expect(try instance.input("number", "1") == ["< seen \"before 1\"", "< seen \"after 1\""])
      #expect(try instance.input("number", "2") == ["< seen \"before 2\"", "< seen \"after 2\""])
      #expect(try instance.input("ask") == ["< latest \"none\""])
      #expect(
        try instance.input("note", "\"a\"") == [
          "< seen \"first 2 a\"", "< seen \"second 2 a\"", "? 1 timer {\"after\":\"2s\"}",
        ])
      #expect(try instance.input("ask") == ["< latest \"2 a\""])
    }

    @Test func `either input comes with the latest of the other, in the order of adding`() throws {
      _ = try instance.input("note", "\"a\"")
      #expect(
        try instance.input("number", "1") == [
          "< seen \"before 1\"", "< seen \"first 1 a\"", "< seen \"second 1 a\"",
          "? 1 timer {\"after\":\"1s\"}", "< seen \"after 1\"",
        ])
      #expect(
        try instance.input("note", "\"b\"") == [
          "< seen \"first 1 b\"", "< seen \"second 1 b\"", "x 1 timer",
          "? 2 timer {\"after\":\"1s\"}",
        ])
      #expect(try instance.reply(2, "timer") == ["< seen \"slept 1\""])
    }

    @Test func `an equal value is told again`() throws {
      _ = try instance.input("note", "\"a\"")
      let first = try instance.input("number", "1")
      let second = try instance.input("number", "1")
      #expect(second.filter { $0.hasPrefix("<") } == first.filter { $0.hasPrefix("<") })
    }

    @Test func `null is a value that has come`() throws {
      #expect(try instance.input("note", "null") == [])
      #expect(try instance.input("number", "3").contains("< seen \"first 3 nil\""))
      #expect(try instance.input("ask") == ["< latest \"3 nil\""])
    }

    @Test(arguments: [("number", "-1"), ("note", "\"b\"")])
    func `what a handler throws is a fault of the input that came, and the others run`(
      name: String, json: String
    ) throws {
      _ = try instance.input("note", "\"a\"")
      _ = try instance.input("number", "-1")
      let lines = try instance.input(name, json)
      #expect(lines.contains("fault \(name) \"a mistake\""))
      #expect(lines.contains { $0.hasPrefix("< seen \"second -1 ") })
    }
  }
}
