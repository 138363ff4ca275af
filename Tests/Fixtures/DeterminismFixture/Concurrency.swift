import ViewModelKit

/// What Swift's concurrency does in which order, and when.
final class Concurrency: ViewModel {
  static let id = "sources.concurrency"

  let task = Input<NoValue>()
  let detached = Input<NoValue>()
  let group = Input<NoValue>()
  let children = Input<NoValue>()
  let actors = Input<NoValue>()
  let mainActor = Input<NoValue>()
  let sleep = Input<Int>()
  let race = Input<NoValue>()
  let stream = Input<NoValue>()
  let yieldForever = Input<NoValue>()
  let sleepForever = Input<NoValue>()
  /// Waits for a sleep that all instances share, whoever asked first.
  let share = Input<Int>()
  let saw = Signal<String>()

  private static var shared: Task<Int, Never>?
  private var context: Context<NoConfig>?

  func start(_ context: Context<NoConfig>) {
    self.context = context
    task.on { Task { self.say("task") } }
    detached.on {
      Task.detached { [self] in
        let sum = (0..<100).reduce(0, +)
        await say("detached \(sum)")
      }
    }
    group.on { Task { self.say("group \(await Self.inGroup())") } }
    children.on {
      Task {
        async let first = Self.slow(3)
        async let second = Self.slow(1)
        self.say("children \(await first) \(await second)")
      }
    }
    actors.on { Task { self.say("actors \(await Self.throughActors())") } }
    mainActor.on {
      Task { @MainActor in
        MainActor.assertIsolated()
        await self.say("main actor")
      }
    }
    sleep.on { milliseconds in
      Task {
        try await Task.sleep(for: .milliseconds(milliseconds))
        self.say("slept \(milliseconds)")
      }
    }
    race.on { Task { self.say("race \(await Self.race())") } }
    stream.on { Task { self.say("stream \(await Self.stream())") } }
    yieldForever.on { Task { while true { await Task.yield() } } }
    share.on { milliseconds in
      let shared =
        Self.shared
        ?? Task.detached {
          try? await Task.sleep(for: .milliseconds(milliseconds))
          return milliseconds
        }
      Self.shared = shared
      Task { self.say("shared \(await shared.value)") }
    }
    sleepForever.on {
      Task.detached {
        while !Task.isCancelled {
          try await Task.sleep(nanoseconds: 1_000_000_000)
          await self.say("tick")
        }
      }
    }
  }

  private func say(_ text: String) {
    saw.emit("\(text) at \(context?.now ?? .zero)")
  }

  @concurrent private static func slow(_ turns: Int) async -> Int {
    for _ in 0..<turns { await Task.yield() }
    return turns
  }

  /// In the order in which they end.
  @concurrent private static func inGroup() async -> [Int] {
    await withTaskGroup(of: Int.self) { group in
      for index in 0..<8 {
        group.addTask {
          try? await Task.sleep(for: .milliseconds((index * 7) % 5 * 100))
          return await slow(index % 3) * 10 + index
        }
      }
      var ended: [Int] = []
      for await index in group { ended.append(index) }
      return ended
    }
  }

  private actor Counter {
    private var entries: [String] = []

    func note(_ name: String) async {
      entries.append("\(name)+")
      await Task.yield()
      entries.append("\(name)-")
    }

    func all() -> [String] { entries }
  }

  @concurrent private static func throughActors() async -> [String] {
    let counter = Counter()
    await withDiscardingTaskGroup { group in
      for name in ["a", "b", "c"] { group.addTask { await counter.note(name) } }
    }
    return await counter.all()
  }

  /// Something quick against a time limit that is cancelled.
  @concurrent private static func race() async -> String {
    await withTaskGroup(of: String.self) { group in
      group.addTask {
        do {
          try await Task.sleep(for: .seconds(30))
          return "limit"
        } catch { return "cancelled" }
      }
      group.addTask {
        try? await Task.sleep(for: .milliseconds(200))
        return "quick"
      }
      let first = await group.next() ?? "nothing"
      group.cancelAll()
      return "\(first), then \(await group.next() ?? "nothing")"
    }
  }

  @concurrent private static func stream() async -> [Int] {
    let numbers = AsyncStream<Int> { continuation in
      Task {
        for number in 0..<3 {
          try? await Task.sleep(for: .milliseconds(10))
          continuation.yield(number)
        }
        continuation.finish()
      }
    }
    var found: [Int] = []
    for await number in numbers { found.append(number) }
    return found
  }
}
