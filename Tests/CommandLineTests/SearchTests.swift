import TestSupport
import Testing

/// The main job, as the first page of the README shows it.
struct SearchTests {
  static let search = ChildProcess.Input.text("> didSearch \"batman\"\n+ idle\n")

  @Test func `searches from a pipe, on the live clock, as text`() async throws {
    try await VMHostRun.expect(
      ["run", "movies.so", "--format", "text"], Self.search,
      stdout: VMHostRun.golden("search.txt"))
  }

  @Test func `searches from a pipe, as JSON Lines`() async throws {
    try await VMHostRun.expect(
      ["run", "movies.so"] + Arguments.jsonl, Self.search,
      stdout: VMHostRun.golden("search.jsonl"))
  }

  @Test func `writes JSON Lines into a pipe unless it is told otherwise`() async throws {
    try await VMHostRun.expect(
      ["run", "movies.so"] + Arguments.jsonl.dropFirst(2), Self.search,
      stdout: VMHostRun.golden("search.jsonl"))
  }

  @Test func `says the same to a search in JSON Lines`() async throws {
    let input = """
      {"kind":"input","instance":"list","name":"didSearch","value":"batman"}
      {"kind":"advance","by":"idle"}
      """
    try await VMHostRun.expect(
      Arguments.movies, .text(input), stdout: VMHostRun.golden("search.txt"))
  }

  @Test func `waits in time that passes at once with a virtual clock`() async throws {
    let input = """
      > didSearch "batman"
      + 199ms
      # not yet
      > viewDidLoad
      + 1ms
      """
    try await VMHostRun.expect(
      Arguments.movies, .text(input), stdout: VMHostRun.golden("search.txt"))
  }

  @Test func `says when a script ends too early`() async throws {
    try await VMHostRun.expect(
      Arguments.movies, .text("> didSearch \"batman\"\n+ 199ms\n"),
      stdout: FirstFrame.movies + """
        < items []
        < loading "fullScreen"
        < query "batman"

        """,
      stderr: """
        vmhost: the input ended while the plugin was waiting for a timer. End it with "+ idle" to \
        wait.

        """)
  }

  @Test func `has nothing to wait for when nothing goes on`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text("+ idle\n> say 1\n+ idle\n+ 1h\n"), stdout: "< said 1\n")
  }

  @Test func `gives up on timers that never end`() async throws {
    let output = try await VMHostRun.output(
      Arguments.kit("ticker"), .text("> startHourly\n+ idle\n"))
    #expect(output.lines == (1...25).map { "< ticked \($0)" })
    #expect(
      output.stderr == """
        vmhost: <stdin>:2: "+ idle" gave up after 25h: timers never end. Let a fixed time \
        pass instead, as in "+ 5s".

        """)
    #expect(output.status == .exited(2))
  }

  @Test func `speaks the language that it is told`() async throws {
    try await VMHostRun.expect(
      Arguments.movies + ["--locale", "es_ES"], stdout: VMHostRun.golden("spanish.txt"))
  }
}
