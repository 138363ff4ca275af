import HostCore
import TestSupport
import Testing

/// Sessions that navigate.
struct FlowTests {
  private static func session(
    _ on: String, _ body: (Session) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        """
        {"start":{"open":"broken","as":"a","config":{"fault":"","key":null}},"on":{\(on)}}
        """, to: "flow.json")
      let session = try await Host().session(
        plugins: ["brokenfixture.so", "echo.so"], flow: directory.file("flow.json"),
        options: SessionOptions(clock: .virtual))
      try await body(session)
      await session.close()
    }
  }

  /// What changes tell, each with the outputs that came with it.
  private func lines(of changes: Session.Changes) async throws -> [String] {
    var lines: [String] = []
    for try await change in changes {
      switch change {
      case .opened(let instance, let outputs):
        #expect(instance.frame.names.allSatisfy { instance.frame[$0] != nil })
        let all = try await EmbeddingTests.lines(of: outputs)
        lines.append("opened \(instance.handle) (\(instance.viewModel)): \(all)")
      case .closed(let handle): lines.append("closed \(handle)")
      }
    }
    return lines
  }

  @Test func `the example in the documentation has the screens that it says`() async throws {
    let screens = try await screens(
      following: "\(Repository.root())/Examples/flows/movies.json")
    #expect(screens == ["list", "details"])
    #expect(
      try Repository.text("Documentation/Embedding.md").contains(
        "`screens(following: \"Examples/flows/movies.json\")` is `\(screens)`."))
  }

  @Test func `tells what the flow opens and closes, with all outputs`() async throws {
    try await Self.session(
      """
      "a.rang":[{"open":"echo"},{"feed":"echo.say","value":1}],
      "a.said":[{"feed":"echo.say"},{"close":"echo"}]
      """
    ) { session in
      let changes = session.changes()
      let others = session.changes()
      let start = try await session.openStart()
      #expect(start.map(\.handle) == ["a"])
      let a = try #require(start.first)
      let outputs = a.outputs()
      try await a.emit("16 0 rang")
      try await a.emit("16 0 said 2")
      // One that opens within the step that closes it is told all the same.
      try await a.emit("16 0 rang\n16 0 said 3")
      await session.close()
      let all = try await lines(of: changes)
      #expect(all.count == 5)
      #expect(all[0].hasPrefix("opened a (broken): "))
      #expect(
        all[1...] == [
          "opened echo (echo): [\"said 1\", \"said 2\"]", "closed echo",
          "opened echo (echo): [\"said 1\", \"said 3\"]", "closed echo",
        ])
      #expect(try await lines(of: others) == all)
      #expect(
        try await EmbeddingTests.lines(of: outputs) == ["rang", "said 2", "rang", "said 3"])
    }
  }

  private static func twoStarts(
    _ first: String, _ second: String, _ body: (Session) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let config = { (fault: String) in "{\"fault\":\"\(fault)\",\"key\":null}" }
      try directory.write(
        """
        {"start":[
          {"open":"broken","as":"a","config":\(config(first))},
          {"open":"broken","as":"b","config":\(config(second))}],
          "on":{"a.rang":{"open":"broken","as":"b"},"a.said":{"open":"echo"}}}
        """, to: "flow.json")
      let session = try await Host().session(
        plugins: ["brokenfixture.so", "echo.so"], flow: directory.file("flow.json"),
        options: SessionOptions(clock: .virtual))
      try await body(session)
      await session.close()
    }
  }

  @Test func `leaves nothing of a start open if a part of it fails`() async throws {
    try await Self.twoStarts("", "create-failed") { session in
      let changes = session.changes()
      let other = try await session.open("echo")
      let message = await words { _ = try await session.openStart() }
      #expect(message.hasPrefix("refused: broken would not open: "), "\(message)")
      // What was open before still is, and the handle of the first start is free.
      try await other.send("say", 1)
      _ = try await session.open("broken", as: "a")
      await session.close()
      let lines = try await lines(of: changes)
      #expect(lines.map { $0.prefix(9) } == ["opened ec", "opened a ", "closed a", "opened a "])
    }
  }

  @Test func `opens a start only once if a signal of an earlier one led there`() async throws {
    try await Self.twoStarts("frame-rings", "") { session in
      let changes = session.changes()
      let start = try await session.openStart()
      #expect(start.map(\.handle) == ["a", "b"])
      let outputs = start[1].outputs()
      try await start[1].emit("16 0 said 1")
      await session.close()
      #expect(try await EmbeddingTests.lines(of: outputs) == ["said 1"])
      let lines = try await lines(of: changes)
      #expect(lines.map { $0.prefix(8) } == ["opened a", "opened b"])
    }
  }

  @Test func `an instance that the flow closed has told its last and is closed`() async throws {
    try await Self.session("\"a.said\":{\"close\":\"a\"}") { session in
      let a = try #require(try await session.openStart().first)
      let outputs = a.outputs()
      try await a.emit("16 0 said 1")
      #expect(try await EmbeddingTests.lines(of: outputs) == ["said 1"])
      #expect(
        await words { try await a.emit("16 0 said 1") }
          == "closed: the instance \"a\" is closed.")
      // The app may open it again.
      #expect(try await session.open("broken", as: "a").handle == "a")
    }
  }

  @Test func `tells what the app itself opens and closes, where there is a flow`() async throws {
    try await Self.session("") { session in
      let changes = session.changes()
      try await session.open("echo", as: "b").close()
      await session.close()
      #expect(try await lines(of: changes) == ["opened b (echo): []", "closed b"])
    }
    let session = try await Fixture.session("echo")
    let changes = session.changes()
    _ = try await session.open("echo")
    #expect(
      await words { _ = try await session.openStart() }
        == "invalid: the session has no flow. Open a view model by its id.")
    await session.close()
    #expect(try await lines(of: changes) == [])
  }

  @Test func `says what is wrong with a flow`() async throws {
    let broken = await words { try await Self.session("\"a.sad\":{\"close\":\"a\"}") { _ in } }
    #expect(broken.hasPrefix("invalid: "), "\(broken)")
    #expect(
      broken.contains("a (broken) has no signal \"sad\". Did you mean \"a.said\"?"), "\(broken)")
    let missing = await words {
      _ = try await Host().session(plugins: ["echo.so"], flow: "/nowhere/f.json")
    }
    #expect(
      missing
        == "invalid: could not read the flow \"/nowhere/f.json\": No such file or directory.")
  }
}
