import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

/// `run --record`: what the file of a session says.
struct RecordingTests {
  private static let key = "s3cr3t/k+y &\"x"

  /// A server with more to say than a recording should keep.
  private static func answer(_ request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse.json(
      SecretTests.page.replacing("Batman", with: request.query ?? ""))
    response.headers += [
      (name: "Set-Cookie", value: "session=1234567"), (name: "Date", value: "today"),
      (name: "ETag", value: "\"v1\""), (name: "X-RateLimit-Remaining", value: "39"),
      (name: "X-Request-Id", value: "trace-abc"), (name: "X-Total", value: "7"),
    ]
    return response
  }

  private static func search(
    _ server: LoopbackServer, _ more: [String], in directory: TemporaryDirectory
  ) async throws -> Recording {
    var arguments = SecretTests.arguments(server)
    arguments += ["--seed", "1", "--time", "2026-01-31T12:00:00Z"] + more
    return try await Recording.of(
      arguments, SearchTests.search, environment: ["TMDB_KEY": key], in: directory)
  }

  @Test func `writes a search over HTTP that plays again without the server or the key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await LoopbackServer.with(Self.answer) { server in
        let recording = try await Self.search(server, ["--clock", "virtual"], in: directory)
        #expect(recording.output.status == .success)
        let query = "query=batman&page=1&api_key=SECRET_tmdb&language=en-US"
        let title = "\(query) & co"
        let row = """
          [
              {
                "overview": "",
                "posterImagePath": null,
                "releaseDate": "To be announced",
                "title": "\(title)"
              }
            ]
          """
        #expect(
          recording.text == """
            \(try Recording.head("movies"))@plugin movies.so
            @open movies.list {"apiBase":"\(server.url)","apiKey":"$secret:tmdb","source":"tmdb"}
            \(FirstFrame.movies)> didSearch "batman"
            < items []
            < loading "fullScreen"
            < query "batman"
            ? 1 http {
                "method": "GET",
                "url": "\(server.url)/3/search/movie?\(query)"
              }
            ! 1 {
                "body": {
                  "page": 1,
                  "results": [
                    {
                      "id": 7,
                      "title": "\(title)"
                    }
                  ],
                  "total_pages": 1
                },
                "headers": {
                  "content-type": "application/json",
                  "etag": "\\"v1\\"",
                  "x-ratelimit-remaining": "39"
                },
                "status": 200
              }
            < items \(row)
            < isEmpty false
            < loading "none"
            @end

            """)
        #expect(server.requests.count == 1)
        try await recording.expectReplay(secret: "tmdb")
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test(arguments: [["--sandbox", "best-effort"], ["--in-process"]])
  func `writes the time that passed on the live clock in whole milliseconds`(
    _ isolation: [String]
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try await LoopbackServer.with(Self.answer) { server in
        let recording = try await Self.search(
          server, isolation + ["--record-header", "X-Total"], in: directory)
        #expect(recording.output.status == .success)
        let waits = recording.text.matches(of: /\n\+ .*/).map { String($0.output) }
        #expect(!waits.isEmpty)
        #expect(waits.allSatisfy { $0.wholeMatch(of: /\n\+ \d+(ms|s)/) != nil }, "\(waits)")
        #expect(recording.text.contains("\"x-total\": \"7\""))
        #expect(
          recording.text.hasPrefix(
            try Recording.head("movies", clock: "live", isInProcess: isolation.count == 1)))
        for form in ["s3cr3t", "k%2By", "k+y", "session=", "1234567", "trace-abc", "today"] {
          #expect(!recording.text.contains(form), "\(form)")
        }
        try await recording.expectReplay(isolation, secret: "tmdb")
      }
    }
  }

  @Test func `shows a plugin only the headers that it keeps, whoever answers`() async throws {
    try await TemporaryDirectory.with { directory in
      let headers = #"{"age":"1","set-cookie":"a=b","X-Other":"1","vary":"*"}"#
      let recording = try await Recording.of(
        ["run", "brokenfixture.so"] + Recording.settled + ["--effect", "http=cat >/dev/null"],
        .text(
          """
          > emit "17 1 http {}\\n17 2 printer {}"
          ! 1 {"headers":\(headers),"status":200}
          ! 2 {"headers":{"set-cookie":"c"}}
          """), in: directory)
      let said = recording.expectations.suffix(2)
      #expect(said.first?.contains(#""headers":{"age":"1","vary":"*"}"#) == true, "\(said)")
      #expect(said.last?.contains(#""headers":{"set-cookie":"c"}"#) == true, "\(said)")
      try await recording.expectReplay()
    }
  }

  // MARK: Time

  private static let timed = """
    + 10ms
    + 20ms
    > emit "17 1 timer {\\"after\\":\\"1500us\\"}\\n17 2 storage.get {\\"key\\":\\"k\\"}"
    + idle
    + 1ms
    > emit "17 3 timer {\\"after\\":\\"0s\\"}\\n17 4 timer {\\"after\\":\\"0s\\"}"
    > go
    > emit "17 5 printer {}"
    ! 1 error {"code":"bad","message":"no ink"}
    + 1s
    # not copied
    """

  private static func heard(_ members: String, _ time: Int, _ value: String = "\"none\"") -> String
  {
    "< heard {\(members),\"time\":\(time),\"value\":\(value)}"
  }

  @Test func `writes time when something happens, and what timers do where it happens`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run", "brokenfixture.so"] + Recording.settled, .text(Self.timed), in: directory)
      #expect(recording.output.status == .success)
      let failure =
        #"{"effect":"printer","id":5,"kind":3,"time":32500000,"#
        + #""value":{"code":"bad","message":"no ink"}}"#
      let steps = recording.body.components(separatedBy: "\n").drop { $0 != "< second 2" }
      #expect(
        steps.dropFirst().joined(separator: "\n") == """
          + 30ms
          > emit "17 1 timer {\\"after\\":\\"1500us\\"}\\n17 2 storage.get {\\"key\\":\\"k\\"}"
          \(Self.heard(#""effect":"storage.get","id":2,"kind":2"#, 30_000_000, "null"))
          + 1500us
          \(Self.heard(#""effect":"timer","id":1,"kind":2"#, 31_500_000))
          + 1ms
          > emit "17 3 timer {\\"after\\":\\"0s\\"}\\n17 4 timer {\\"after\\":\\"0s\\"}"
          > go
          < rang
          > emit "17 5 printer {}"
          ? 1 printer {}
          ! 1 error {"code":"bad","message":"no ink"}
          < heard \(failure)
          + 0s
          \(Self.heard(#""effect":"timer","id":3,"kind":2"#, 32_500_000))
          \(Self.heard(#""effect":"timer","id":4,"kind":2"#, 32_500_000))
          @end

          """)
      try await recording.expectReplay()
    }
  }

  @Test func `writes one line for timers of which nothing comes`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run", "kitfixture.so", "--view-model", "kit.ticker"] + Recording.settled,
        .text("> rest 3\n+ 10s\n> start\n+ 1s\n+ 1s\n"), in: directory)
      #expect(
        recording.body == """
          @plugin kitfixture.so
          @open kit.ticker
          > rest 3
          + 10s
          > start
          + 1s
          < ticked 1
          + 1s
          < ticked 2
          @end

          """)
      try await recording.expectReplay()
    }
  }

  // MARK: Instances and plugins

  @Test func `names instances where there are several, and plugins as they come`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run"] + Recording.settled,
        .text(
          """
          @locale de_AT
          @record storage.get
          @plugin kitfixture.so
          @open kit.effects
          > storageGet "a b"
          @plugin echo.so
          @open echo as e
          > e.say [1]
          > effects.storageGet "c"
          ! effects.1 "stored"
          @close effects
          @plugin kitfixture.so
          > say 3
          """), in: directory)
      #expect(recording.output.status == .success)
      #expect(
        recording.text == """
          \(try Recording.head("kitfixture", locale: "de_AT"))@record storage.get
          @plugin kitfixture.so
          @open kit.effects
          > storageGet "a b"
          ? 1 storage.get {"key":"a b"}
          @recorded {
              "plugins": {
                "echo": {
                  "sha256": "\(try VMHostRun.digest(of: "echo"))",
                  "version": "1.0.0"
                }
              }
            }
          @plugin echo.so
          @open echo as e
          > e.say [1]
          < e.said [1]
          > effects.storageGet "c"
          ! effects.1 "stored"
          < effects.result "\\"stored\\""
          ? effects.2 storage.get {"key":"c"}
          @close effects
          x effects.2
          > say 3
          < said 3
          @end

          """)
      try await recording.expectReplay()
    }
  }

  @Test func `gives up at the end what nobody answered`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run", "kitfixture.so", "--view-model", "kit.effects=a"]
          + ["--view-model", "kit.effects=b", "--view-model", "kit.effects=c"] + Recording.settled,
        .text("> c.ping\n> a.ping\n"), in: directory)
      #expect(
        recording.body == """
          @plugin kitfixture.so
          @open kit.effects as a
          @open kit.effects as b
          @open kit.effects as c
          > c.ping
          ? c.1 ping
          > a.ping
          ? a.1 ping
          @close a
          x a.1
          @close c
          x c.1
          @end

          """)
      // What the session itself showed is no other than without a recording.
      #expect(recording.output.stdout == "? c.1 ping\n? a.1 ping\n")
      #expect(recording.output.stderr.hasPrefix("vmhost: nobody answered request 1 of c, "))
      try await recording.expectReplay()
    }
  }

  @Test func `names a plugin that lies beside the file without its folder`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = try BuildProducts.library("echo")
      let copy = directory.file("my echo.so")
      try #require(try await ChildProcess.run("/bin/cp", [path, copy]).status == .exited(0))
      for (index, name) in [copy, "./my echo.so", path].enumerated() {
        let recording = try await Recording.of(
          ["run", name] + Recording.settled, .text("> say 1\n"), in: directory, as: "\(index).vmt")
        let written = name == path ? path : "my echo.so"
        #expect(
          recording.body == "@plugin \(written)\n@open echo\n> say 1\n< said 1\n@end\n")
        try await recording.expectReplay()
      }
    }
  }

  // MARK: Storage

  @Test func `writes the stored values that it reads, once, and none that it has written`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let effects = ["run", "kitfixture.so", "--view-model", "kit.effects"]
      let store = ["--store", directory.file("s.db")]
      let before = try await VMHostRun.output(
        effects + Arguments.text + store,
        .text(
          """
          > storageSet {"key":"a","value":{"b":1}}
          > storageSet {"key":"p 1","value":"s3cr3t-one"}
          > storageSet {"key":"p 2","value":2}
          > storageSet {"key":"never","value":0}
          """))
      #expect(before.status == .success)
      let recording = try await Recording.of(
        effects + ["echo.so", "--view-model", "echo"] + Recording.settled + store
          + ["--secret", "one=ONE"],
        .text(
          """
          > effects.storageGet "a"
          > effects.storageGet "a"
          > effects.storageGet "none"
          > effects.storageSet {"key":"p 2","value":3}
          > effects.storageList "p"
          > effects.storageGet "p 2"
          > effects.storageDelete "a"
          > effects.storageGet "a"
          @storage b 1
          @plugin kitfixture.so
          @storage a 5
          > effects.storageGet "a"
          """), environment: ["ONE": "s3cr3t-one"], in: directory)
      #expect(recording.output.status == .success)
      #expect(
        recording.body == """
          @plugin kitfixture.so
          @plugin echo.so
          @open kit.effects
          @open echo
          > effects.storageGet "a"
          @plugin kitfixture.so
          @storage a {"b":1}
          < effects.result "{\\"b\\":1}"
          > effects.storageGet "a"
          < effects.result "{\\"b\\":1}"
          > effects.storageGet "none"
          < effects.result "nothing"
          > effects.storageSet {"key":"p 2","value":3}
          < effects.result "set"
          > effects.storageList "p"
          @storage "p 1" "SECRET_one"
          < effects.result "p 1,p 2"
          > effects.storageGet "p 2"
          < effects.result "3"
          > effects.storageDelete "a"
          < effects.result "deleted"
          > effects.storageGet "a"
          < effects.result "nothing"
          > effects.storageGet "a"
          @storage a 5
          < effects.result "5"
          @end

          """)
      try await recording.expectReplay()
    }
  }

  // MARK: Secrets

  @Test func `writes a number that is a secret as text, so that the file can be read`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Arguments.echo + Recording.settled.suffix(4) + ["--secret", "pin=PIN"],
        .text("> say {\"n1234\":[1234,51234,true,null]}\n+ 1234ms\n> say \"1234\"\n"),
        environment: ["PIN": "1234"], in: directory)
      let value = #"{"nSECRET_pin":["SECRET_pin","5SECRET_pin",true,null]}"#
      #expect(
        recording.body == """
          @plugin echo.so
          @open echo
          > say \(value)
          < said \(value)
          + 1234ms
          > say "SECRET_pin"
          < said "SECRET_pin"
          @end

          """)
      try await recording.expectReplay()
    }
  }
}
