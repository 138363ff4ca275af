import HostCore
import Testing

/// Who answers what view models ask for.
struct EffectTests {
  private struct City: Codable { var city: String }

  private struct Unexpected: Error, CustomStringConvertible {
    var description: String { "the map is upside down" }
  }

  @Test func `a closure answers, and the clock stands meanwhile`() async throws {
    let options = SessionOptions(
      clock: .virtual,
      effects: [
        "geo.locate": .handler { request in
          let name = try request.decode(as: City.self).city
          if name == "Atlantis" { throw EffectFailure(code: "not-found", message: "sunk") }
          if name == "Terra" { throw Unexpected() }
          await Task.yield()
          return City(city: "\(request.effect) of \(request.instance): \(name)")
        }
      ])
    let session = try await Fixture.session("kitfixture", options: options)
    let effects = try await session.open("kit.effects")
    let outputs = effects.outputs()
    for name in ["Oslo", "Atlantis", "Terra"] {
      try await effects.send("locate", City(city: name))
      try await session.idle()
    }
    #expect(try await session.time == .zero)
    await session.close()
    #expect(
      try await lines(of: outputs) == [
        "result \"geo.locate of effects: Oslo\"",
        "failed {\"code\":\"not-found\",\"message\":\"sunk\"}",
        "failed {\"code\":\"failed\",\"message\":\"the map is upside down\"}",
      ])
  }

  @Test func `a closure may answer with no value`() async throws {
    let options = SessionOptions(
      clock: .virtual,
      effects: [
        "ping": .handler { request in
          if request.json != nil { throw EffectFailure(code: "failed", message: "a value came") }
        }
      ])
    let session = try await Fixture.session("kitfixture", options: options)
    let effects = try await session.open("kit.effects")
    let outputs = effects.outputs()
    try await effects.send("ping")
    try await session.idle()
    await session.close()
    #expect(try await lines(of: outputs) == ["result \"pong\""])
  }

  @Test func `no value is no null`() async throws {
    let options = SessionOptions(
      clock: .virtual,
      effects: ["printer": .handler { _ in }, "http": .handler { _ in String?.none }])
    let session = try await Fixture.session("brokenfixture", options: options)
    let broken = try await Fixture.broken(in: session)
    var outputs = broken.outputs().makeAsyncIterator()
    try await broken.emit("17 1 printer")
    // What the fixture calls "none" is no bytes at all.
    #expect(
      try await outputs.next()?.json
        == "{\"effect\":\"printer\",\"id\":1,\"kind\":2,\"time\":0,\"value\":\"none\"}")
    try await broken.emit("17 2 http")
    #expect(
      try await outputs.next()?.json
        == "{\"effect\":\"http\",\"id\":2,\"kind\":2,\"time\":0,\"value\":null}")
    await session.close()
  }

  @Test func `a closure can take over what the session answers itself`() async throws {
    let options = SessionOptions(
      clock: .virtual, effects: ["storage.get": .handler { _ in ["from": "the app"] }])
    let session = try await Fixture.session("kitfixture", options: options)
    let effects = try await session.open("kit.effects")
    let outputs = effects.outputs()
    try await effects.send("storageGet", "a")
    try await session.idle()
    await session.close()
    #expect(try await lines(of: outputs) == ["result \"{\\\"from\\\":\\\"the app\\\"}\""])
  }

  @Test func `a task whose answer nobody wants is cancelled`() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Bool.self)
    let options = SessionOptions(
      clock: .virtual,
      effects: [
        "printer": .handler { _ in
          begin.yield()
          // A stream that says nothing ends only for a task that is cancelled.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          end.yield(Task.isCancelled)
          return 0
        }
      ])
    let session = try await Fixture.session("brokenfixture", options: options)
    let broken = try await Fixture.broken(in: session)
    let outputs = broken.outputs()
    var beginnings = begun.makeAsyncIterator()
    var ends = ended.makeAsyncIterator()
    try await broken.emit("17 1 printer")
    await beginnings.next()
    try await broken.emit("18 1 printer")
    #expect(await ends.next() == true)
    try await broken.emit("17 2 printer")
    await beginnings.next()
    try await broken.close()
    #expect(await ends.next() == true)
    // Nobody is waited for any more.
    try await session.idle()
    await session.close()
    #expect(try await lines(of: outputs) == [])
  }

  @Test func `an answer that the plugin refuses is a line in the log`() async throws {
    let log = Gathered<String>()
    let options = SessionOptions(
      clock: .virtual, effects: ["printer": .handler { _ in 1 }], log: { log.add("\($0)") })
    let session = try await Fixture.session("brokenfixture", options: options)
    let broken = try await Fixture.broken("refuse-replies", in: session)
    try await broken.emit("17 1 printer")
    try await session.idle()
    try await broken.emit("16 0 said 1")
    await session.close()
    #expect(
      log.all
        == ["warning: broken refused the reply to its \"printer\": no answer was wanted"])
  }

  @Test func `a program answers`() async throws {
    let script = """
      while IFS= read -r line; do id=${line#*'"id":'}; id=${id%%,*}
      echo '{"kind":"reply","id":'"$id"',"value":{"city":"Rome"}}'; done
      """
    let options = SessionOptions(
      clock: .virtual, effects: ["geo.locate": .command(script), "ping": .command("exit 3")])
    let session = try await Fixture.session("kitfixture", options: options)
    let effects = try await session.open("kit.effects")
    let outputs = effects.outputs()
    try await effects.send("locate", City(city: "Ostia"))
    try await effects.send("ping")
    try await session.idle()
    await session.close()
    #expect(
      try await lines(of: outputs) == [
        "result \"Rome\"",
        """
        failed {"code":"failed","message":"the provider of \\"ping\\" failed: it ended (exit \
        status 3)"}
        """,
      ])
  }

  @Test(arguments: [true, false])
  func `a program ends with its session, and so does what it started`(
    _ isClosed: Bool
  ) async throws {
    let script = """
      read line; sleep 1000 >/dev/null 2>&1 &
      echo '{"kind":"reply","id":1,"value":{"city":"'"$$ $!"'"}}'
      read line
      """
    let options = SessionOptions(clock: .virtual, effects: ["geo.locate": .command(script)])
    var session: Session? = try await Fixture.session("kitfixture", options: options)
    var effects = try await session?.open("kit.effects")
    let outputs = effects?.outputs()
    try await effects?.send("locate", City(city: "Ostia"))
    try await session?.idle()
    if isClosed { await session?.close() }
    (session, effects) = (nil, nil)
    // They end when the session has ended.
    let lines = try await lines(of: try #require(outputs))
    let processes = try #require(lines.first).split(separator: "\"")[1].split(separator: " ")
    try #require(processes.count == 2)
    for process in processes {
      let deadline = ContinuousClock.now + .seconds(60)
      while Self.isAlive(process) { try #require(ContinuousClock.now < deadline) }
    }
  }

  /// Whether a process runs. A dead one that nobody has reaped doesn't.
  private static func isAlive(_ process: Substring) -> Bool {
    guard let stat = try? Files.read("/proc/\(process)/stat") else { return false }
    return !String(decoding: stat, as: UTF8.self).contains(") Z ")
  }

  @Test func `the log says what nobody answers`() async throws {
    let log = Gathered<String>()
    let session = try await Fixture.session(
      "brokenfixture", options: SessionOptions(clock: .virtual, log: { log.add("\($0)") }))
    let broken = try await Fixture.broken(in: session)
    try await broken.emit("17 1 printer 1")
    try await session.idle()
    await session.close()
    #expect(
      log.all == ["warning from broken: it asks for \"printer\", which nobody answers."])
  }
}
