import PluginABI
import Synchronization
import Testing
import ViewModelKit

/// Lets a test resume a run from a thread of its choice.
private let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)

/// A task that a test cancels from a thread of its choice.
private let sleeper = Mutex<Task<Void, any Error>?>(nil)

private actor Helper {
  func twice(_ number: Int) -> Int { number * 2 }
}

private final class Threads: ViewModel {
  static let id = "test.threads"

  let wait = Input<NoValue>()
  let hop = Input<Int>()
  let check = Input<NoValue>()
  let sleep = Input<NoValue>()
  let step = Signal<String>()
  let timer = Timer()
  let work = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    wait.start(work) {
      await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
      self.checkIsolation()
      self.step.emit("through")
    }
    hop.start(work) { number in
      let doubled = await Helper().twice(number)
      async let quadrupled = self.double(doubled)
      self.step.emit("\(doubled) \(await quadrupled)")
    }
    check.on {
      self.checkIsolation()
      self.step.emit("isolated")
    }
    sleep.on {
      let task = Task { try await self.timer.sleep(for: .seconds(1)) }
      sleeper.withLock { $0 = task }
    }
  }

  private func checkIsolation() {
    ViewModelActor.preconditionIsolated()
    ViewModelActor.shared.assumeIsolated { _ in }
  }

  private nonisolated func double(_ number: Int) async -> Int { number * 2 }
}

extension KitTests {
  @Suite struct Execution {
    let instance: TestInstance

    init() throws { instance = try TestHost(Threads.self).open("test.threads") }

    @Test func `code that is resumed elsewhere goes on inside the next poll`() async throws {
      #expect(try instance.input("wait") == [])
      let continuation = try #require(gate.withLock { $0.take() })
      await Task.detached { continuation.resume() }.value
      #expect(instance.poll() == ["< step \"through\""])
    }

    @Test func `actors, children and nonisolated functions stay inside poll`() throws {
      #expect(try instance.input("hop", "3") == ["< step \"6 12\""])
    }

    @Test func `a task cancelled elsewhere tells the host in the next poll`() async throws {
      #expect(try instance.input("sleep") == ["? 1 timer {\"after\":\"1s\"}"])
      let task = try #require(sleeper.withLock { $0.take() })
      await Task.detached { task.cancel() }.value
      #expect(instance.poll() == ["x 1 timer"])
    }

    @Test func `handlers are isolated at run time too`() throws {
      #expect(try instance.input("check") == ["< step \"isolated\""])
    }
  }
}
