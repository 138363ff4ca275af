import HostCore
import TestSupport
import Testing

/// What sessions are made with, and how they begin and end.
struct SessionTests {
  @Test func `a session knows its plugins`() async throws {
    let session = try await Fixture.session("echo", "hello")
    #expect(session.plugins.map(\.name) == ["echo.so", "hello.so"])
    #expect(session.plugins.map(\.id) == ["echo", "hello"])
    #expect(session.plugins.map(\.version) == ["1.0.0", "1.0.0"])
    #expect(session.plugins.map(\.viewModels) == [["echo"], ["hello.greeter"]])
    #expect(session.plugins[0].manifest["viewModels"]?[0]?["inputs"]?[0]?["name"] == "say")
    #expect(session.plugins.allSatisfy { $0.digest?.utf8.count == 64 })
    let missing = try Confinement.probe().missing().map(\.rawValue)
    #expect(session.plugins.allSatisfy { $0.missingLayers == missing })
    await session.close()
  }

  @Test func `options reach the view models`() async throws {
    let options = SessionOptions(
      clock: .virtual, seed: 7, time: .seconds(1_000_000), locale: "de_DE",
      timeZone: "Europe/Berlin")
    var rolls: [String] = []
    for _ in 0..<2 {
      let session = try await Fixture.session("kitfixture", options: options)
      let random = try await session.open("kit.random")
      let outputs = random.outputs()
      try await session.advance(by: .milliseconds(250))
      try await random.send("roll", 20)
      try await random.send("where")
      await session.close()
      let said = try await lines(of: outputs)
      #expect(
        said.last == """
          place {"epoch":1000000000000000,"locale":"de_DE","now":250,"timeZone":"Europe/Berlin"}
          """)
      rolls += said.dropLast()
    }
    #expect(rolls.count == 2)
    #expect(rolls.first == rolls.last)
  }

  @Test func `a store in a file outlives the session`() async throws {
    try await TemporaryDirectory.with { folder in
      let options = SessionOptions(clock: .virtual, store: .file(folder.file("store.db")))
      let first = try await Fixture.session("kitfixture", options: options)
      let setter = try await first.open("kit.effects")
      try await setter.send("storageSet", json: "{\"key\":\"a\",\"value\":[1,2]}")
      await first.close()
      let second = try await Fixture.session("kitfixture", options: options)
      let getter = try await second.open("kit.effects")
      let outputs = getter.outputs()
      try await getter.send("storageGet", "a")
      await second.close()
      #expect(try await lines(of: outputs) == ["result \"[1,2]\""])
    }
  }

  @Test func `secrets are replaced in all that an app sees`() async throws {
    let log = Gathered<String>()
    let asked = Gathered<String?>()
    let options = SessionOptions(
      clock: .virtual, secrets: ["key": "s3cr3t"],
      effects: [
        "printer": .handler { request in
          asked.add(request.json)
          return "s3cr3t"
        }
      ], log: { log.add("\($0)") })
    let session = try await Fixture.session("brokenfixture", options: options)
    let broken = try await session.open("broken", config: ["fault": "", "key": "$secret:key"])
    #expect(broken.frame["info"]?.contains("SECRET_key") == true)
    #expect(broken.frame["info"]?.contains("s3cr3t") == false)
    let outputs = broken.outputs()
    try await broken.emit("16 0 said \"s3cr3t\"")
    try await broken.emit("19 0 info \"s3cr3t\"")
    try await broken.emit("17 1 printer \"s3cr3t\"")
    try await session.idle()
    #expect(
      await words { try await broken.send("s3cr3t") }
        == "invalid: broken has no input \"SECRET_key\".")
    await session.close()
    let said = try await lines(of: outputs)
    #expect(said.first == "said \"SECRET_key\"")
    #expect(said.last?.hasSuffix(",\"value\":\"SECRET_key\"}") == true)
    #expect(log.all == ["info from broken: SECRET_key"])
    // Who answers gets what was meant.
    #expect(asked.all == ["\"s3cr3t\""])
  }

  @Test func `refuses a secret that would be found everywhere`() async {
    #expect(
      await words {
        _ = try await Fixture.session("echo", options: SessionOptions(secrets: ["pin": "123"]))
      } == """
        invalid: the secret "pin" has fewer than 4 bytes. Too much text would be replaced by \
        SECRET_pin.
        """)
  }

  @Test func `says why there is no session`() async throws {
    #expect(
      await words { _ = try await Fixture.session("./nothing") }
        == "notLoaded: Could not load \"./nothing.so\": there is no such file.")
    let elsewhere = Host(isolation: .confined(worker: "/nowhere/vmhost"))
    #expect(
      await words { _ = try await elsewhere.session(plugins: ["echo.so"]) } == """
        notLoaded: Could not load "echo.so": its worker could not be started: spawn: No such file \
        or directory.
        """)
    for memory: UInt64 in [0, (16 << 20) - 1] {
      let small = Host(isolation: .confined(memory: memory))
      #expect(
        await words { _ = try await small.session(plugins: ["echo.so"]) } == """
          invalid: memory: \(memory) is not a size such as 512M or 2G, of at least 16M.
          """)
    }
    let hurry = SessionOptions(stepTimeout: .zero)
    #expect(
      await words { _ = try await Fixture.session("echo", options: hurry) }
        == "invalid: 0.0 seconds can't be the time limit of a step.")
    let nowhere = SessionOptions(locale: "de_AT", timeZone: "../Vienna")
    #expect(
      await words { _ = try await Fixture.session("echo", options: nowhere) } == """
        invalid: "../Vienna" is not a time zone such as UTC or Europe/Vienna.
        """)
    #expect(
      await words { _ = try await Fixture.session("echo", options: SessionOptions(locale: "")) }
        == "invalid: \"\" is not a locale such as en_US or zh-Hant-TW.")
    #expect(
      await words { _ = try await Fixture.session("echo", "echo") } == """
        invalid: "echo.so" and "echo.so" are both the plugin "echo".
        """)
  }

  @Test func `logs, faults and printed lines come in order`() async throws {
    let log = Gathered<String>()
    let options = SessionOptions(clock: .virtual, log: { log.add("\($0)") })
    let session = try await Fixture.session("kitfixture", "brokenfixture", options: options)
    let faults = try await session.open("kit.faults")
    try await faults.send("log", "hello")
    try await faults.send("throwNow")
    let broken = try await Fixture.broken("print", in: session)
    try await broken.send("go")
    await session.close()
    #expect(
      log.all == [
        "debug from faults: hello", "info from faults: hello", "warning from faults: hello",
        "error from faults: hello",
        "error from faults: \"throwNow\" failed: thrown now",
        "fault from faults: in \"throwNow\": thrown now",
        "printed: a line that a plugin printed",
      ])
  }

  @Test func `printed lines are logged at their steps, those of loading first`() async throws {
    let log = Gathered<String>()
    let options = SessionOptions(clock: .virtual, log: { log.add("\($0)") })
    let session = try await Fixture.session("printingfixture", options: options)
    #expect(log.all == ["printed: loading"])
    let printing = try await session.open("printing")
    for input in ["puts", "log", "errors", "both"] { try await printing.send(input, "1") }
    await session.close()
    #expect(
      log.all == [
        "printed: loading", "printed: opening", "printed: 1", "info from printing: 1",
        "printed: 1", "printed: 1 out", "printed: 1 err", "printed: 1 out again",
        "info from printing: 1", "printed: closing",
      ])
  }

  @Test func `a closed session ends its instances and says so`() async throws {
    let session = try await Fixture.session("echo")
    let echo = try await session.open("echo")
    let outputs = echo.outputs()
    await session.close()
    await session.close()
    #expect(try await lines(of: outputs) == [])
    let closed = "closed: the session is closed."
    #expect(await words { try await echo.send("say", 1) } == closed)
    #expect(await words { _ = try await session.open("echo") } == closed)
    #expect(await words { try await session.idle() } == closed)
    #expect(await words { try await echo.close() } == "it worked")
  }

  @Test func `a session that nobody holds closes`() async throws {
    var session: Session? = try await Fixture.session("echo")
    var echo = try await session?.open("echo")
    let outputs = try #require(echo).outputs()
    session = nil
    try await echo?.send("say", "held by its instance")
    echo = nil
    #expect(try await lines(of: outputs) == ["said \"held by its instance\""])
  }

  @Test func `many tasks share a session and several sessions don't meet`() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<3 {
        group.addTask {
          let session = try await Fixture.session("echo")
          let echo = try await session.open("echo")
          let outputs = echo.outputs()
          try await withThrowingTaskGroup(of: Void.self) { senders in
            for sender in 0..<20 {
              senders.addTask {
                for index in 0..<20 {
                  try await echo.send("say", [number, sender * 20 + index])
                }
              }
            }
            try await senders.waitForAll()
          }
          await session.close()
          let said = try await lines(of: outputs)
          #expect(said.count == 400)
          #expect(Set(said) == Set((0..<400).map { "said [\(number),\($0)]" }))
          return said
        }
      }
      for try await said in group { #expect(Set(said).count == 400) }
    }
  }
}
