import Testing
import ViewModelKit

private final class Bound: ViewModel {
  static let id = "test.bound"

  let bind = Input<NoValue>()
  let typed = Input<String>()
  let pushed = Input<Int?>()
  let pushedLater = Input<Int>()
  let cancel = Input<NoValue>()
  let ask = Input<NoValue>()

  let field = State("-")
  let value = Signal<Int?>()

  let timer = Timer()
  let work = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    let number = TwoWayBinding<Int?, String>(
      nil, input: typed, field: field, read: { Int($0) }, show: { $0.map { "\($0)" } })
    bind.on { number.bind() }
    pushed.on { number.value = $0 }
    pushedLater.start(work) { pushed in
      do {
        try await self.timer.sleep(for: .seconds(1))
      } catch {}
      number.value = pushed
    }
    cancel.on { self.work.cancel() }
    ask.on { self.value.emit(number.value) }
  }
}

extension KitTests {
  @Suite struct TwoWayBindings {
    let instance: TestInstance

    init() throws { instance = try TestHost(Bound.self).open("test.bound") }

    @Test func `before it is bound the field is neither read nor written`() throws {
      #expect(try instance.input("typed", "\"1\"") == [])
      #expect(try instance.input("ask") == ["< value null"])
      #expect(try instance.input("pushed", "2") == [])
      #expect(try instance.input("ask") == ["< value 2"])
      #expect(try instance.input("bind") == ["< field \"2\""])
    }

    @Test func `binding shows the value that there is, and nil leaves the field`() throws {
      #expect(try instance.input("bind") == [])
      #expect(try instance.input("pushed", "7") == ["< field \"7\""])
      #expect(try instance.input("pushed", "null") == [])
      #expect(try instance.input("ask") == ["< value null"])
    }

    @Test func `a change of either side is shown once, also an equal one`() throws {
      _ = try instance.input("bind")
      for _ in 0..<2 {
        #expect(try instance.input("typed", "\"5\"") == ["< field \"5\""])
        #expect(try instance.input("ask") == ["< value 5"])
        #expect(try instance.input("pushed", "5") == ["< field \"5\""])
      }
    }

    @Test func `the field shows the value and not what was typed`() throws {
      _ = try instance.input("bind")
      #expect(try instance.input("typed", "\"+007\"") == ["< field \"7\""])
    }

    @Test func `binding again only shows the value`() throws {
      _ = try instance.input("pushed", "1")
      _ = try instance.input("bind")
      #expect(try instance.input("bind") == ["< field \"1\""])
      #expect(try instance.input("typed", "\"2\"") == ["< field \"2\""])
    }

    @Test func `what a cancelled run sets never was`() throws {
      _ = try instance.input("bind")
      _ = try instance.input("pushedLater", "1")
      #expect(try instance.reply(1, "timer") == ["< field \"1\""])
      _ = try instance.input("pushedLater", "2")
      #expect(try instance.input("cancel") == ["x 2 timer"])
      #expect(try instance.input("ask") == ["< value 1"])
    }
  }
}
