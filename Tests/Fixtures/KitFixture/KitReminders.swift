import ViewModelKit

/// Timers that end at the same time, and what each of them asks for then.
final class KitReminders: ViewModel {
  static let id = "kit.reminders"

  /// Reads each of these keys when a timer of its own ends; all of them take 10 ms.
  let remind = Input<[String]>()
  /// Reads these keys one after the other, each when a timer ends that ends at once.
  let remindInTurn = Input<[String]>()
  /// As `remind`, but pings so many times instead.
  let ping = Input<Int>()
  let reminded = Signal<String>()

  let timer = Timer()
  let storage = Storage()
  let pinger = Effect<NoValue, NoValue>("ping")
  let work = Work(.queued)

  func start(_ context: Context<NoConfig>) {
    remind.start(work) { keys in
      try await withThrowingTaskGroup(of: String.self) { group in
        for key in keys {
          group.addTask {
            try await self.timer.sleep(for: .milliseconds(10))
            return key
          }
        }
        for try await key in group { try await self.read(key) }
      }
    }
    remindInTurn.start(work) { keys in
      for key in keys {
        try await self.timer.sleep(for: .zero)
        try await self.read(key)
      }
    }
    ping.start(work) { count in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await self.timer.sleep(for: .milliseconds(10))
            try await self.pinger.send()
          }
        }
        for try await _ in group { self.reminded.emit("pong") }
      }
    }
  }

  private func read(_ key: String) async throws {
    let value = try await storage.get(key, as: JSONValue.self)?.canonicalText
    reminded.emit("\(key) is \(value ?? "nothing")")
  }
}
