import CanonicalJSON
import TestSupport
import Testing

extension MoviesPluginTests {
  /// The plugin in the real host, against a real server on loopback that speaks TMDB's protocol.
  @Suite struct LiveTests {
    private static let idle = #"< loading "none""#

    private func config(_ base: String) -> JSONValue {
      ["source": "tmdb", "apiBase": .string(base), "imageBase": .string(base), "apiKey": "KEY"]
    }

    @Test func `searches, loads the next page, and finds nothing`() async throws {
      try await LoopbackServer.with { request in
        let query = request.query ?? ""
        if query.contains("query=zzz") { return .json(Samples.page(1, of: 0).canonicalText) }
        let page =
          query.contains("page=2") ? Samples.page(2, of: 2, "B") : Samples.page(1, of: 2, "A")
        return .json(page.canonicalText)
      } run: { server in
        let run = try HostRun(config: config(server.url))
        try run.send(#"didSearch "star wars & co""#)
        #expect(
          try run.lines(until: Self.idle) == [
            "< items []", #"< loading "fullScreen""#, #"< query "star wars & co""#,
            "? http \(server.url)/3/search/movie"
              + "?query=star%20wars%20%26%20co&page=1&api_key=KEY&language=en-US",
            Samples.items("A"), "< isEmpty false", Self.idle,
          ])
        try run.send("didLoadNextPage")
        #expect(try run.lines(until: Self.idle).suffix(2) == [Samples.items("A", "B"), Self.idle])
        try run.send(#"didSearch "zzz""#)
        #expect(try run.lines(until: Self.idle).suffix(2) == ["< items []", Self.idle])
        #expect(try run.finish().isEmpty)
        #expect(
          server.requests.map(\.target) == [
            "/3/search/movie?query=star%20wars%20%26%20co&page=1&api_key=KEY&language=en-US",
            "/3/search/movie?query=star%20wars%20%26%20co&page=2&api_key=KEY&language=en-US",
            "/3/search/movie?query=zzz&page=1&api_key=KEY&language=en-US",
          ])
        #expect(server.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
      }
    }

    @Test(arguments: [
      HTTPResponse.json("{}", status: 401), .json("{}", status: 500), .notFound,
      .json(#"{"page":1,"total_pages":1,"results":["#), .json(#"{"page":1}"#), .json("[]"),
      .text("<html>"), .json(Samples.page(result: ["id": 1, "genre": "western"]).canonicalText),
      HTTPResponse(status: 204), HTTPResponse(behaviour: .raw(Array("nonsense\r\n\r\n".utf8))),
    ])
    func `fails in one way, whatever the server does wrong`(response: HTTPResponse) async throws {
      try await LoopbackServer.with { _ in
        response
      } run: { server in
        let run = try HostRun(config: config(server.url))
        try run.send(#"didSearch "x""#)
        #expect(
          try run.lines(until: Self.idle).suffix(2) == [
            #"< error "Failed loading movies""#, Self.idle,
          ])
        #expect(try run.finish().isEmpty)
      }
    }

    @Test func `fails that way too when the server takes too long`() async throws {
      let gate = try Gate()
      try await LoopbackServer.with { _ in
        .json("{}", gate: gate)
      } run: { server in
        // The plugin leaves the timeout to the host, so a filter in front of the real provider
        // shortens it.
        let provider = try BuildProducts.executable("vmhost-http")
        let run = try HostRun(
          config: config(server.url),
          arguments: [
            "--effect", #"http=sed -u 's/"url":/"timeout":"100ms","url":/' | \#(provider)"#,
          ])
        try run.send(#"didSearch "x""#)
        #expect(
          try run.lines(until: Self.idle).suffix(2) == [
            #"< error "Failed loading movies""#, Self.idle,
          ])
        #expect(try run.finish().isEmpty)
        gate.open()
      }
    }

    @Test func `a refused connection means no connection`() async throws {
      try await RefusedPort.with { port in
        let run = try HostRun(config: config("http://127.0.0.1:\(port)"))
        for _ in 1...2 {
          try run.send(#"didSearch "x""#)
          #expect(
            try run.lines(until: Self.idle).suffix(2) == [
              #"< error "No internet connection""#, Self.idle,
            ])
        }
        #expect(try run.finish().isEmpty)
      }
    }

    @Test func `a slow answer that was overtaken never appears`() async throws {
      let gate = try Gate()
      try await LoopbackServer.with { request in
        request.target.contains("slow")
          ? .json(Samples.page(1, of: 1, "Slow").canonicalText, gate: gate)
          : .json(Samples.page(1, of: 1, "Fast").canonicalText)
      } run: { server in
        let run = try HostRun(config: config(server.url))
        try run.send(#"didSearch "slow""#)
        try server.waitForRequests(1)
        try run.send(#"didSearch "fast""#)
        let lines = try run.lines(until: Samples.items("Fast"))
        #expect(lines.filter { $0 == "x http" }.count == 1)
        #expect(try run.lines(until: Self.idle) == ["< isEmpty false", Self.idle])
        try server.waitForHangUps(1)
        gate.open()
        #expect(try run.finish().isEmpty)
      }
    }

    @Test func `cancelling hangs up`() async throws {
      let gate = try Gate()
      try await LoopbackServer.with { _ in
        .json("{}", gate: gate)
      } run: { server in
        let run = try HostRun(config: config(server.url))
        try run.send(#"didSearch "x""#)
        try server.waitForRequests(1)
        try run.send("didCancelSearch")
        #expect(try run.lines(until: Self.idle).suffix(2) == ["x http", Self.idle])
        try server.waitForHangUps(1)
        gate.open()
        #expect(try run.finish().isEmpty)
      }
    }

    @Test func `shows a poster`() async throws {
      try await LoopbackServer.with { request in
        request.path == "/t/p/w342/p.jpg"
          ? HTTPResponse(headers: [("Content-Type", "image/jpeg")], body: [0xFF, 0xD8, 0xFF, 0])
          : .notFound
      } run: { server in
        var config = config(server.url).objectValue ?? [:]
        config["movie"] = ["id": "1", "posterPath": "/p.jpg"]
        let run = try HostRun("movies.details", config: .object(config))
        try run.send("updatePosterImage 300")
        #expect(
          try run.lines(until: "}") == [
            "? http \(server.url)/t/p/w342/p.jpg", #"< posterImage {"base64":"/9j/AA=="}"#,
          ])
        #expect(try run.finish().isEmpty)
      }
    }

    @Test func `the key is nowhere in what the host writes`() async throws {
      try await LoopbackServer.with { request in
        .json(Samples.page(1, of: 1, request.target).canonicalText)
      } run: { server in
        let run = try HostRun(
          config: ["source": "tmdb", "apiBase": .string(server.url)],
          arguments: ["--secret", "tmdb=MOVIES_KEY"], environment: ["MOVIES_KEY": "k3y&s3cret"])
        try run.send(#"didSearch "x""#)
        _ = try run.lines(until: Self.idle)
        #expect(try run.finish().isEmpty)
        let output = try run.output()
        #expect(server.requests.first?.target.contains("&api_key=k3y%26s3cret&") == true)
        #expect(output.stdout.contains("SECRET_tmdb"))
        #expect(!(output.stdout + output.stderr).contains("s3cret"))
      }
    }

    @Test func `after kill -9 the cached page comes first and the recent queries are there`()
      async throws
    {
      try await TemporaryDirectory.with { directory in
        let store = ["--store", directory.file("store")]
        try await LoopbackServer.with { request in
          .json(Samples.page(1, of: 1, "Answer \(request.index)").canonicalText)
        } run: { server in
          let first = try HostRun(config: config(server.url), arguments: store)
          try first.send(#"didSearch "x""#)
          _ = try first.lines(until: Self.idle)
          try first.kill()

          let second = try HostRun(config: config(server.url), arguments: store)
          try second.send(#"didSearch "x""#)
          #expect(
            try second.lines(until: Self.idle).filter { $0.hasPrefix("< items") } == [
              "< items []", Samples.items("Answer 0"), Samples.items("Answer 1"),
            ])
          #expect(try second.finish().isEmpty)

          let suggestions = try HostRun("movies.suggestions", arguments: store)
          try suggestions.send("viewWillAppear")
          #expect(try suggestions.finish() == [#"< items [{"query":"x"}]"#])
        }
      }
    }

    @Test func `a search shows among the suggestions of the same session`() async throws {
      let output = try await ChildProcess.run(
        BuildProducts.executable("vmhost"),
        [
          "run", "movies.so", "--view-model", "movies.list", "--config", "{}", "--view-model",
          "movies.suggestions", "--config", "{}", "--format", "jsonl",
        ],
        input: .text(
          """
          > suggestions.viewWillAppear
          > list.didSearch "jaws"
          + idle
          > suggestions.viewWillAppear
          > suggestions.didSelect {"query":"jaws"}

          """))
      #expect(output.status == .exited(0))
      let suggestions = try output.lines
        .map { try JSONValue(parsing: Array($0.utf8).span) }
        .filter { $0["instance"] == "suggestions" }
        .map { "\($0["name"] ?? .null) \($0["value"] ?? .null)" }
      #expect(
        suggestions == [
          #""items" []"#, #""items" []"#, #""items" [{"query":"jaws"}]"#,
          #""didSelectQuery" "jaws""#,
        ])
    }

    @Test func `the catalogue needs nothing but the library`() async throws {
      let output = try await ChildProcess.run(
        BuildProducts.executable("vmhost"),
        ["run", "movies.so", "--format", "text"],
        input: .text("> didSearch \"batman begins\"\n+ idle\n"))
      #expect(output.stderr == "")
      #expect(output.status == .exited(0))
      #expect(
        output.stdout.hasSuffix(
          """
          < items []
          < loading "fullScreen"
          < query "batman begins"
          < items [
              {
                "overview": "An orphaned heir trains abroad and comes home to turn fear on \
          those who use it.",
                "posterImagePath": null,
                "releaseDate": "Release Date: Jun 15, 2005",
                "title": "Batman Begins"
              }
            ]
          < isEmpty false
          < loading "none"

          """))
    }
  }
}
