import TestSupport
import Testing

/// Several plugins and several instances in one session.
struct SeveralInstancesTests {
  @Test func `names the instance whose requests end with it`() async throws {
    let input = """
      @plugin brokenfixture.so
      @open broken as a
      @open broken as b
      > b.emit "17 1 printer {}"
      @close b
      """
    let output = try await VMHostRun.output(["run"] + Arguments.text, .text(input))
    #expect(output.stdout.hasSuffix("\n? b.1 printer {}\nx b.1\n"))
  }

  @Test func `opens the first view model of each plugin`() async throws {
    try await VMHostRun.expect(
      ["run", "movies.so", "echo.so"] + Arguments.text,
      .text(
        "> echo.say {\"b\":1,\"a\":2}\n"
          + "{\"instance\":\"list\",\"name\":\"closeQueriesSuggestions\"}\n"
      ),
      stdout: FirstFrame.movies + """
        < echo.said {"a":2,"b":1}
        < list.closeMovieQueriesSuggestions

        """)
  }

  @Test func `names all plugins in the session line`() async throws {
    try await VMHostRun.expect(
      ["run", "echo.so", "hello.so", "--view-model", "echo"] + Arguments.jsonl,
      .text("> say 1\n"),
      stdout: try FirstFrame.session + """
        [\(VMHostRun.plugin("echo")),\(VMHostRun.plugin("hello"))]}
        {"kind":"output","t":0,"instance":"echo","name":"said","value":1}
        {"kind":"end","t":0,"status":0}

        """)
  }

  @Test func `opens what the command line names, under its handles`() async throws {
    try await VMHostRun.expect(
      [
        "run", "hello.so", "echo.so", "--view-model", "hello.greeter=a", "--view-model", "echo",
        "--view-model=hello.greeter=b",
      ] + Arguments.text,
      .text("> a.nameChanged \"x\"\n> echo.say 1\n> b.cleared\n"),
      stdout: """
        < greeting "Hello!"
        < b.greeting "Hello!"
        < a.greeting "Hello, x!"
        < echo.said 1
        < b.greeting "Hello!"

        """)
  }

  @Test func `opens and closes instances by lines`() async throws {
    let input = """
      @plugin hello.so
      @open hello.greeter
      @open hello.greeter as second
      > second.nameChanged "x"
      @close greeter
      > nameChanged "y"
      {"kind":"open","viewModel":"hello.greeter","instance":"third"}
      {"kind":"close","instance":"second"}
      > cleared
      """
    try await VMHostRun.expect(
      ["run"] + Arguments.text, .text(input),
      stdout: """
        < greeting "Hello!"
        < second.greeting "Hello!"
        < second.greeting "Hello, x!"
        < greeting "Hello, y!"
        < third.greeting "Hello!"
        < greeting "Hello!"

        """)
  }

  @Test func `refuses a plugin that is there under another name`() async throws {
    let path = try BuildProducts.library("echo")
    try await TemporaryDirectory.with { directory in
      let copy = directory.file("copy.so")
      try #require(
        try await ChildProcess.run("/bin/cp", [path, copy]).status == .exited(0))
      try await VMHostRun.expect(
        ["run", "echo.so", copy] + Arguments.text,
        stderr: "vmhost: \"echo.so\" and \"\(copy)\" are both the plugin \"echo\".\n", status: 2)
      // The same file twice is one plugin.
      try await VMHostRun.expect(
        ["run", "echo.so", path] + Arguments.text, .text("> say 1\n"), stdout: "< said 1\n")
    }
  }
}
