import Foundation
import TestSupport
import Testing

/// The example's front end in Python, in a terminal, over the built vmhost and movies.so.
struct FrontEndTests {
  private static let folder = "Examples/frontends"
  private static let ready = "Movies  Search results"
  private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".map { "Movies  \($0)" }
  /// The first film that a search for "wa" finds.
  private static let first = "Star Wars  Release Date: May 25, 1977"

  /// A session that shows its first frame.
  private static func start(
    _ options: [String] = [], columns: Int = 80, rows: Int = 24
  ) throws -> FrontEndSession {
    let session = try FrontEndSession(options, columns: columns, rows: rows)
    try session.terminal.wait(for: "the first frame") { $0.lines.first == ready }
    return session
  }

  /// A visit of all that the front end has: a search, its pages, a film, the recent queries.
  private func visit(_ session: FrontEndSession) throws {
    let terminal = session.terminal
    try terminal.write("wa")
    try terminal.wait(for: "what was typed") { $0.lines.last == "Search Movies: wa" }
    try terminal.write(Keys.enter)
    try terminal.wait(for: "a page") { $0.lines.count == 2 + 10 && $0.lines[0] == "Movies" }
    #expect(terminal.screen.lines[2] == Self.first)

    try terminal.write(String(repeating: Keys.down, count: 10))
    try terminal.wait(for: "the next page") { $0.lines.count == 2 + 12 && $0.lines[0] == "Movies" }
    try terminal.write(String(repeating: Keys.down, count: 3))

    try terminal.write(Keys.enter)
    try terminal.wait(for: "the last film") {
      $0.lines.first == "Star Wars: The Rise of Skywalker" && $0.lines.count > 2
    }
    #expect(terminal.screen.lines[1] == "2019-12-20")
    try terminal.write("\u{1B}")
    try terminal.wait(for: "the list again") { $0.lines.count == 2 + 12 }

    try terminal.write(Keys.backspace + Keys.backspace)
    try terminal.wait(for: "an empty field") { $0.lines[1] == "Search Movies:" }
    try terminal.write(Keys.down)
    try terminal.wait(for: "the recent query") {
      $0.lines == ["Movies", "Search Movies:", "wa"]
    }
    try terminal.write(Keys.enter)
    try terminal.wait(for: "the same search") {
      $0.lines.count == 2 + 10 && $0.lines[0] == "Movies"
    }
    #expect(terminal.screen.lines[1] == "Search Movies: wa")
  }

  @Test func `searches, turns pages, opens a film, goes back and remembers queries`() throws {
    let session = try Self.start()
    try visit(session)
    try session.end(by: Keys.control("C"))
  }

  @Test func `takes keys that come twice, of which the second comes too late`() throws {
    let session = try Self.start()
    let terminal = session.terminal
    try terminal.write("wa\r")
    try terminal.wait(for: "a page") { $0.lines.count == 2 + 10 && $0.lines[0] == "Movies" }
    try terminal.write(Keys.down + Keys.enter + Keys.enter)
    try terminal.wait(for: "the film") { $0.lines.first == "Star Wars" }
    try terminal.write("\u{1B}")
    try terminal.wait(for: "the list again") { $0.lines.count == 2 + 10 }
    try terminal.write(Keys.backspace + Keys.backspace + Keys.down)
    try terminal.wait(for: "the recent query") {
      $0.lines == ["Movies", "Search Movies:", "wa"]
    }
    try terminal.write(Keys.enter + Keys.enter + Keys.enter)
    try terminal.wait(for: "the same search") {
      $0.lines.count == 2 + 10 && $0.lines[0] == "Movies"
    }
    try session.end(by: Keys.control("C"))
  }

  @Test func `shows a spinner while a search runs, and cancels it`() throws {
    // No time passes on this clock, so that the answer can't come before the key.
    let session = try Self.start(["--clock", "virtual"])
    try session.terminal.write("alien\r")
    try session.terminal.wait(for: "a spinner") { Self.spinner.contains($0.lines.first ?? "") }
    try session.terminal.write("\u{1B}")
    try session.terminal.wait(for: "the end of the search") { $0.lines.first == Self.ready }
    #expect(session.terminal.screen.lines == [Self.ready, "Search Movies: alien"])
    try session.end(by: Keys.control("D"))
  }

  @Test func `ends in the middle of a search`() throws {
    let session = try Self.start(["--clock", "virtual"])
    try session.terminal.write("alien\r")
    try session.terminal.wait(for: "a spinner") { Self.spinner.contains($0.lines.first ?? "") }
    try session.end(by: Keys.control("C"))
  }

  @Test func `shows the plugin's own texts, in the language that vmhost is told`() throws {
    let session = try FrontEndSession(["--locale", "es_ES"])
    try session.terminal.wait(for: "Spanish") { $0.lines.contains("Buscar películas:") }
    try session.end(by: Keys.control("C"))
  }

  @Test func `shows errors until something else is asked for`() throws {
    let config = #"{"source":"tmdb","apiKey":"k"}"#
    let session = try Self.start(
      ["--config", config, "--clock", "virtual", "--effect", "http=\(Self.offline)"])
    try session.terminal.write("a\r")
    try session.terminal.wait(for: "the error") {
      $0.lines.first == "Movies  Error: No internet connection"
    }
    try session.terminal.write("\u{1B}")
    try session.terminal.wait(for: "no error") { $0.lines.first == Self.ready }
    try session.end(by: Keys.control("C"))
  }

  /// A provider that is never online.
  private static let offline =
    #"while read -r line; do echo '{"id":1,"kind":"error","code":"offline"}'; done"#

  @Test func `fits into small and changing windows, with wide characters too`() throws {
    let session = try Self.start(columns: 30, rows: 5)
    let terminal = session.terminal
    try terminal.write("wa\r")
    try terminal.wait(for: "a page") { $0.lines.count == 5 && $0.lines[0] == "Movies" }
    #expect(terminal.screen.lines[2] == String(Self.first.prefix(30)))
    try terminal.write(String(repeating: Keys.down, count: 4))
    try terminal.wait(for: "rows further below") { screen in
      screen.lines.last?.hasPrefix("Spirited Away") == true
    }
    try terminal.resize(columns: 70, rows: 9)
    try terminal.wait(for: "more rows") { $0.lines.count == 9 && $0.lines[2] == Self.first }
    try terminal.write(String(repeating: "映", count: 40) + "画")
    try terminal.wait(for: "the end of what is typed") { $0.lines[1].hasSuffix("映画") }
    // 15 columns of the label and 27 wide characters: 69 of the 70 columns.
    #expect(terminal.screen.lines[1].count == 15 + 27)
    try terminal.resize(columns: 1, rows: 1)
    try terminal.wait(for: "what there is room for") { $0.lines == ["M"] }
    try terminal.resize(columns: 80, rows: 24)
    try terminal.wait(for: "all of it again") { $0.lines.count == 2 + 10 }
    try session.end(by: Keys.control("C"))
  }

  @Test func `says what vmhost said when it ends`() throws {
    let session = try FrontEndSession(["--plugin", "echo.so"])
    try session.expectEnd(status: 1) { lines in
      lines.joined().contains("there is no view model \"movies.list\"")
    }
  }

  @Test func `ends when vmhost is killed, and leaves the terminal as it was`() throws {
    let session = try Self.start()
    let processes = try session.processes()
    let python = try #require(processes.first { $0.name.hasPrefix("python") })
    let vmhost = try #require(processes.first { $0.parent == python.id })
    kill(vmhost.id, SIGKILL)
    try session.expectEnd(status: 1) { $0.last?.hasSuffix("vmhost has ended") == true }
  }

  @Test func `ends by SIGTERM, and leaves the terminal as it was`() throws {
    let session = try Self.start()
    let python = try #require(try session.processes().first { $0.name.hasPrefix("python") })
    kill(python.id, SIGTERM)
    try session.expectEnd(status: 128 + SIGTERM) { $0.isEmpty }
  }

  @Test func `says that it needs a terminal`() async throws {
    let output = try await ChildProcess.run(
      FrontEndSession.python(), [FrontEndSession.script(), "--vmhost", "/bin/true"])
    let message = "it needs a terminal; in a pipe, vmhost run itself takes and gives lines\n"
    #expect(output.stderr.hasSuffix(message))
    #expect(output.stdout == "")
    #expect(output.status == .exited(2))
  }

  @Test func `is shorter than 165 lines and imports nothing that Python doesn't bring`()
    async throws
  {
    let lines = try Repository.text("\(Self.folder)/movies.py").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().count < 165)
    #expect(lines.allSatisfy { $0.count <= 100 })
    let output = try await ChildProcess.run(
      FrontEndSession.python(), ["-c", Self.foreignImports, FrontEndSession.script()])
    #expect(output.stdout == "True []\n", "\(output.stderr)")
  }

  /// Prints whether a script imports anything, and what of it isn't of the standard library.
  private static let foreignImports = """
    import ast, sys
    names = set()
    for node in ast.walk(ast.parse(open(sys.argv[1]).read())):
        if isinstance(node, ast.Import):
            names |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").split(".")[0])
    print(len(names) > 0, sorted(names - set(sys.stdlib_module_names)))
    """

  @Test func `what is recorded of a visit is the recording in the repository`() async throws {
    try await TemporaryDirectory.with { directory in
      let session = try Self.start(["--record", directory.file("visit.vmt")])
      try visit(session)
      try session.end(by: Keys.control("C"))
      // The flow lies with the front end.
      try await expectPass("visit.vmt", in: directory, ["--allow-outside"])
      let visited = try String(contentsOfFile: directory.file("visit.vmt"), encoding: .utf8)
      let recorded = try Repository.text("\(Self.folder)/recorded-session.vmt")
      #expect(Self.events(of: visited) == Self.events(of: recorded))
    }
  }

  /// The lines of a recording that don't depend on when it was made.
  private static func events(of recording: String) -> [Substring] {
    recording.split(separator: "\n").drop { !$0.hasPrefix("@open ") }
      .filter { !$0.hasPrefix("+ ") && !$0.hasPrefix("#") }
  }

  @Test func `the recording in the repository is replayed, and names nothing of a machine`()
    async throws
  {
    let recorded = try Repository.text("\(Self.folder)/recorded-session.vmt")
    #expect(recorded.contains("\n@flow ../flows/movies.json\n@open movies.list\n"))
    #expect(recorded.hasSuffix("@end\n"))
    let paths = recorded.split(separator: " ").filter { $0.hasPrefix("/") }
    #expect(paths == [])
    let output = try await VMHostRun.output(
      ["replay", "\(Self.folder)/recorded-session.vmt"], workingDirectory: Repository.root())
    #expect(output.stdout.contains("\"name\":\"showMovieDetails\""))
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  @Test func `the film of a session shows a visit, and ends with the terminal as it was`() throws {
    struct Header: Decodable {
      var version: Int
      var width: Int
      var height: Int
    }
    let lines = try Repository.text("\(Self.folder)/session.cast").split(separator: "\n")
    let header = try JSONDecoder().decode(Header.self, from: Data(lines[0].utf8))
    #expect(header.version == 2)
    var screen = TerminalScreen(columns: header.width, rows: header.height)
    var titles: [String] = []
    for line in lines.dropFirst() {
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
      let text = try #require(event?.last as? String)
      screen.write(text.utf8)
      if let title = screen.lines.first, title != titles.last { titles.append(title) }
    }
    #expect(titles.contains("Movies"))
    #expect(titles.contains("Star Wars: The Rise of Skywalker"))
    #expect(titles.contains { Self.spinner.contains($0) })
    #expect(screen.lines == [])
    #expect(screen.isCursorVisible)
    #expect(screen.unknownSequences == [])
  }

  @Test func `the sessions in the documentation are what vmhost writes`() async throws {
    let page = try Repository.text("Documentation/FrontEnds.md")
    let sessions = page.components(separatedBy: "<!-- session: ").dropFirst()
    #expect(sessions.count == 3)
    for session in sessions {
      let arguments = session.prefix { $0 != "\n" }.replacing(" -->", with: "").split(
        separator: " ")
      let lines = session.components(separatedBy: "```")[1].split(separator: "\n")
      // Between its lines time passes, until nothing more comes.
      let inputs = lines.filter { $0.hasPrefix("> ") }.map {
        "\($0.dropFirst(2))\n{\"kind\":\"advance\",\"by\":\"idle\"}\n"
      }
      let outputs = lines.filter { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) }
      let run = try await VMHostRun.output(
        arguments.map(String.init) + Arguments.jsonl, .text(inputs.joined()),
        workingDirectory: Repository.root())
      #expect(Array(run.lines.suffix(outputs.count)) == outputs)
      // What is left out is the session, and at most the first frame.
      #expect(run.lines.count - outputs.count <= 1 + 6)
      #expect(run.stderr == "")
    }
  }
}
