import PluginABI
import Testing
import ViewModelKit

/// Works whose runs begin without their debounce, or beside each other.
private final class Starts: ViewModel {
  static let id = "test.starts"

  let later = Input<String>()
  let atOnce = Input<String>()
  let busyLater = Input<String>()
  let busyAtOnce = Input<String>()
  let plainAtOnce = Input<String>()
  let concurrent = Input<Int>()
  let cancel = Input<NoValue>()
  let report = Input<NoValue>()

  let step = Signal<String>()
  let running = Signal<Bool>()

  let timer = Timer()
  let latest = Work(.latest, debounce: .milliseconds(300))
  let busy = Work(.ignoreWhileBusy, debounce: .milliseconds(300))
  let plain = Work(.latest)
  let together = Work(.concurrent)

  private func run(_ name: String, seconds: Int = 1) async throws {
    step.emit("begin \(name)")
    try await timer.sleep(for: .seconds(seconds))
    step.emit("end \(name)")
  }

  func start(_ context: Context<NoConfig>) {
    later.start(latest) { try await self.run($0) }
    atOnce.on { name in self.latest.startAtOnce { try await self.run(name) } }
    busyLater.start(busy) { try await self.run($0) }
    busyAtOnce.on { name in self.busy.startAtOnce { try await self.run(name) } }
    plainAtOnce.on { name in self.plain.startAtOnce { try await self.run(name) } }
    concurrent.start(together) { seconds in
      guard seconds > 0 else { return self.step.emit("nothing to wait for") }
      try await self.run("\(seconds)", seconds: seconds)
    }
    cancel.on { self.together.cancel() }
    report.on { self.running.emit(self.together.isRunning) }
  }
}

extension KitTests {
  @Suite struct WorkStarts {
    let instance: TestInstance

    init() throws { instance = try TestHost(Starts.self).open("test.starts") }

    @Test func `a start at once drops the run that waits for its debounce`() throws {
      #expect(try instance.input("later", "\"a\"") == ["? 1 timer {\"after\":\"300ms\"}"])
      #expect(
        try instance.input("atOnce", "\"b\"")
          == ["x 1 timer", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
      #expect(try instance.reply(2, "timer") == ["< step \"end b\""])
    }

    @Test func `a start at once follows the policy`() throws {
      _ = try instance.input("atOnce", "\"a\"")
      #expect(
        try instance.input("atOnce", "\"b\"")
          == ["x 1 timer", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
      _ = try instance.input("busyAtOnce", "\"a\"")
      #expect(try instance.input("busyAtOnce", "\"b\"") == [])
    }

    @Test func `a debounced start leaves a run that began at once alone until it begins`() throws {
      _ = try instance.input("atOnce", "\"a\"")
      #expect(try instance.input("later", "\"b\"") == ["? 2 timer {\"after\":\"300ms\"}"])
      #expect(
        try instance.reply(2, "timer")
          == ["x 1 timer", "< step \"begin b\"", "? 3 timer {\"after\":\"1s\"}"])
    }

    @Test func `an ignoring work takes a start at once while it only waits`() throws {
      _ = try instance.input("busyLater", "\"a\"")
      #expect(
        try instance.input("busyAtOnce", "\"b\"")
          == ["x 1 timer", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
      #expect(try instance.input("busyLater", "\"c\"") == [])
    }

    @Test func `without a debounce every start is at once`() throws {
      _ = try instance.input("plainAtOnce", "\"a\"")
      #expect(
        try instance.input("plainAtOnce", "\"b\"")
          == ["x 1 timer", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
    }

    @Test func `concurrent runs go on beside each other`() throws {
      _ = try instance.input("concurrent", "3")
      #expect(
        try instance.input("concurrent", "1")
          == ["< step \"begin 1\"", "? 2 timer {\"after\":\"1s\"}"])
      #expect(try instance.input("concurrent", "0") == ["< step \"nothing to wait for\""])
      #expect(try instance.reply(2, "timer") == ["< step \"end 1\""])
      #expect(try instance.input("report") == ["< running true"])
      #expect(try instance.reply(1, "timer") == ["< step \"end 3\""])
      #expect(try instance.input("report") == ["< running false"])
    }

    @Test func `cancel ends all concurrent runs, in the order of their beginning`() throws {
      for seconds in 1...3 { _ = try instance.input("concurrent", "\(seconds)") }
      _ = try instance.reply(2, "timer")
      #expect(try instance.input("cancel") == ["x 1 timer", "x 3 timer"])
      #expect(try instance.input("report") == ["< running false"])
      #expect(try instance.input("concurrent", "4").first == "< step \"begin 4\"")
    }
  }
}
