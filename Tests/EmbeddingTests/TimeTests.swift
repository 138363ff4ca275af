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

  @Test func `gives up where timers go on for ever, and goes on`() async throws {
    let session = try await Fixture.session("brokenfixture")
    let broken = try await Fixture.broken(in: session)
    for hours in [25, 26] { try await broken.emit("17 \(hours) timer {\"after\":\"\(hours)h\"}") }
    #expect(
      await words { try await session.idle() } == """
        endless: idle() gave up after 25h: timers go on for ever. Let a fixed time pass instead, \
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
    ]
    for wait in waits {
      wait.cancel()
      #expect(await wait.value == cancelled)
    }
    try await ticker.send("start")
    await session.close()
  }
}
