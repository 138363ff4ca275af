import CanonicalJSON
import TestSupport
import Testing

@testable import HostCore

extension InProcessTests {
  /// Timers and storage, which the engine answers itself.
  struct SimulatedEffectTests {
    private static let second: Nanoseconds = 1_000_000_000

    private func timer(_ id: UInt64, _ after: String) -> String {
      "17 \(id) timer {\"after\":\"\(after)\"}"
    }

    @Test func `timers fire in order of deadline, ties in order of asking`() throws {
      let test = try TestSession.broken()
      try test.open("broken", as: "other")
      try test.emit(timer(1, "2s"), timer(2, "1s"), timer(3, "2s"), from: "broken")
      try test.emit(timer(1, "1s"), timer(2, "2s"), timer(3, "0s"), from: "other")
      let end = 2 * Self.second
      let none = "\"none\""
      #expect(
        try test.advance(to: end) == [
          heard("timer", 3, none, at: 0, by: "other"),
          heard("timer", 2, none, at: Self.second, by: "broken"),
          heard("timer", 1, none, at: Self.second, by: "other"),
          heard("timer", 1, none, at: end, by: "broken"),
          heard("timer", 3, none, at: end, by: "broken"),
          heard("timer", 2, none, at: end, by: "other"),
        ])
      #expect(test.session.now == end)
      #expect(test.session.nextDeadline == nil)
    }

    @Test func `a timer fires exactly at its deadline and not before`() throws {
      let test = try TestSession.broken()
      try test.emit(timer(1, "300ms"))
      #expect(test.session.nextDeadline == 300_000_000)
      #expect(try test.advance(to: 299_999_999) == [])
      #expect(
        try test.advance(to: 300_000_000) == [heard("timer", 1, "\"none\"", at: 300_000_000)])
      #expect(try test.advance(to: 300_000_000) == [])
    }

    @Test func `time never goes back`() throws {
      let test = try TestSession.broken()
      try test.advance(to: 500)
      try test.advance(to: 100)
      #expect(test.session.now == 500)
      try test.emit(timer(1, "10ns"))
      #expect(test.session.nextDeadline == 510)
    }

    @Test func `a cancelled timer never fires, and its id can be used again`() throws {
      let test = try TestSession.broken()
      try test.emit(timer(1, "1s"), timer(2, "2s"))
      #expect(try test.emit("18 1 timer", timer(1, "3s")) == [])
      #expect(test.session.nextDeadline == 2 * Self.second)
      #expect(
        try test.advance(to: 9 * Self.second) == [
          heard("timer", 2, "\"none\"", at: 2 * Self.second),
          heard("timer", 1, "\"none\"", at: 3 * Self.second),
        ])
    }

    @Test func `a plugin runs to idle between two timers`() throws {
      let test = try TestSession("movies")
      try test.open("movies.list")
      // The search is a request per page: both of its timers can't fire as one.
      try test.send("didSearch", "\"batman\"")
      var steps: [Nanoseconds] = []
      while let deadline = test.session.nextDeadline {
        #expect(try test.session.advance(to: deadline, firingAtMost: 1) == 1)
        steps.append(test.session.now)
        #expect(!test.events().isEmpty)
      }
      #expect(!steps.isEmpty)
      #expect(steps == steps.sorted())
    }

    @Test func `as many timers fire as one asks for`() throws {
      let test = try TestSession.broken()
      try test.emit(timer(1, "1s"), timer(2, "1s"), timer(3, "1s"))
      #expect(try test.advance(to: 5 * Self.second, firingAtMost: 2).count == 2)
      #expect(test.session.now == Self.second)
      #expect(try test.advance(to: 5 * Self.second, firingAtMost: 2).count == 1)
      #expect(test.session.now == 5 * Self.second)
    }

    @Test func `a deadline beyond the end of time is never reached`() throws {
      let test = try TestSession.broken()
      try test.advance(to: Self.second)
      try test.emit(timer(1, "9223372036854775807ns"))
      #expect(test.session.nextDeadline == .max)
      #expect(try test.advance(to: .max - 1) == [])
    }

    @Test func `cancelled timers don't pile up`() throws {
      let test = try TestSession.broken()
      try test.emit(timer(1, "1h"))
      for _ in 0..<1000 {
        for _ in 0..<100 {
          try test.queue("emit", "\"17 2 timer {\\\"after\\\":\\\"2h\\\"}\\n18 2 timer\"")
        }
        try test.flush()
        #expect(test.session.nextDeadline == 3600 * Self.second)
        #expect(test.session.effects.timers.count < 1000)
      }
      #expect(test.events() == [])
    }

    // MARK: Storage

    @Test func `storage is answered within the step, in the order of asking`() throws {
      let test = try TestSession.broken()
      let events = try test.emit(
        "17 1 storage.get {\"key\":\"a\"}", "17 2 storage.set {\"key\":\"a\",\"value\":[1]}",
        "16 0 said 1", "17 3 storage.get {\"key\":\"a\"}", "17 4 storage.list {\"prefix\":\"\"}",
        "17 5 storage.delete {\"key\":\"a\"}", "17 6 storage.get {\"key\":\"a\"}")
      #expect(
        events == [
          "< said 1", heard("storage.get", 1, "null"), heard("storage.set", 2, "\"none\""),
          heard("storage.get", 3, "[1]"), heard("storage.list", 4, "[\"a\"]"),
          heard("storage.delete", 5, "\"none\""), heard("storage.get", 6, "null"),
        ])
    }

    @Test func `a storage request that is cancelled in its step is not carried out`() throws {
      let storage = MemoryStorage()
      let test = try TestSession.broken(storage: storage)
      #expect(
        try test.emit("17 1 storage.set {\"key\":\"a\",\"value\":1}", "18 1 storage.set") == [])
      #expect(storage.value(of: "a", in: "broken") == nil)
    }

    @Test func `two instances of a plugin share its storage`() throws {
      let test = try TestSession.broken()
      try test.open("broken", as: "other")
      try test.emit("17 1 storage.set {\"key\":\"a\",\"value\":{\"b\":1}}", from: "broken")
      #expect(
        try test.emit("17 1 storage.get {\"key\":\"a\"}", from: "other")
          == [heard("storage.get", 1, "{\"b\":1}", by: "other")])
    }

    @Test(arguments: [
      "storage.get {\"key\":\"a\"}", "storage.set {\"key\":\"a\",\"value\":2}",
      "storage.delete {\"key\":\"a\"}", "storage.list {\"prefix\":\"a\"}",
    ])
    func `a store that fails is an error for the plugin and a line for the user`(
      _ request: String
    ) async throws {
      try await TemporaryDirectory.with { folder in
        let path = folder.file("s.db")
        let storage = try DatabaseStorage(path: path, patience: 0)
        try storage.set("a", to: Array("1".utf8), in: "broken")
        let test = try TestSession.broken(storage: storage)
        let other = try SQLiteDatabase(path: path, name: path)
        let message = "could not use the store \"\(path)\": database is locked."
        let text = JSONValue.string(message).canonicalText
        let error = "{\"code\":\"storage-failed\",\"message\":\(text)}"
        let effect = String(request.prefix { $0 != " " })
        try other.run("BEGIN EXCLUSIVE")
        #expect(
          try test.emit("17 1 \(request)")
            == ["# error \(text)", heard(effect, 1, error, kind: 3)])
        // It isn't repeated.
        #expect(try test.emit("17 2 \(request)") == [heard(effect, 2, error, kind: 3)])
        try other.run("COMMIT")
        #expect(
          try test.emit("17 3 storage.get {\"key\":\"a\"}") == [heard("storage.get", 3, "1")])
      }
    }

    @Test func `a stored value that isn't JSON is an error of its key alone`() async throws {
      try await TemporaryDirectory.with { folder in
        let path = folder.file("s.db")
        let storage = try DatabaseStorage(path: path)
        for key in ["a", "b", "c"] { try storage.set(key, to: Array("1".utf8), in: "broken") }
        let other = try SQLiteDatabase(path: path, name: path)
        try other.run("UPDATE storage SET value = '{no' WHERE key = 'a'")
        try other.run("UPDATE storage SET value = ' {\"y\":1, \"x\":2}' WHERE key = 'c'")
        let test = try TestSession.broken(storage: RecordingStorage(storage))
        let text = JSONValue.string(
          "the value of \"a\" in the store \"\(path)\" is not JSON: expected a key in quotes, found"
            + " \"n\" (byte 1).")
        #expect(
          try test.emit(
            "17 1 storage.list {\"prefix\":\"\"}", "17 2 storage.get {\"key\":\"a\"}",
            "17 3 storage.get {\"key\":\"b\"}", "17 4 storage.get {\"key\":\"c\"}") == [
              heard("storage.list", 1, "[\"a\",\"b\",\"c\"]"),
              "# error \(text.canonicalText)",
              heard(
                "storage.get", 2,
                "{\"code\":\"storage-failed\",\"message\":\(text.canonicalText)}", kind: 3),
              heard("storage.get", 3, "1"),
              heard("storage.get", 4, "{\"x\":2,\"y\":1}"),
            ])
      }
    }

    // MARK: Seeds and secrets

    private func seeds(_ seed: UInt64, count: Int) throws -> [String] {
      var options = SessionEngine.Options()
      options.seed = seed
      let test = try TestSession("brokenfixture", options: options)
      return try (0..<count).map { index in
        let info = try test.open("broken", as: "i\(index)")[0]
        let value = String(try #require(info.split(separator: " ").last))
        return try #require(JSONValue(parsing: Array(value.utf8).span)["seed"]).canonicalText
      }
    }

    @Test func `the same seed gives the same choices, to each instance its own`() throws {
      let first = try seeds(1, count: 100)
      #expect(Set(first).count == 100)
      #expect(try seeds(1, count: 3) == Array(first.prefix(3)))
      let other = try seeds(2, count: 100)
      #expect(Set(first + other).count == 200)
    }

    @Test func `secrets go into a config and nowhere else`() throws {
      var secrets = Secrets()
      secrets.add("key", value: "p4ss/word")
      let test = try TestSession("brokenfixture", secrets: secrets)
      let config = "{\"a\":[\"$secret:key\",{\"b\":\"$secret:key\"}],\"c\":\"not $secret:key\"}"
      let info = try test.open("broken", config: config)[0]
      #expect(
        info.contains(
          "{\"a\":[\"p4ss/word\",{\"b\":\"p4ss/word\"}],\"c\":\"not $secret:key\","
            + "\"key\":\"p4ss/word\"}"))
      // The plugin's words become the session's own, so it hides the secret itself.
      let refused = words {
        try test.open("broken", as: "b", config: "{\"fault\":\"create-tells-config\"}")
      }
      #expect(
        refused == "broken would not open: bad config:"
          + " {\"fault\":\"create-tells-config\",\"key\":\"SECRET_key\"}")
      let broken = words { try test.emit("16 0 p4ss/word 1") }
      #expect(broken.contains("it emitted \"SECRET_key\", which isn't in its manifest"))
    }

    @Test(
      arguments: [
        (nil, "{\"key\":\"SECRET_key\"}"), ("{}", "{\"key\":\"SECRET_key\"}"),
        ("{\"key\":null}", "{\"key\":null}"), ("{\"key\":{}}", "{\"key\":{}}"),
      ])
    func `a default secret that nobody gives is its placeholder, unless the config has another`(
      _ config: String?, _ found: String
    ) throws {
      let test = try TestSession("brokenfixture")
      #expect(try test.open("broken", config: config)[0].contains("\"config\":\(found)"))
    }
  }
}
