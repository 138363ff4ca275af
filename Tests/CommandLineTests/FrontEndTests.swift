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

  /// Starts a shell that runs the front end and then says its status and how it left the terminal.
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
    let session = try Self.start(columns: 25, rows: 5)
    let terminal = session.terminal
    try terminal.write("wa\r")
    try terminal.wait(for: "a page") { $0.lines.count == 5 && $0.lines[0] == "Movies" }
    #expect(terminal.screen.lines[2] == String(Self.first.prefix(25)))
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
    let vmhost = try #require(try session.processes().first { $0.name == "vmhost" })
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

  @Test func `is shorter than 150 lines and imports nothing that Python doesn't bring`()
    async throws
  {
    let lines = try Repository.text("\(Self.folder)/movies.py").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().count < 150)
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
      try await expectPass("visit.vmt", in: directory)
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
}

/// The front end in a terminal, run by a shell that says how it ended.
private struct FrontEndSession {
  let terminal: PseudoTerminal
  /// Of the shell, and of all that it starts.
  private let id: Int32

  struct MissingPython: Error, CustomStringConvertible {
    let description =
      "There is no python3 in PATH, and Examples/frontends/movies.py needs it (3.10 or later for"
      + " this test). Install it, as in: apt-get install python3"
  }

  init(_ options: [String] = [], columns: Int = 80, rows: Int = 24) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    let command = "echo $$; \"$@\"; echo status $?; stty -a"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    try terminal.start(
      "/bin/sh",
      ["-c", command, "sh", Self.python(), Self.script()]
        + ["--vmhost", BuildProducts.executable("vmhost")] + options,
      environment: ["PATH": path, "TERM": "xterm-256color", "LANG": "C.UTF-8"])
    id = try #require(Int32(terminal.read(until: "\r\n")))
  }

  static func script() throws -> String { try "\(Repository.root())/Examples/frontends/movies.py" }

  static func python() throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let programs = path.split(separator: ":").map { "\($0)/python3" }
    guard let python = programs.first(where: FileManager.default.isExecutableFile) else {
      throw MissingPython()
    }
    return python
  }

  /// The processes of this terminal that are there now.
  func processes() throws -> [(id: Int32, name: String)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { entry in
      // A process may end meanwhile.
      guard let process = Int32(entry),
        let stat = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
        let opening = stat.firstIndex(of: "("), let closing = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[closing...].split(separator: " ")
      guard fields[4] == "\(id)" else { return nil }
      return (process, String(stat[stat.index(after: opening)..<closing]))
    }
  }

  /// Presses the key that ends the front end, and expects that nothing of it is left.
  func end(by key: String) throws {
    try terminal.write(key)
    try expectEnd(status: 0) { $0.isEmpty }
  }

  /// Expects that the front end ends, and that it leaves the terminal as it was.
  ///
  /// - Parameter areExpected: whether these are the lines that it may have left there.
  func expectEnd(status: Int32, areExpected: ([String]) -> Bool) throws {
    #expect(try terminal.waitForExit() == .status(0))
    let screen = terminal.screen
    let lines = screen.lines
    let end = try #require(lines.firstIndex(of: "status \(status)"), "\(lines)")
    #expect(lines.first == "\(id)")
    #expect(areExpected(Array(lines[1..<end])), "\(lines)")
    let settings = lines[end...].joined(separator: " ")
    for setting in [" icanon ", " echo ", " isig ", " icrnl ", " opost "] {
      #expect(settings.contains(setting), "\(setting)")
    }
    #expect(screen.isCursorVisible)
    #expect(screen.unknownSequences == [])
    #expect(try processes().map(\.name) == [])
  }
}
