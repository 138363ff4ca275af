import PluginABI
import Testing
import ViewModelKit

private struct Mistake: Error, CustomStringConvertible {
  var description: String { "a mistake" }
}

/// One input for each policy: emits "begin", sleeps, emits "end". And some special runs.
private final class Works: ViewModel {
  static let id = "test.works"

  let latest = Input<String>()
  let queued = Input<String>()
  let ignoring = Input<String>()
  let debounced = Input<String>()
  let debouncedQueue = Input<String>()
  let debouncedBusy = Input<String>()
  let cancelAll = Input<NoValue>()
  let report = Input<NoValue>()
  let immediate = Input<NoValue>()
  let nested = Input<NoValue>()
  let stubborn = Input<NoValue>()
  let group = Input<NoValue>()
  let fails = Input<Bool>()
  let failsLater = Input<Bool>()
  let selfCancel = Input<NoValue>()
  let yields = Input<Int>()

  let step = Signal<String>()
  let running = Signal<[Bool]>()
  let shown = State("")

  let timer = Timer()
  let latestWork = Work(.latest)
  let queue = Work(.queued)
  let busy = Work(.ignoreWhileBusy)
  let debounce = Work(.latest, debounce: .milliseconds(300))
  let debounceQueue = Work(.queued, debounce: .seconds(1))
  let debounceBusy = Work(.ignoreWhileBusy, debounce: .microseconds(1500))
  let other = Work(.latest)

  private func run(_ name: String) async throws {
    step.emit("begin \(name)")
    try await timer.sleep(for: .seconds(1))
    step.emit("end \(name)")
  }

  func start(_ context: Context<NoConfig>) {
    latest.start(latestWork) { try await self.run($0) }
    queued.start(queue) { try await self.run($0) }
    ignoring.start(busy) { try await self.run($0) }
    debounced.start(debounce) { try await self.run($0) }
    debouncedQueue.start(debounceQueue) { try await self.run($0) }
    debouncedBusy.start(debounceBusy) { try await self.run($0) }
    cancelAll.on {
      for work in [self.latestWork, self.queue, self.busy, self.debounce] { work.cancel() }
      self.shown.value = "cancelled"
    }
    report.on {
      self.running.emit(
        [self.latestWork, self.queue, self.busy, self.debounce].map(\.isRunning))
    }
    startSpecialRuns()
  }

  private func startSpecialRuns() {
    immediate.on {
      self.step.emit("before")
      self.other.start {
        self.step.emit("in run")
        await Task.yield()
        self.step.emit("after yield")
      }
      self.step.emit("after")
    }
    nested.start(latestWork) {
      self.step.emit("outer 1")
      self.other.start {
        self.step.emit("inner 1")
        await Task.yield()
        self.step.emit("inner 2 \(Task.isCancelled)")
      }
      self.step.emit("outer 2 \(Task.isCancelled)")
      await Task.yield()
      self.step.emit("outer 3")
    }
    stubborn.start(latestWork) {
      defer {
        self.shown.value = "cleaned up"
        self.queue.start { self.step.emit("never") }
      }
      do {
        try await self.timer.sleep(for: .seconds(1))
      } catch {
        self.step.emit("caught")
        self.shown.value = "\(error)"
        try await self.timer.sleep(for: .seconds(2))
        self.step.emit("never")
      }
    }
    group.start(latestWork) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 1...3 {
          group.addTask {
            try await self.timer.sleep(for: .seconds(index))
            return index
          }
        }
        for try await index in group { self.step.emit("done \(index)") }
      }
    }
    fails.on { fails in
      self.step.emit("here")
      if fails { throw Mistake() }
    }
    fails.on { _ in self.step.emit("second") }
    failsLater.start(latestWork) { fails in
      try await self.timer.sleep(for: .seconds(1))
      if fails { throw Mistake() }
      throw CancellationError()
    }
    selfCancel.start(latestWork) {
      self.latestWork.cancel()
      self.step.emit("still here")
      try await self.timer.sleep(for: .seconds(1))
      self.step.emit("never")
    }
    yields.start(queue) { count in
      for _ in 0..<count { await Task.yield() }
      self.step.emit("yielded")
    }
  }
}

extension KitTests {
  @Suite struct WorkPolicies {
    let instance: TestInstance

    init() throws { instance = try TestHost(Works.self).open("test.works") }

    @Test func `a run goes on where its effect was answered`() throws {
      #expect(
        try instance.input("latest", "\"a\"")
          == ["< step \"begin a\"", "? 1 timer {\"after\":\"1s\"}"])
      #expect(try instance.reply(1, "timer") == ["< step \"end a\""])
    }

    @Test func `latest cancels the run in flight at once`() throws {
      _ = try instance.input("latest", "\"a\"")
      #expect(
        try instance.input("latest", "\"b\"")
          == ["x 1 timer", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
      let refused = try refusal { _ = try instance.reply(1, "timer") }
      #expect(
        refused
          == Refused(
            status: Int(VM_E_ID), message: "No open request of \"test.works\" has the id 1."))
      #expect(try instance.reply(2, "timer") == ["< step \"end b\""])
    }

    @Test func `queued runs come one after another`() throws {
      _ = try instance.input("queued", "\"a\"")
      #expect(try instance.input("queued", "\"b\"") == [])
      #expect(try instance.input("queued", "\"c\"") == [])
      #expect(
        try instance.reply(1, "timer")
          == ["< step \"end a\"", "< step \"begin b\"", "? 2 timer {\"after\":\"1s\"}"])
      _ = try instance.reply(2, "timer")
      #expect(try instance.reply(3, "timer") == ["< step \"end c\""])
    }

    @Test func `a long queue of short runs doesn't nest`() throws {
      _ = try instance.input("queued", "\"a\"")
      for _ in 0..<20_000 { _ = try instance.input("yields", "0") }
      #expect(try instance.reply(1, "timer").count == 20_001)
    }

    @Test func `ignoreWhileBusy drops what comes meanwhile`() throws {
      _ = try instance.input("ignoring", "\"a\"")
      #expect(try instance.input("ignoring", "\"b\"") == [])
      #expect(try instance.reply(1, "timer") == ["< step \"end a\""])
      #expect(try instance.input("ignoring", "\"c\"").first == "< step \"begin c\"")
    }

    @Test func `a debounced run waits until no start has come for that long`() throws {
      #expect(try instance.input("debounced", "\"a\"") == ["? 1 timer {\"after\":\"300ms\"}"])
      #expect(
        try instance.input("debounced", "\"b\"")
          == ["x 1 timer", "? 2 timer {\"after\":\"300ms\"}"])
      #expect(
        try instance.reply(2, "timer")
          == ["< step \"begin b\"", "? 3 timer {\"after\":\"1s\"}"])
    }

    @Test func `a debounced latest run replaces the one in flight when it begins`() throws {
      _ = try instance.input("debounced", "\"a\"")
      _ = try instance.reply(1, "timer")
      #expect(try instance.input("debounced", "\"b\"") == ["? 3 timer {\"after\":\"300ms\"}"])
      #expect(
        try instance.reply(3, "timer")
          == ["x 2 timer", "< step \"begin b\"", "? 4 timer {\"after\":\"1s\"}"])
    }

    @Test func `a debounced queue takes the last of each burst`() throws {
      _ = try instance.input("debouncedQueue", "\"a\"")
      _ = try instance.reply(1, "timer")
      _ = try instance.input("debouncedQueue", "\"b\"")
      #expect(
        try instance.input("debouncedQueue", "\"c\"")
          == ["x 3 timer", "? 4 timer {\"after\":\"1s\"}"])
      #expect(try instance.reply(4, "timer") == [])
      #expect(try instance.reply(2, "timer").first == "< step \"end a\"")
    }

    @Test func `a debounced ignoring work asks no timer while it is busy`() throws {
      #expect(
        try instance.input("debouncedBusy", "\"a\"") == ["? 1 timer {\"after\":\"1500us\"}"])
      _ = try instance.reply(1, "timer")
      #expect(try instance.input("debouncedBusy", "\"b\"") == [])
    }

    @Test func `cancel ends runs, queues and delays`() throws {
      for name in ["latest", "queued", "queued", "ignoring", "debounced"] {
        _ = try instance.input(name, "\"a\"")
      }
      #expect(try instance.input("report") == ["< running [true,true,true,true]"])
      #expect(
        try instance.input("cancelAll")
          == ["x 1 timer", "x 2 timer", "x 3 timer", "x 4 timer", "< shown \"cancelled\""])
      #expect(try instance.input("report") == ["< running [false,false,false,false]"])
    }

    @Test func `a run begins inside the event that starts it`() throws {
      #expect(
        try instance.input("immediate") == [
          "< step \"before\"", "< step \"in run\"", "< step \"after\"", "< step \"after yield\"",
        ])
    }

    @Test func `an event's bytes stay while other instances are polled`() throws {
      let other = try TestHost(Works.self).open("test.works")
      try instance.send(kind: Int(VM_INPUT), "immediate")
      let first = instance.next {
        #expect(other.poll() == [])
        #expect(other.lastStatus == Int(VM_IDLE_OTHERS))
      }
      #expect(first == "< step \"before\"")
      #expect(
        instance.poll() == ["< step \"in run\"", "< step \"after\"", "< step \"after yield\""])
    }

    @Test func `a run can start another one`() throws {
      #expect(
        try instance.input("nested") == [
          "< step \"outer 1\"", "< step \"inner 1\"", "< step \"outer 2 false\"",
          "< step \"inner 2 false\"", "< step \"outer 3\"",
        ])
    }

    @Test func `a cancelled run can emit, ask and start nothing`() throws {
      #expect(try instance.input("stubborn") == ["? 1 timer {\"after\":\"1s\"}"])
      #expect(try instance.input("cancelAll") == ["x 1 timer", "< shown \"cancelled\""])
      #expect(instance.poll() == [])
    }

    @Test func `cancellation reaches all children of a run`() throws {
      #expect(
        try instance.input("group") == [
          "? 1 timer {\"after\":\"1s\"}", "? 2 timer {\"after\":\"2s\"}",
          "? 3 timer {\"after\":\"3s\"}",
        ])
      #expect(try instance.reply(2, "timer") == ["< step \"done 2\""])
      let cancelled = try instance.input("cancelAll")
      #expect(Set(cancelled) == ["x 1 timer", "x 3 timer", "< shown \"cancelled\""])
    }

    @Test func `what a handler throws is a log and a fault of its input`() throws {
      #expect(
        try instance.input("fails", "true") == [
          "< step \"here\"", "log error \"\\\"fails\\\" failed: a mistake\"",
          "fault fails \"a mistake\"", "< step \"second\"",
        ])
      #expect(try instance.input("fails", "false") == ["< step \"here\"", "< step \"second\""])
    }

    @Test func `what a run throws is a fault of the input that started it`() throws {
      _ = try instance.input("failsLater", "true")
      #expect(
        try instance.reply(1, "timer") == [
          "log error \"\\\"failsLater\\\" failed: a mistake\"", "fault failsLater \"a mistake\"",
        ])
    }

    @Test func `a CancellationError of a run that nobody cancelled is a fault`() throws {
      _ = try instance.input("failsLater", "false")
      #expect(try instance.reply(1, "timer").last?.hasPrefix("fault failsLater ") == true)
    }

    @Test func `a run that cancels itself ends at its next effect`() throws {
      #expect(
        try instance.input("selfCancel") == [
          "< step \"still here\"", "? 1 timer {\"after\":\"1s\"}", "x 1 timer",
        ])
      #expect(instance.poll() == [])
    }

    @Test func `a failed timer of a debounce is a fault, and the work goes on`() throws {
      _ = try instance.input("debounced", "\"a\"")
      #expect(try instance.fail(1, "timer", code: "odd").last == "fault debounced \"odd: no luck\"")
      #expect(try instance.input("debounced", "\"b\"") == ["? 2 timer {\"after\":\"300ms\"}"])
    }
  }
}
