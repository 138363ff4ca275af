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
      text.components(separatedBy: "## Examples\n").last?.components(separatedBy: "\n## ").first)
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
    let lines = try block("```", after: "its actions follow at once:").split(separator: "\n")
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

  @Test func `finds the flow from the folder of the script`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        try String(contentsOfFile: Self.movies(), encoding: .utf8), to: "flows/movies.json")
      let steps = "> showQueriesSuggestions\n"
      try directory.write(
        "@plugin movies.so\n@flow ../flows/movies.json\n@open movies.list\n\(steps)",
        to: "scripts/whole.vmt")
      let stdout =
        Self.opening + "< list.showMovieQueriesSuggestions\n"
        + "# opened suggestions: movies.suggestions\n< suggestions.items []\n"
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
      "a.vmt:3:1: the session already has the flow \"./movies.json\", and it can have only one."
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
      stderr: "vmhost: --flow f.json needs a plugin on the command line. A script says \"@flow"
        + " FILE\" itself, after its @plugin lines.\n",
      status: 2)
    let output = try await VMHostRun.output(
      Arguments.echo + ["--flow", try Self.movies()])
    #expect(output.status == .exited(2))
    #expect(output.stderr.contains("movies.json:3:22: there is no view model \"movies.list\"."))
  }
}
