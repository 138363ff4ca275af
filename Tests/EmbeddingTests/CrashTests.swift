import HostCore
import Testing

/// Plugins that fail, and an app that goes on.
struct CrashTests {
  private static let crash = """
    brokenPlugin: brokenfixture.so crashed with signal 11 (Segmentation fault) while it handled \
    the input "go".
    """

  @Test func `a crash is an error of the call and of all outputs`() async throws {
    let session = try await Fixture.session("brokenfixture")
    let good = try await Fixture.broken(in: session, as: "good")
    let bad = try await Fixture.broken("crash-in-send", in: session, as: "bad")
    let (outputs, others) = (good.outputs(), bad.outputs())
    try await good.emit("16 0 said 1")
    #expect(await words { try await bad.send("go") } == Self.crash)
    // What came before is there first.
    var said: [String] = []
    #expect(
      await words { for try await output in outputs { said.append("\(output)") } } == Self.crash)
    #expect(said == ["said 1"])
    #expect(await words { for try await _ in others {} } == Self.crash)
    #expect(await words { for try await _ in good.outputs() {} } == Self.crash)
    // The session is over, and what was known is still known.
    #expect(await words { try await good.send("go") } == Self.crash)
    #expect(await words { try await session.idle() } == Self.crash)
    #expect(await words { _ = try await session.open("broken") } == Self.crash)
    #expect(good.frame["second"] == "2")
    await session.close()
  }

  @Test func `another session doesn't notice`() async throws {
    let other = try await Fixture.session("brokenfixture")
    let good = try await Fixture.broken(in: other)
    let session = try await Fixture.session("brokenfixture")
    let bad = try await Fixture.broken("crash-in-send", in: session)
    #expect(await words { try await bad.send("go") } == Self.crash)
    let outputs = good.outputs()
    try await good.emit("16 0 said \"fine\"")
    await other.close()
    #expect(try await lines(of: outputs) == ["said \"fine\""])
  }

  @Test func `a hang is an error after the time that a step may take`() async throws {
    let options = SessionOptions(clock: .virtual, stepTimeout: .milliseconds(300))
    let session = try await Fixture.session("brokenfixture", options: options)
    let bad = try await Fixture.broken("hang-in-send", in: session)
    #expect(
      await words { try await bad.send("go") } == """
        brokenPlugin: brokenfixture.so hangs: it did not return within 300ms while it handled \
        the input "go".
        """)
  }

  @Test func `a step may take a nanosecond at least`() async throws {
    let hurry = Duration(secondsComponent: 0, attosecondsComponent: 1)
    let options = SessionOptions(clock: .virtual, stepTimeout: hurry)
    let session = try await Fixture.session("brokenfixture", options: options)
    let said = await words {
      let bad = try await Fixture.broken("hang-in-send", in: session)
      try await bad.send("go")
    }
    // Where it stands when that is over is a matter of luck.
    #expect(said.hasPrefix("brokenPlugin: "))
    #expect(said.contains(" within 1ns "))
    await session.close()
  }

  @Test(arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(365 * 86_400)])
  func `a step may take very long`(_ time: Duration) async throws {
    let options = SessionOptions(clock: .virtual, stepTimeout: time)
    let session = try await Fixture.session("echo", options: options)
    let echo = try await session.open("echo")
    let outputs = echo.outputs()
    try await echo.send("say", 1)
    await session.close()
    #expect(try await lines(of: outputs) == ["said 1"])
  }

  @Test func `a broken contract ends the session, a fault of the plugin's code doesn't`()
    async throws
  {
    let session = try await Fixture.session("kitfixture", "brokenfixture")
    let faults = try await session.open("kit.faults")
    let outputs = faults.outputs()
    try await faults.send("throwNow")
    try await faults.send("fine")
    let bad = try await Fixture.broken("bad-json", in: session)
    let broken = await words { try await bad.send("go") }
    #expect(broken.hasPrefix("brokenPlugin: brokenfixture.so broke its contract at the input"))
    var said: [String] = []
    #expect(await words { for try await output in outputs { said.append("\(output)") } } == broken)
    #expect(said == ["ok"])
  }

  @Test func `who waits for a session is told of its end`() async throws {
    let session = try await Fixture.session("brokenfixture", options: SessionOptions())
    let bad = try await Fixture.broken("crash-in-send", in: session)
    async let idle = words { try await session.advance(by: .seconds(3600)) }
    #expect(await words { try await bad.send("go") } == Self.crash)
    #expect(await idle == Self.crash)
  }
}
