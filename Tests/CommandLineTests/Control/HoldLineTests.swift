import CanonicalJSON
import TestSupport
import Testing

/// `hold` and `ask` lines: a front end decides when a provider gets a request.
struct HoldLineTests {
  private static let kit = ["run", "kitfixture.so", "--view-model", "kit.effects=kit"]
  private static let ping = #"{"name":"ping"}"#
  private static let hold = #"{"kind":"hold","effect":"ping","on":true}"#

  /// A provider of an effect that answers, and writes what it gets to a file.
  private static func provider(_ effect: String, _ file: String, value: String? = nil) -> [String] {
    let answer = #"{"kind":"reply","id":\1\#(value.map { ",\"value\":\($0)" } ?? "")}"#
    return [
      "--effect",
      "\(effect)=tee '\(file)' | sed -u -n 's/.*\"kind\":\"request\",\"id\":\\([0-9]*\\).*/"
        + "\(answer)/p'",
    ]
  }

  private static func ask(_ id: Int, seq: Int = 0) -> String {
    #"{"kind":"ask","id":\#(id),"seq":\#(seq)}"#
  }

  private static func summary(_ lines: [JSONValue]) -> [String] {
    lines.compactMap { line in
      let text = { (name: String) in line[name]?.canonicalText.replacing("\"", with: "") ?? "" }
      return switch text("kind") {
      case "request", "cancel": "\(text("kind")) \(text("id"))"
      case "output": "\(text("name")) \(text("value"))"
      case "refused": "refused \(text("code"))"
      case "hold": "held \(text("held"))"
      case "go": "go \(text("open"))"
      default: nil
      }
    }
  }

  @Test func `a held request waits for an answer, or until it is passed on`() async throws {
    try await TemporaryDirectory.with { directory in
      let seen = directory.file("seen")
      let lines = try await ControlRun.lines(
        Self.kit + Arguments.jsonl + Self.provider("ping", seen),
        [
          Self.hold, Self.ping, "+ idle", #"{"kind":"reply","id":1}"#, Self.ask(1), Self.ping,
          "+ idle", Self.ask(2), "+ idle", Self.ask(2), Self.ping,
          #"{"kind":"hold","effect":"ping","on":false}"#, "+ idle", Self.ask(3), "+ idle",
          Self.ping, "+ idle", #"{"kind":"hold"}"#,
        ])
      #expect(
        Self.summary(lines) == [
          "held [ping]", "request 1", "result pong", "refused unknown-request", "request 2",
          "result pong", "refused unknown-request", "request 3", "held []", "result pong",
          "request 4", "result pong", "held []",
        ])
      #expect(
        ControlRun.texts(lines, of: "hold").last
          == #"{"held":[],"kind":"hold","provided":["http","ping"],"t":0}"#)
      let asked = try await ChildProcess.run("/bin/cat", [seen]).stdout
      // The provider knows requests by numbers of its own.
      #expect(
        asked
          == (1...3).map { "{\"kind\":\"request\",\"id\":\($0),\"effect\":\"ping\"}\n" }
          .joined())
    }
  }

  @Test func `a request can be cancelled while it waits, and after it was passed on`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let seen = directory.file("seen")
      let search = #"{"name":"didSearch","value":"a"}"#
      let lines = try await ControlRun.lines(
        ["run", "movies.so", "--config", #"{"source":"tmdb","apiKey":"k"}"#] + Arguments.jsonl
          + ["--effect", "http=cat > '\(seen)'"],
        [
          #"{"kind":"hold","effect":"http","on":true}"#, search, search, Self.ask(1), Self.ask(2),
          Self.ask(2), search, Self.ask(2), #"{"kind":"reply","id":2,"seq":9}"#,
        ])
      #expect(
        Self.summary(lines).filter { !$0.contains(" [") && !$0.hasPrefix("query") } == [
          "isEmpty true", "loading none", "error ",
          #"labels {emptyDataTitle:Search results,errorTitle:Error,screenTitle:Movies,"#
            + #"searchBarPlaceholder:Search Movies}"#,
          "loading fullScreen", "request 1", "loading fullScreen", "cancel 1", "request 2",
          "refused unknown-request", "refused unsupported", "loading fullScreen", "cancel 2",
          "request 3", "refused unknown-request", "refused unknown-request",
        ])
      let asked = try await ChildProcess.run("/bin/cat", [seen]).stdout
      let kinds = try asked.split(separator: "\n").map {
        try JSONValue(parsing: Array($0.utf8).span)["kind"]?.stringValue
      }
      #expect(kinds == ["request", "cancel"])
    }
  }

  @Test func `a request that is open again after going back can be passed on`() async throws {
    try await TemporaryDirectory.with { directory in
      try await ShopPlugin.compile("", into: directory.path)
      let lines = try await ControlRun.lines(
        ["run", "\(directory.path)/shop.so"] + Arguments.jsonl
          + Self.provider("http", directory.file("seen"), value: #"["green"]"#),
        [
          #"{"name":"search","value":"tea"}"#, "+ idle", #"{"kind":"go","step":2}"#, Self.ask(1),
          Self.ask(2), "+ idle", #"{"kind":"hold","effect":"http","on":true}"#,
          #"{"name":"search","value":"ale"}"#, #"{"kind":"go","step":1}"#,
          #"{"kind":"go","step":4}"#, Self.ask(4), "+ idle", #"{"kind":"save"}"#,
        ])
      #expect(
        Self.summary(lines).dropFirst(2) == [
          "request 1", "items [green]", "total 1", "go [{effect:http,id:2,instance:shop}]",
          "refused unknown-request", "items [green]", "total 1", "held [http]", "request 3",
          "cancel 3", "go ", "go [{effect:http,id:4,instance:shop}]", "items [green]", "total 1",
        ])
      let texts = lines.compactMap { $0["text"]?.stringValue }
      try await ControlRun.test(try #require(texts.first), in: directory)
    }
  }

  @Test(
    arguments: [
      (
        #"{"kind":"hold","effect":"pign","on":true,"seq":1}"#, [],
        #"unsupported: nobody provides "pign". Did you mean "ping"?"#
      ),
      (
        #"{"kind":"hold","effect":"geo.locate","on":true,"seq":1}"#, [],
        #"unsupported: nobody provides "geo.locate"."#
      ),
      (
        #"{"kind":"ask","id":1,"seq":1}"#, [],
        #"unsupported: nobody provides "geo.locate": a line has to answer request 1."#
      ),
      (
        #"{"kind":"ask","id":7,"seq":1}"#, [],
        "unknown-request: kit has no open request 7: it has made 1 so far. Open: 1 geo.locate."
      ),
      (
        #"{"kind":"ask","instance":"kti","id":1,"seq":1}"#, [],
        #"unknown-instance: there is no instance "kti". Did you mean "kit"?"#
      ),
      (
        #"{"kind":"hold","effect":"ping","on":true,"seq":1}"#, ["--in-process"],
        "unsupported: this needs plugins in processes of their own, so it can't be combined with"
          + " --in-process or --backtrace."
      ),
      (
        #"{"kind":"hold","effect":"ping","on":true,"seq":1}"#, ["--record", "FILE"],
        "unsupported: a session that is recorded with --record keeps no history of its own."
      ),
    ] as [(String, [String], String)])
  func `says why it can't`(
    _ line: String, _ options: [String], _ refusal: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let options = options.map { $0 == "FILE" ? directory.file("a.vmt") : $0 }
      let lines = try await ControlRun.lines(
        Self.kit + Arguments.jsonl + options + ["--effect", "ping=cat"],
        [#"{"name":"locate","value":{"city":"Graz"}}"#, line])
      #expect(ControlRun.refusals(lines) == [refusal])
    }
  }
}
