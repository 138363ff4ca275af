import TestSupport
import Testing

/// `--store`: what a plugin keeps over sessions.
struct StoreTests {
  private static func rows(_ title: String) -> String {
    "{\"page\":1,\"total_pages\":1,\"results\":[{\"id\":7,\"title\":\"\(title)\"}]}"
  }

  private static func items(_ title: String) -> String {
    "< items [{\"overview\":\"\",\"posterImagePath\":null,"
      + "\"releaseDate\":\"To be announced\",\"title\":\"\(title)\"}]\n"
  }

  @Test func `shows the cached page first after a run that was killed`() async throws {
    try await TemporaryDirectory.with { directory in
      try await LoopbackServer.with { request in
        .json(Self.rows("Answer \(request.index)"))
      } run: { server in
        let arguments =
          SecretTests.arguments(server) + ["--store", directory.file("s.db")]
        let environment = ["TMDB_KEY": "the-real-key"]
        let first = try VMHostRun.start(arguments, environment: environment)
        try first.writeLine("> didSearch \"batman\"")
        while let line = try first.readLine(), !line.contains("Answer 0") {}
        while let line = try first.readLine(), line != "< loading \"none\"" {}
        first.kill(9)
        #expect(try first.wait(closingInput: false).status == .signaled(9))

        try await VMHostRun.expect(
          arguments, SearchTests.search, environment: environment,
          stdout: FirstFrame.movies + """
            < items []
            < loading "fullScreen"
            < query "batman"

            """ + Self.items("Answer 0") + """
              < isEmpty false
              ? 1 http {
                  "method": "GET",
                  "url": "\(server.url)/3/search/movie?query=batman&page=1&api_key=SECRET_tmdb\
              &language=en-US"
                }

              """ + Self.items("Answer 1") + "< loading \"none\"\n")
        try await VMHostRun.expect(
          Arguments.movies + [
            "--view-model", "movies.suggestions", "--store", directory.file("s.db"),
          ],
          .text("> viewWillAppear\n"),
          stdout: "< items []\n< items [{\"query\":\"batman\"}]\n")
      }
    }
  }

  @Test func `keeps plugins apart and values over runs`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = ["--store", directory.file("s.db")]
      try await VMHostRun.expect(
        Arguments.kit("effects") + store,
        .text("> storageSet {\"key\":\"recent-queries\",\"value\":[1]}\n> storageList \"\"\n"),
        stdout: "< result \"set\"\n< result \"recent-queries\"\n")
      try await VMHostRun.expect(
        Arguments.kit("effects") + store, .text("> storageGet \"recent-queries\"\n"),
        stdout: "< result \"[1]\"\n")
      try await VMHostRun.expect(
        Arguments.movies + store + ["--view-model", "movies.suggestions"],
        .text("> viewWillAppear\n"), stdout: "< items []\n< items []\n")
    }
  }

  @Test func `a recording says what another process has deleted since it was read`() async throws {
    try await TemporaryDirectory.with { directory in
      func effects(_ lines: String, _ stdout: String) async throws {
        try await VMHostRun.expect(
          Arguments.kit("effects") + ["--store", directory.file("s.db")], .text(lines),
          stdout: stdout)
      }
      try await effects(
        "> storageSet {\"key\":\"a\",\"value\":1}\n> storageSet {\"key\":\"p 1\",\"value\":2}\n",
        "< result \"set\"\n< result \"set\"\n")
      let arguments = ["run", "kitfixture.so", "--view-model", "kit.effects"] + Recording.settled
      let recorder = try VMHostRun.start(
        arguments + ["--store", directory.file("s.db"), "--record", directory.file("a.vmt")])
      for (line, result) in [("> storageGet \"a\"", "1"), ("> storageList \"p\"", "p 1")] {
        try recorder.writeLine(line)
        #expect(try recorder.readLine() == "< result \"\(result)\"")
      }
      try await effects(
        "> storageDelete \"a\"\n> storageDelete \"p 1\"\n",
        "< result \"deleted\"\n< result \"deleted\"\n")
      for (line, result) in [("> storageList \"p\"", ""), ("> storageGet \"a\"", "nothing")] {
        try recorder.writeLine(line)
        #expect(try recorder.readLine() == "< result \"\(result)\"")
      }
      #expect(try recorder.wait().status == .success)
      let recording = try Recording(nil, directory.file("a.vmt"))
      #expect(
        recording.body == """
          @plugin kitfixture.so
          @open kit.effects
          > storageGet "a"
          @storage a 1
          < result "1"
          > storageList "p"
          @storage "p 1" 2
          < result "p 1"
          > storageList "p"
          @storage "p 1"
          < result ""
          > storageGet "a"
          @storage a
          < result "nothing"
          @end

          """)
      try await recording.expectReplay()
      try await expectPass("a.vmt", in: directory)
    }
  }

  @Test(arguments: [[], ["--store", "memory"]])
  func `forgets what is only in memory`(_ option: [String]) async throws {
    for _ in 0..<2 {
      try await VMHostRun.expect(
        Arguments.kit("effects") + option,
        .text("> storageGet \"a\"\n> storageSet {\"key\":\"a\",\"value\":1}\n"),
        stdout: "< result \"nothing\"\n< result \"set\"\n")
    }
  }
}
