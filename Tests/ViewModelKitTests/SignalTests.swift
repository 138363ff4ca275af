import PluginABI
import Testing
import ViewModelKit

private final class Repeats: ViewModel {
  static let id = "test.repeats"

  let number = Input<Int>()
  let text = Input<String?>()
  let wait = Input<NoValue>()
  let stop = Input<NoValue>()

  let isEven = Signal<Bool>(.distinct)
  let name = Signal<String?>(.distinct)
  let each = Signal<Int>()
  let timer = Timer()
  let work = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    number.on { number in
      self.isEven.emit(number.isMultiple(of: 2))
      self.each.emit(number)
    }
    text.on { self.name.emit($0) }
    wait.start(work) {
      do {
        try await self.timer.sleep(for: .seconds(1))
      } catch {
        self.isEven.emit(true)
      }
    }
    stop.on { self.work.cancel() }
  }
}

extension KitTests {
  @Suite struct Signals {
    let host = TestHost(Repeats.self)

    @Test func `a distinct signal emits its first value and then only others`() throws {
      let instance = try host.open("test.repeats")
      #expect(try instance.input("number", "1") == ["< isEven false", "< each 1"])
      #expect(try instance.input("number", "3") == ["< each 3"])
      #expect(try instance.input("number", "4") == ["< isEven true", "< each 4"])
      #expect(try instance.input("number", "4") == ["< each 4"])
      #expect(try instance.input("number", "5") == ["< isEven false", "< each 5"])
    }

    @Test func `null is a value of a distinct signal, not the lack of one`() throws {
      let instance = try host.open("test.repeats")
      #expect(try instance.input("text", "null") == ["< name null"])
      #expect(try instance.input("text", "null") == [])
      #expect(try instance.input("text", "\"a\"") == ["< name \"a\""])
      #expect(try instance.input("text", "null") == ["< name null"])
    }

    @Test func `what a cancelled run emits is not remembered either`() throws {
      let instance = try host.open("test.repeats")
      #expect(try instance.input("wait").count == 1)
      #expect(try instance.input("stop").count == 1)
      #expect(try instance.input("number", "2") == ["< isEven true", "< each 2"])
    }
  }
}
