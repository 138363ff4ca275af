import Foundation
import TestSupport
import Testing

/// How a flow, the script and the command line go together.
struct FlowScriptTests {
  private static func movies() throws -> String {
    try "\(Repository.root())/Examples/flows/movies.json"
  }

  private static let opening =
    "# opened list: movies.list\n" + FirstFrame.movies(handle: "list.")

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
        "there is no view model \"movies.list\", as no plugin is loaded yet. Write @flow after"
        + " the @plugin lines."
      #expect((output.stdout + output.stderr).contains(message), "\(output.stderr)")
      #expect((output.stdout + output.stderr).contains("a.vmt:2"), "\(output.stdout)")
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: [
    "a\tb.json", "a\nb.json", "a.json ", "a\u{7f}.json", "a\u{85}.json", " \u{301}.json",
  ])
  func `records nothing with a flow whose name no line can have`(_ name: String) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("{\"start\":{\"open\":\"echo\"}}", to: name)
      let output = try await VMHostRun.output(
        Arguments.echo + ["--flow", name, "--record", "a.vmt"], .text("> say 1\n"),
        workingDirectory: directory.path)
      #expect(output.stderr.hasSuffix("or a space at an end. Rename it.\n"), "\(output.stderr)")
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
      #expect(output.stderr.hasSuffix("or a space at an end. Rename it.\n"), "\(output.stderr)")
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
}
