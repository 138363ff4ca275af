import HostCore
import Testing

/// Time that passes in sessions.
struct TimeTests {
  @Test func `virtual time is exact`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ticker = try await session.open("kit.ticker")
    let outputs = ticker.outputs()
    try await session.advance(by: .milliseconds(250))
    try await ticker.send("start")
    try await session.advance(by: .milliseconds(999))
    try await session.advance(by: .milliseconds(1))
    try await session.advance(by: .seconds(7200))
    #expect(try await session.time == .milliseconds(7_201_250))
    await session.close()
    var number = 0
    for try await output in outputs {
      number += 1
      #expect("\(output)" == "ticked \(number)")
      #expect(output.time == .milliseconds(250) + .seconds(number))
    }
    #expect(number == 7201)
  }

  @Test func `an idle session has no timer left`() async throws {
    let session = try await Fixture.session("kitfixture")
    let works = try await session.open("kit.works")
    let outputs = works.outputs()
    try await session.idle()
    #expect(try await session.time == .zero)
    try await works.send("debounced", "a")
    try await session.idle()
    #expect(try await session.time == .milliseconds(1300))
    await session.close()
    #expect(
      try await lines(of: outputs)
        == ["busy true", "began \"a\"", "ended \"a\"", "busy false"])
  }

  @Test func `gives up where timers never end, and goes on`() async throws {
    let session = try await Fixture.session("brokenfixture")
    let broken = try await Fixture.broken(in: session)
    for hours in [25, 26] { try await broken.emit("17 \(hours) timer {\"after\":\"\(hours)h\"}") }
    #expect(
      await words { try await session.idle() } == """
        endless: idle() gave up after 25h: timers never end. Let a fixed time pass instead, \
        as in advance(by: .seconds(5)).
        """)
    let outputs = broken.outputs()
    try await session.advance(by: .seconds(3600))
    await session.close()
    #expect(try await lines(of: outputs).count == 1)
  }

  @Test func `a live clock lets timers fire by itself`() async throws {
    let session = try await Fixture.session("kitfixture", options: SessionOptions())
    let works = try await session.open("kit.works")
    let outputs = works.outputs()
    let start = try await session.time
    async let waiting: Void = session.advance(by: .milliseconds(50))
    // What is sent meanwhile doesn't wait for that.
    try await works.send("latest", "a")
    try await waiting
    #expect(try await session.time - start >= .milliseconds(50))
    var iterator = outputs.makeAsyncIterator()
    for line in ["busy true", "began \"a\"", "ended \"a\"", "busy false"] {
      #expect(try await iterator.next()?.description == line)
    }
    try await session.idle()
    await session.close()
    #expect(try await iterator.next() == nil)
  }

  @Test func `a task that waits can be cancelled`() async throws {
    let session = try await Fixture.session("kitfixture", options: SessionOptions())
    let ticker = try await session.open("kit.ticker")
    try await ticker.send("start")
    let cancelled = "cancelled: the task that waited was cancelled."
    let waits = [
      Task { await words { try await session.idle() } },
      Task { await words { try await session.advance(by: .seconds(3600)) } },
      Task { await words { try await session.advance(by: .seconds(Int64.max)) } },
    ]
    for wait in waits {
      wait.cancel()
      #expect(await wait.value == cancelled)
    }
    try await ticker.send("start")
    await session.close()
  }

  /// As long as it takes to fire a thousand million timers.
  private static let ages = Duration.seconds(1_000_000_000)

  @Test func `virtual time that takes long to pass ends with its task, and stays exact`()
    async throws
  {
    let session = try await Fixture.session("kitfixture")
    let ticker = try await session.open("kit.ticker")
    let outputs = ticker.outputs()
    try await ticker.send("start")
    let advance = Task { await words { try await session.advance(by: Self.ages) } }
    var iterator = outputs.makeAsyncIterator()
    #expect(try await iterator.next()?.description == "ticked 1")
    advance.cancel()
    #expect(await advance.value == "cancelled: the task that waited was cancelled.")
    let reached = try await session.time
    #expect(reached >= .seconds(1) && reached < Self.ages)
    // It goes on from there.
    try await session.advance(by: .milliseconds(2500))
    #expect(try await session.time == reached + .milliseconds(2500))
    await session.close()
    var count = 1
    while let output = try await iterator.next() {
      count += 1
      let isExact = output.description == "ticked \(count)" && output.time == .seconds(count)
      if !isExact { Issue.record("\(output) at \(output.time)") }
    }
    #expect(.seconds(count) == reached + .seconds(2))
  }

  @Test func `closing a session ends virtual time that takes long to pass`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ticker = try await session.open("kit.ticker")
    var iterator = ticker.outputs().makeAsyncIterator()
    try await ticker.send("start")
    let advance = Task { await words { try await session.advance(by: Self.ages) } }
    #expect(try await iterator.next()?.description == "ticked 1")
    await session.close()
    #expect(await advance.value == "closed: the session is closed.")
    while let output = try await iterator.next() { #expect(output.name == "ticked") }
  }

  @Test func `what is asked for while virtual time passes comes after it`() async throws {
    let session = try await Fixture.session("kitfixture")
    let ticker = try await session.open("kit.ticker")
    var iterator = ticker.outputs().makeAsyncIterator()
    try await ticker.send("start")
    async let advance: Void = session.advance(by: .seconds(7200))
    #expect(try await iterator.next()?.description == "ticked 1")
    #expect(try await session.time == .seconds(7200))
    try await advance
    await session.close()
  }

  @Test func `many timers of one time all fire at it`() async throws {
    let session = try await Fixture.session("brokenfixture")
    let broken = try await Fixture.broken(in: session)
    for number in 1...600 { try await broken.emit("17 \(number) timer {\"after\":\"1s\"}") }
    let outputs = broken.outputs()
    try await session.advance(by: .seconds(1))
    await session.close()
    var times: [Duration] = []
    for try await output in outputs { times.append(output.time) }
    #expect(times == Array(repeating: .seconds(1), count: 600))
  }

  @Test func `time ends where it can't be counted on`() async throws {
    let session = try await Fixture.session("kitfixture")
    let works = try await session.open("kit.works")
    try await session.advance(by: .seconds(1))
    for span in [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(1)] {
      try await session.advance(by: span)
      #expect(try await session.time == .nanoseconds(Int64.max))
    }
    // What is to come later comes at once.
    let outputs = works.outputs()
    try await works.send("debounced", "a")
    try await session.idle()
    #expect(
      await words { try await session.advance(by: .seconds(Int64.min)) }
        .hasPrefix("invalid: time can't go back by "))
    await session.close()
    #expect(
      try await lines(of: outputs)
        == ["busy true", "began \"a\"", "ended \"a\"", "busy false"])
  }
}
