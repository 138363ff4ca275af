import PluginABI
import Synchronization
import Testing
import ViewModelKit

/// How many `Mortal`s live.
private let living = Mutex(0)

/// Captures itself wherever the kit allows it, and behaves badly on request.
private final class Mortal: ViewModel {
  static let id = "test.mortal"

  let wait = Input<NoValue>()
  let queue = Input<NoValue>()
  let delay = Input<NoValue>()
  let loop = Input<NoValue>()
  let yield = Input<NoValue>()
  let unstructured = Input<NoValue>()
  let cancel = Input<NoValue>()
  let overlap = Input<NoValue>()
  let enter = Input<Int>()
  let ping = Input<NoValue>()
  let state = State(0)
  let pong = Signal<NoValue>()
  let timer = Timer()
  let work = Work(.latest)
  let queued = Work(.queued)
  let together = Work(.concurrent)
  let delayed = Work(.latest, debounce: .seconds(1))
  var context: Context<NoConfig>?
  private let life = Life()

  /// Counts, because a view model's own `deinit` is not isolated.
  private final class Life: Sendable {
    init() { living.withLock { $0 += 1 } }
    deinit { living.withLock { $0 -= 1 } }
  }

  func start(_ context: Context<NoConfig>) {
    self.context = context
    wait.start(work) { try await self.pause() }
    queue.start(queued) { try await self.pause() }
    delay.start(delayed, pause)
    overlap.start(together) { try await self.pause() }
    bindState()
    loop.start(work) {
      while true {
        try? await self.timer.sleep(for: .seconds(1))
        self.state.value += 1
        self.context?.log(.debug, "again")
      }
    }
    yield.start(work) { while true { await Task.yield() } }
    unstructured.on { Task { try await self.pause() } }
    cancel.on { self.work.cancel() }
    ping.on { self.pong.emit() }
  }
}

extension Mortal {
  private func bindState() {
    let number = TwoWayBinding<Int, Int>(
      0, input: enter, field: state, read: { self.clamped($0) }, show: { self.clamped($0) })
    CombineLatest(enter, wait).on { _, _ in
      number.bind()
      self.state.value += 1
    }
  }

  private func clamped(_ number: Int) -> Int { max(number, 0) }

  private func pause() async throws {
    state.value += 1
    try await timer.sleep(for: .seconds(1))
    state.value += 1
  }
}

extension KitTests {
  @Suite struct Lifetimes {
    let host = TestHost(Mortal.self)

    /// Ways to bring an instance into a state from which it is destroyed.
    static let states: [(name: String, prepare: @Sendable (TestInstance) throws -> Void)] = [
      ("first events not polled", { _ in }),
      ("idle", { _ = $0.poll() }),
      ("some first events polled", { _ = $0.next() }),
      ("an input not polled", { try $0.send(kind: Int(VM_INPUT), "ping") }),
      ("a run that waits", { _ = try $0.input("wait") }),
      (
        "an answer not polled",
        {
          _ = try $0.input("wait")
          try $0.send(kind: Int(VM_REPLY), id: 1, "timer")
        }
      ),
      ("queued runs", { for _ in 0..<3 { _ = try $0.input("queue") } }),
      ("a delayed run", { _ = try $0.input("delay") }),
      ("concurrent runs", { for _ in 0..<3 { _ = try $0.input("overlap") } }),
      ("very many concurrent runs", { for _ in 0..<12_000 { _ = try $0.input("overlap") } }),
      (
        "a bound state and combined inputs",
        {
          _ = try $0.input("wait")
          for number in 1...2 { _ = try $0.input("enter", "\(number)") }
        }
      ),
      ("a run that ignores cancellation", { _ = try $0.input("loop") }),
      ("a run that never ends", { try $0.send(kind: Int(VM_INPUT), "yield") }),
      ("a task of the author's own", { _ = try $0.input("unstructured") }),
      (
        "a cancelled run not polled",
        {
          _ = try $0.input("wait")
          try $0.send(kind: Int(VM_INPUT), "cancel")
        }
      ),
    ]

    @Test(arguments: states.indices)
    func `destroy is legal in every state and frees all`(_ index: Int) throws {
      let state = Lifetimes.states[index]
      let before = living.withLock { $0 }
      let other = try host.open("test.mortal")
      let instance = try host.create("test.mortal")
      try state.prepare(instance)
      instance.destroy()
      // The manifest's prototype is gone at once, so only `other` is left, or what runs for ever.
      let isEndless = state.name == "a run that ignores cancellation"
      #expect(living.withLock { $0 } == before + (isEndless ? 2 : 1), "\(state.name)")
      #expect(try other.input("ping").first == "< pong", "\(state.name)")
      #expect(other.lastStatus == Int(VM_IDLE), "\(state.name)")
      other.destroy()
      #expect(living.withLock { $0 } == before + (isEndless ? 1 : 0), "\(state.name)")
    }

    @Test func `a cancelled run that ignores it doesn't keep poll from returning`() throws {
      let instance = try host.open("test.mortal")
      _ = try instance.input("loop")
      let lines = try instance.input("cancel")
      #expect(lines.first == "x 1 timer")
      // What it logs is not dropped: a log says what happened. Its states are.
      #expect(!lines.contains { $0.hasPrefix("<") })
      #expect(try instance.input("ping").first == "< pong")
    }

    @Test func `a loop without end makes poll fail rather than hang`() throws {
      let instance = try host.open("test.mortal")
      #expect(
        try instance.input("yield") == [
          "log error \"The plugin's tasks took 100000 turns without an event,"
            + " as in an endless loop.\""
        ])
      #expect(instance.lastStatus == Int(VM_E_FAILED))
    }

    @Test func `an idle poll tells whether other instances have events`() throws {
      let one = try host.open("test.mortal")
      let other = try host.create("test.mortal")
      #expect(one.poll() == [])
      #expect(one.lastStatus == Int(VM_IDLE_OTHERS))
      #expect(other.poll() == ["< state 0"])
      #expect(other.lastStatus == Int(VM_IDLE))
      #expect(one.poll() == [])
      #expect(one.lastStatus == Int(VM_IDLE))
      try other.send(kind: Int(VM_INPUT), "ping")
      _ = one.poll()
      #expect(one.lastStatus == Int(VM_IDLE_OTHERS))
      other.destroy()
      _ = one.poll()
      #expect(one.lastStatus == Int(VM_IDLE))
    }

    @Test func `many instances don't disturb each other`() throws {
      let instances = try (0..<500).map { _ in try host.open("test.mortal") }
      for instance in instances {
        #expect(
          try instance.input("wait") == ["< state 1", "? 1 timer {\"after\":\"1s\"}"])
      }
      for instance in instances.reversed() {
        #expect(try instance.reply(1, "timer") == ["< state 2"])
      }
    }

    @Test func `a prototype emits nothing and is freed`() throws {
      let before = living.withLock { $0 }
      _ = TestHost(Mortal.self).manifest
      #expect(living.withLock { $0 } == before)
    }
  }
}
