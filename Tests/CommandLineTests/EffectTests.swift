import TestSupport
import Testing

/// Requests that programs, lines or nobody answers.
struct EffectTests {
  /// Shell that answers each request with `value`.
  private static func answering(_ value: String) -> String {
    """
    sed -u -n 's/.*"id":\\([0-9]*\\).*/{"kind":"reply","id":\\1,"value":\(value)}/p'
    """
  }

  private static let locate = ChildProcess.Input.text(
    "> locate {\"city\":\"Graz\"}\n+ idle\n> locate {\"city\":\"Linz\"}\n+ idle\n")
  private static let requests = [
    "? 1 geo.locate {\"city\":\"Graz\"}\n", "? 2 geo.locate {\"city\":\"Linz\"}\n",
  ]

  private static func provider(_ command: String) -> [String] {
    Arguments.kit("effects") + ["--effect", "geo.locate=\(command)"]
  }

  @Test func `lets a program answer`() async throws {
    try await VMHostRun.expect(
      Self.provider(Self.answering(#"{"city":"found"}"#)), Self.locate,
      stdout: Self.requests[0] + "< result \"found\"\n" + Self.requests[1]
        + "< result \"found\"\n")
  }

  @Test func `gives a provider the request as one line`() async throws {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("seen")
      try await VMHostRun.expect(
        Self.provider("tee '\(file)' | \(Self.answering(#"{"city":"x"}"#))"), Self.locate,
        stdout: Self.requests[0] + "< result \"x\"\n" + Self.requests[1] + "< result \"x\"\n")
      let seen = try await ChildProcess.run("/bin/cat", [file])
      #expect(
        seen.stdout == """
          {"kind":"request","id":1,"effect":"geo.locate","value":{"city":"Graz"}}
          {"kind":"request","id":2,"effect":"geo.locate","value":{"city":"Linz"}}

          """)
    }
  }

  @Test func `passes a provider's error, its log and its standard error on`() async throws {
    try await VMHostRun.expect(
      Self.provider(
        """
        read line; echo to stderr >&2
        echo '{"kind":"log","level":"info","message":"looking"}'
        echo '{"kind":"error","id":1,"code":"lost","message":"no map"}'
        read line
        echo '{"kind":"error","id":2,"code":"lost"}'
        cat
        """), Self.locate,
      stdout: Self.requests[0] + "< failed {\"code\":\"lost\",\"message\":\"no map\"}\n"
        + Self.requests[1] + "< failed {\"code\":\"lost\",\"message\":\"\"}\n",
      stderr: "to stderr\nvmhost: info from the provider of \"geo.locate\": looking\n")
  }

  @Test(
    arguments: [
      ("read line; exit 3", "it ended (exit status 3)", ""),
      ("read line; kill -9 $$", "it ended (signal 9)", ""),
      (
        "/no/such/program", "it ended (exit status 127)",
        "/bin/sh: 1: /no/such/program: not found\n"
      ),
    ])
  func `says how a provider ended, and starts it anew for the next request`(
    _ command: String, how: String, stderr: String
  ) async throws {
    let failed =
      "< failed {\"code\":\"failed\",\"message\":"
      + "\"the provider of \\\"geo.locate\\\" failed: \(how)\"}\n"
    let complaint = stderr + "vmhost: warning from the provider of \"geo.locate\": \(how)\n"
    try await VMHostRun.expect(
      Self.provider(command), Self.locate,
      stdout: Self.requests[0] + failed + Self.requests[1] + failed,
      stderr: complaint + complaint)
  }

  @Test func `overlooks a few lines that are none of a provider`() async throws {
    try await VMHostRun.expect(
      Self.provider(
        """
        read line; echo garbage; echo '[]'; echo '{"kind":"reply","id":99}'; echo
        echo '{"kind":"reply","id":1,"value":{"city":"x"}}'
        read line; echo '{"kind":"reply","id":2,"value":{"city":"y"}}'; cat
        """), Self.locate,
      stdout: Self.requests[0] + "< result \"x\"\n" + Self.requests[1] + "< result \"y\"\n",
      stderr: """
        vmhost: warning from the provider of "geo.locate": it sent a line that isn't JSON
        vmhost: warning from the provider of "geo.locate": it sent a line of an unknown kind

        """)
  }

  @Test func `ends a provider that prints garbage without end`() async throws {
    let complaint =
      "vmhost: warning from the provider of \"geo.locate\": it sent a line that isn't JSON\n"
    try await VMHostRun.expect(
      Self.provider("yes"), .text("> locate {\"city\":\"Graz\"}\n+ idle\n"),
      stdout: Self.requests[0] + """
        < failed {"code":"failed","message":"the provider of \\"geo.locate\\" failed: it sent 20 \
        invalid lines"}

        """,
      stderr: String(repeating: complaint, count: 20)
        + "vmhost: warning from the provider of \"geo.locate\": it sent 20 invalid lines\n")
  }

  @Test func `says which request nobody answered`() async throws {
    try await VMHostRun.expect(
      Arguments.kit("effects"), .text("> locate {\"city\":\"Graz\"}\n+ idle\n"),
      stdout: Self.requests[0],
      stderr: """
        vmhost: nobody answered request 1 of effects, "geo.locate". A line "! 1 …" can, or a \
        program: --effect geo.locate=COMMAND.

        """)
  }

  @Test func `takes answers from lines`() async throws {
    let input = """
      > locate {"city":"Graz"}
      ! 1 {"city":"here"}
      > locate {"city":"Linz"}
      ! effects.2 error {"code":"offline","message":"no route"}
      > ping
      ! 3
      {"name":"locate","value":{"city":"Graz"}}
      {"kind":"reply","id":4,"value":{"city":"json"}}
      {"name":"locate","value":{"city":"Graz"}}
      {"kind":"error","instance":"effects","id":5,"code":"offline","message":"json"}
      """
    try await VMHostRun.expect(
      Arguments.kit("effects"), .text(input),
      stdout: Self.requests[0] + "< result \"here\"\n" + Self.requests[1] + """
        < failed {"code":"offline","message":"no route"}
        ? 3 ping
        < result "pong"
        ? 4 geo.locate {"city":"Graz"}
        < result "json"
        ? 5 geo.locate {"city":"Graz"}
        < failed {"code":"offline","message":"json"}

        """)
  }

  @Test func `refuses a second answer`() async throws {
    try await VMHostRun.expect(
      Arguments.kit("effects"),
      .text("> locate {\"city\":\"Graz\"}\n! 1 {\"city\":\"x\"}\n! 1 {\"city\":\"y\"}\n"),
      stdout: Self.requests[0] + "< result \"x\"\n",
      stderr: """
        vmhost: <stdin>:3: effects has no open request 1: that request is already answered. None \
        is \
        open.

        """, status: 2)
  }

  @Test(arguments: [("{\"city\":\"x\"}", "< result \"x\"\n"), ("error {\"code\":\"lost\"}", nil)])
  func `tells a provider when a line answers in its place, and doesn't wait for it`(
    _ answer: String, _ result: String?
  ) async throws {
    try await VMHostRun.expect(
      Self.provider("cat >&2"),
      .text("> locate {\"city\":\"Graz\"}\n! 1 \(answer)\n+ idle\n"),
      stdout: Self.requests[0] + (result ?? "< failed {\"code\":\"lost\",\"message\":\"\"}\n"),
      stderr: """
        {"kind":"request","id":1,"effect":"geo.locate","value":{"city":"Graz"}}
        {"kind":"cancel","id":1}

        """)
  }

  @Test func `shows requests and cancels as JSON Lines`() async throws {
    try await VMHostRun.expect(
      [
        "run", "movies.so", "--config", "{\"source\":\"tmdb\",\"apiKey\":\"k\"}", "--effect",
        "http=cat >&2",
      ]
        + Arguments.jsonl,
      .text("> didSearch \"a b\"\n> didCancelSearch\n"),
      stdout: VMHostRun.golden("cancel.jsonl"),
      stderr: """
        {"kind":"request","id":1,"effect":"http","value":{"method":"GET",\
        "url":"https://api.themoviedb.org/3/search/movie?query=a%20b&page=1&api_key=k\
        &language=en-US"}}
        {"kind":"cancel","id":1}

        """)
  }
}
