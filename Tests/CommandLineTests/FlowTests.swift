import Foundation
import TestSupport
import Testing

/// Sessions that navigate.
struct FlowTests {
  private static let document = "Documentation/Flows.md"
  private static func movies() throws -> String {
    try "\(Repository.root())/Examples/flows/movies.json"
  }

  private static let opening =
    "# opened list: movies.list\n" + FirstFrame.movies(handle: "list.")

  /// A way through all of the example's flow.
  private static let visit = """
    > showQueriesSuggestions
    > list.showQueriesSuggestions
    > list.closeQueriesSuggestions
    > showQueriesSuggestions
    > suggestions.didSelect {"query":"jaws"}
    + idle
    > didSelectItem 0
    > details.updatePosterImage 300
    > list.didSelectItem 0
    @close details
    > didCancelSearch

    """

  /// What follows a mark in the document, up to the end of the block.
  private func block(_ mark: String, after place: String) throws -> String {
    let text = try Repository.text(Self.document)
    let rest = try #require(text.components(separatedBy: place).dropFirst().first)
    let block = try #require(rest.components(separatedBy: mark + "\n").dropFirst().first)
    return try #require(block.components(separatedBy: "```").first)
  }

  @Test func `Flows.md has the example as it is`() throws {
    let file = try String(contentsOfFile: Self.movies(), encoding: .utf8)
    #expect(try block("```json", after: "<!-- file: Examples/flows/movies.json -->") == file)
  }

  @Test func `Flows.md shows parts of the other examples as they are`() throws {
    let text = try Repository.text(Self.document)
    let section = try #require(
      text.components(separatedBy: "## Two more\n").last?.components(separatedBy: "\n## ").first)
    let parts = section.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(parts.count == 3)
    let account = try Repository.text("Examples/flows/account.json")
    for part in parts { #expect(account.contains(part), "\(part)") }
  }

  @Test func `JSON Lines tell what opens before its first frame, and what closes`() async throws {
    let output = try await VMHostRun.output(
      ["run", "movies.so", "--flow", Self.movies()] + Arguments.jsonl,
      .text(
        """
        > showQueriesSuggestions
        > suggestions.didSelect {"query":"jaws"}
        + idle
        > didSelectItem 0
        @close details

        """))
    let kinds = ["open", "close"].map { "{\"kind\":\"\($0)\"" }
    let lines = output.lines.filter { line in
      kinds.contains { line.hasPrefix($0) } || line.contains("\"name\":\"items\",\"value\":[]")
        || line.contains("\"name\":\"didSelectQuery\"") || line.contains("\"name\":\"title\"")
    }
    #expect(
      lines == [
        #"{"kind":"open","t":0,"instance":"list","viewModel":"movies.list"}"#,
        #"{"kind":"output","t":0,"instance":"list","name":"items","value":[]}"#,
        #"{"kind":"open","t":0,"instance":"suggestions","viewModel":"movies.suggestions"}"#,
        #"{"kind":"output","t":0,"instance":"suggestions","name":"items","value":[]}"#,
        #"{"kind":"output","t":0,"instance":"suggestions","name":"didSelectQuery","value":"jaws"}"#,
        #"{"kind":"output","t":0,"instance":"list","name":"items","value":[]}"#,
        #"{"kind":"close","t":0,"instance":"suggestions"}"#,
        #"{"kind":"open","t":0.2,"instance":"details","viewModel":"movies.details"}"#,
        #"{"kind":"output","t":0.2,"instance":"details","name":"title","value":"Jaws"}"#,
        #"{"kind":"close","t":0.2,"instance":"details"}"#,
      ])
    #expect(output.status == .success)
  }

  @Test func `Flows.md shows what vmhost prints`() async throws {
    let lines = try block("```", after: "that happens at once:").split(separator: "\n")
    let inputs = lines.filter { $0.hasPrefix("> ") }.joined(separator: "\n")
    let outputs = lines.filter { !$0.hasPrefix("> ") }.joined(separator: "\n")
    try await VMHostRun.expect(
      Arguments.movies + ["--flow", Self.movies()], .text(inputs),
      stdout: Self.opening + outputs + "\n",
      stderr: "vmhost: the input ended while the plugin was waiting for a timer."
        + " End it with \"+ idle\" to wait.\n")
  }

  @Test func `Flows.md shows what is wrong with a flow`() async throws {
    let error = try block("```error", after: "## Mistakes")
    let line = try #require(
      error.components(separatedBy: "5 | ").last?.split(separator: "\n").first)
    try await TemporaryDirectory.with { directory in
      let file = "{\n  \"start\": { \"open\": \"movies.list\" },\n\n  \"on\": {\n\(line)\n  }\n}\n"
      try directory.write(file.replacing("\n\"lst", with: "\n    \"lst"), to: "movies.json")
      try await VMHostRun.expect(
        Arguments.movies + ["--flow", "movies.json"], workingDirectory: directory.path,
        stderr: "vmhost: \(error)", status: 2)
    }
  }

  @Test func `a session that navigates is recorded, tested and replayed`() async throws {
    try await TemporaryDirectory.with { directory in
      let flow = try String(contentsOfFile: Self.movies(), encoding: .utf8)
      try directory.write(flow, to: "flows/movies.json")
      let recording = try await Recording.of(
        ["run", "movies.so", "--flow", "flows/movies.json"] + Recording.settled, .text(Self.visit),
        in: directory)
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      #expect(
        recording.body.hasPrefix("@plugin movies.so\n@flow flows/movies.json\n@open movies.list\n"))
      #expect(
        recording.text.contains(
          "> suggestions.didSelect {\"query\":\"jaws\"}\n< suggestions.didSelectQuery \"jaws\"\n"
            + "< list.items []\n< list.loading \"fullScreen\"\n< list.query \"jaws\"\n"))
      #expect(recording.text.contains("< details.title \"Jaws\"\n"))
      try await expectPass("a.vmt", in: directory)
      try await recording.expectReplay()
      let replay = try await VMHostRun.output(
        ["replay", "a.vmt", "--format", "text"], workingDirectory: directory.path)
      #expect(replay.status == .success, "\(replay.stderr)")
      // Where the flow leads elsewhere, the test shows it.
      let other = flow.replacing("\"unlessOpen\": true", with: "\"unlessOpen\": false")
      try directory.write(other, to: "flows/movies.json")
      let test = try await VMHostRun.output(["test", "a.vmt"], workingDirectory: directory.path)
      #expect(test.status == .exited(1), "\(test.stdout)")
      #expect(test.stdout.contains("suggestions.items []"), "\(test.stdout)")
    }
  }

  @Test func `finds the flow from the folder of the script, and its start`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        try String(contentsOfFile: Self.movies(), encoding: .utf8), to: "flows/movies.json")
      let steps = "> showQueriesSuggestions\n"
      try directory.write("@flow ../flows/movies.json\n\(steps)", to: "scripts/start.vmt")
      try directory.write(
        "@plugin movies.so\n@flow ../flows/movies.json\n@open movies.list\n\(steps)",
        to: "scripts/whole.vmt")
      let stdout =
        Self.opening + "< list.showMovieQueriesSuggestions\n"
        + "# opened suggestions: movies.suggestions\n< suggestions.items []\n"
      try await VMHostRun.expect(
        Arguments.movies + ["--script", directory.file("scripts/start.vmt")], stdout: stdout)
      try await VMHostRun.expect(
        ["run", "--script", directory.file("scripts/whole.vmt")] + Arguments.text, stdout: stdout)
    }
  }

  @Test func `gives what it opens its secrets, which no recording has`() async throws {
    try await TemporaryDirectory.with { directory in
      let config = "{\"source\":\"tmdb\",\"apiKey\":\"$secret:mine\"}"
      try directory.write(
        """
        {"start":{"open":"movies.list"},"on":{"list.showMovieQueriesSuggestions":
          {"open":"movies.list","as":"second","config":\(config)}}}
        """, to: "f.json")
      let recording = try await Recording.of(
        [
          "run", "movies.so", "--flow", "f.json", "--secret", "mine=KEY", "--effect",
          "http=cat >/dev/null",
        ] + Recording.settled,
        .text(
          """
          > showQueriesSuggestions
          > second.didSearch "a"
          ! second.1 error {"code":"offline"}

          """), environment: ["KEY": "hunter22"], in: directory)
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      #expect(recording.text.contains("api_key=SECRET_mine&"))
      #expect(!recording.text.contains("hunter22"))
      try await expectPass("a.vmt", in: directory)
    }
  }

  @Test(arguments: [false, true])
  func `each line sees what the one before it opened, closed or put in its place`(
    _ isInProcess: Bool
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        """
        {"start":[{"open":"broken","as":"a","config":{"fault":"","key":null}}],"on":{
          "a.rang":{"open":"echo"},
          "a.heard":{"close":"echo"}}}
        """, to: "f.json")
      let lines = """
        > a.emit "16 0 rang"
        > echo.say 1
        > echo.say 2
        > a.emit "16 0 rang"
        > echo.say 3
        > a.emit "16 0 heard 1"
        > say 4

        """
      try directory.write(lines, to: "s.vmt")
      let arguments =
        ["run", "brokenfixture.so", "echo.so", "--flow", "f.json"] + Arguments.text
        + (isInProcess ? ["--in-process"] : [])
      for input in [["--script", "s.vmt"], []] {
        let output = try await VMHostRun.output(
          arguments + input, input.isEmpty ? .text(lines) : .null,
          workingDirectory: directory.path)
        let lines = output.stdout.split(separator: "\n").suffix(10)
        #expect(
          lines == [
            "< a.rang", "# opened echo: echo", "< echo.said 1", "< echo.said 2", "< a.rang",
            "# closed echo", "# opened echo: echo", "< echo.said 3", "< a.heard 1", "# closed echo",
          ])
        #expect(output.stderr.contains(":7:3: a has no input \"say\"."), "\(output.stderr)")
        #expect(output.status == .exited(2))
      }
    }
  }

  @Test func `the flow of the command line wins over that of a script`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        "@plugin movies.so\n@flow nowhere.json\n@open movies.list\n> showQueriesSuggestions\n",
        to: "s.vmt")
      try await VMHostRun.expect(
        Arguments.movies + ["--flow", Self.movies(), "--script", directory.file("s.vmt")],
        stdout: Self.opening + "< list.showMovieQueriesSuggestions\n"
          + "# opened suggestions: movies.suggestions\n< suggestions.items []\n")
      try directory.write("@flow nowhere.json\n> showQueriesSuggestions\n", to: "start.vmt")
      let output = try await VMHostRun.output(
        Arguments.movies + ["--flow", Self.movies(), "--script", directory.file("start.vmt")])
      #expect(output.stdout.hasPrefix(Self.opening), "\(output.stderr)")
      #expect(output.status == .success)
    }
  }

  @Test func `opens the view models of the command line instead of the start`() async throws {
    try await VMHostRun.expect(
      Arguments.movies + ["--flow", Self.movies(), "--view-model", "movies.suggestions"],
      .text("> didSelect {\"query\":\"jaws\"}\n"),
      stdout: """
        # opened suggestions: movies.suggestions
        < suggestions.items []
        < suggestions.didSelectQuery "jaws"
        # warning from suggestions: "nothing was fed to list.didSelectQuery, which isn't open"
        # closed suggestions

        """)
  }

  @Test func `a script's flow may be of plugins that the script names before it`() async throws {
    let flow = try "\(Repository.root())/Examples/flows/cinema.json"
    try await TemporaryDirectory.with { directory in
      let lines = "@plugin movies.so\n@flow \(flow)\n> login.emailChanged \"a\"\n"
      try directory.write(lines, to: "s.vmt")
      let output = try await VMHostRun.output(
        ["run", "account.so", "--script", directory.file("s.vmt")] + Arguments.text)
      #expect(output.stdout.hasPrefix("# opened login: account.login-form\n"), "\(output.stderr)")
      #expect(output.stdout.components(separatedBy: "# opened ").count == 2)
      #expect(output.status == .success, "\(output.stderr)")
    }
  }

  @Test(arguments: ["run", "replay", "test"])
  func `says that no plugin is loaded yet where @flow comes too early`(
    _ command: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        try String(contentsOfFile: Self.movies(), encoding: .utf8), to: "movies.json")
      try directory.write(
        "vmt 1\n@flow movies.json\n@plugin movies.so\n@open movies.list\n", to: "a.vmt")
      let output = try await VMHostRun.output(
        [command] + (command == "run" ? ["--script"] : []) + ["a.vmt"],
        workingDirectory: directory.path)
      let message =
        "there is no view model \"movies.list\", as no plugin is loaded yet. @flow belongs behind the"
        + " @plugin lines."
      #expect((output.stdout + output.stderr).contains(message), "\(output.stderr)")
      #expect((output.stdout + output.stderr).contains("a.vmt:2"), "\(output.stdout)")
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: ["a\tb.json", "a\nb.json", "a.json ", "a\u{7f}.json"])
  func `records nothing with a flow whose name no line can have`(_ name: String) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("{\"start\":{\"open\":\"echo\"}}", to: name)
      let output = try await VMHostRun.output(
        Arguments.echo + ["--flow", name, "--record", "a.vmt"], .text("> say 1\n"),
        workingDirectory: directory.path)
      #expect(output.stderr.hasSuffix("at its end in it. Rename it.\n"), "\(output.stderr)")
      #expect(output.status == .exited(2))
      #expect(output.stdout == "")
      #expect(!FileManager.default.fileExists(atPath: directory.file("a.vmt")))
      // Without a recording it is as good as any.
      try await VMHostRun.expect(
        Arguments.echo + ["--flow", name], .text("> say 1\n"), workingDirectory: directory.path,
        stdout: "# opened echo: echo\n< echo.said 1\n")
    }
  }

  @Test func `records nothing of a plugin whose name no line can have`() async throws {
    try await TemporaryDirectory.with { directory in
      let copy = directory.file("my\techo.so")
      try FileManager.default.copyItem(atPath: BuildProducts.library("echo"), toPath: copy)
      let output = try await VMHostRun.output(
        ["run", copy, "--record", "a.vmt"] + Arguments.text, .text("> say 1\n"),
        workingDirectory: directory.path)
      #expect(output.stderr.hasSuffix("at its end in it. Rename it.\n"), "\(output.stderr)")
      #expect(output.status == .exited(2))
      #expect(!FileManager.default.fileExists(atPath: directory.file("a.vmt")))
    }
  }

  @Test func `opens what the start has twice, by a signal and by itself, once`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        """
        {"start":[
          {"open":"broken","as":"a","config":{"fault":"frame-rings","key":null}},
          {"open":"echo"}],
          "on":{"a.rang":{"open":"echo"}}}
        """, to: "f.json")
      let recording = try await Recording.of(
        ["run", "brokenfixture.so", "echo.so", "--flow", "f.json"] + Recording.settled,
        .text("> echo.say 1\n"), in: directory)
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      #expect(recording.output.stdout.components(separatedBy: "# opened echo: echo\n").count == 2)
      #expect(recording.output.stdout.hasSuffix("< echo.said 1\n"))
      try await expectPass("a.vmt", in: directory)
    }
  }

  private static let mistakes: [(String, String)] = [
    (
      "@open movies.list\n@flow movies.json\n",
      "a.vmt:3:1: this must come before the first @open."
    ),
    (
      "@flow nope.json\n@open movies.list\n",
      "could not read the flow \"./nope.json\": No such file or directory."
    ),
    (
      "@flow movies.json\n@flow movies.json\n@open movies.list\n",
      "a.vmt:3:1: there is a flow already, \"./movies.json\", and one is enough."
    ),
    (
      "@flow movies.json\n@open movies.details as list\n",
      "the flow \"./movies.json\" has the handle \"list\" for movies.list."
    ),
  ]

  @Test(arguments: mistakes) func `says what is wrong with a flow in a transcript`(
    _ lines: String, _ message: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        try String(contentsOfFile: Self.movies(), encoding: .utf8), to: "movies.json")
      try directory.write("@plugin movies.so\n\(lines)", to: "a.vmt")
      let output = try await VMHostRun.output(
        ["replay", "./a.vmt"], workingDirectory: directory.path)
      #expect(output.status == .exited(2))
      #expect(output.stderr.contains(message), "\(output.stderr)")
    }
  }

  @Test func `needs plugins on the command line that have its view models`() async throws {
    try await VMHostRun.expect(
      ["run", "--flow", "f.json"] + Arguments.text,
      stderr: "vmhost: --flow f.json: it is for the plugins that the command line names, and there"
        + " is none. A script says \"@flow FILE\" itself, behind its @plugin lines.\n",
      status: 2)
    let output = try await VMHostRun.output(
      Arguments.echo + ["--flow", try Self.movies()])
    #expect(output.status == .exited(2))
    #expect(output.stderr.contains("movies.json:3:22: there is no view model \"movies.list\"."))
  }
}
