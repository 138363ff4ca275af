import Glibc
import TestSupport
import Testing

@testable import HostCore

/// `vmhost run` at a terminal, with a person who types.
struct TerminalSessionTests {
  private static let welcome =
    "movies 1.0.0. Type an input, :ports to see them, :help for more, Ctrl-D to end."

  /// A session of the Movies plugin, without colours, that shows its prompt.
  private static func movies(
    _ more: [String] = [], environment: [String: String] = ["NO_COLOR": "1"]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start(
      BuildProducts.executable("vmhost"), ["run", "movies.so"] + more,
      environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color"].merging(environment) { $1 })
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    return terminal
  }

  private static func end(_ terminal: PseudoTerminal) throws {
    try terminal.write(Keys.control("D"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(!terminal.screen.isPasteBracketed)
    #expect(terminal.screen.unknownSequences == [])
  }

  @Test func `greets, shows the first frame and ends at Ctrl-D`() throws {
    let terminal = try Self.movies()
    try Self.end(terminal)
    let frame = FirstFrame.movies.split(separator: "\n").map(String.init)
    #expect(terminal.screen.lines == frame + [Self.welcome])
  }

  @Test func `takes an input without its sigil and shows outputs above what is typed meanwhile`()
    throws
  {
    let terminal = try Self.movies()
    try terminal.write("didSearch \"alien\"\r")
    try terminal.wait(for: "the spinner") { $0.lines.contains("< loading \"fullScreen\"") }
    // The answer comes 200 ms later, in the middle of the next line.
    try terminal.write("didSelectItem 1")
    try terminal.wait(for: "the results") { $0.lines.contains("< isEmpty false") }
    try terminal.wait(for: "the text typed meanwhile") { $0.lines.last == "> didSelectItem 1" }
    #expect(terminal.screen.lines.filter { $0 == "> didSelectItem 1" }.count == 1)
    #expect(terminal.screen.lines.filter { $0 == "> didSearch \"alien\"" }.count == 1)
    try terminal.write("\u{7F}0\r")
    try terminal.wait(for: "the signal") { screen in
      screen.lines.contains { $0.hasPrefix("< showMovieDetails {") } && screen.lines.last == ">"
    }
    #expect(terminal.screen.lines.contains("> didSelectItem 0"))
    try Self.end(terminal)
  }

  @Test func `completes the names of inputs and commands`() throws {
    let terminal = try Self.movies()
    try terminal.write("didSea" + Keys.tab)
    try terminal.wait(for: "the completed name") { $0.lines.last == "> didSearch" }
    try terminal.write("\"zzz\"\r")
    try terminal.wait(for: "the search") { $0.lines.contains("< query \"zzz\"") }
    try terminal.write("did" + Keys.tab + Keys.tab)
    try terminal.wait(for: "the candidates") { screen in
      screen.lines.contains { $0.contains("didCancelSearch") && $0.contains("didSelectItem") }
    }
    try terminal.write(Keys.control("U") + "lis" + Keys.tab + "didSea" + Keys.tab)
    try terminal.wait(for: "the name with its handle") { $0.lines.last == "> list.didSearch" }
    try terminal.write(Keys.control("U") + "@op" + Keys.tab + "s" + Keys.tab)
    try terminal.wait(for: "the view model") { $0.lines.last == "> @open movies.suggestions" }
    try terminal.write(Keys.control("U") + "@cl" + Keys.tab)
    try terminal.wait(for: "the handle") { $0.lines.last == "> @close list" }
    try terminal.write(Keys.control("U") + ":po" + Keys.tab + "\r")
    try terminal.wait(for: "the ports") { $0.lines.contains("    closeQueriesSuggestions") }
    try Self.end(terminal)
  }

  @Test func `shows what a flow opens and closes, and completes its handles`() throws {
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start(
      BuildProducts.executable("vmhost"),
      [
        "run", "account.so", "movies.so", "--flow",
        "\(Repository.root())/Examples/flows/cinema.json",
      ],
      environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "NO_COLOR": "1"])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    #expect(terminal.screen.lines.contains("# opened login: account.login-form"))
    try terminal.write("@close login\r")
    try terminal.wait(for: "the end of it") { $0.lines.contains("# closed login") }
    try terminal.write("@open account.login-form " + Keys.tab)
    try terminal.wait(for: "the handle") { $0.lines.last == "> @open account.login-form as login" }
    try terminal.write(Keys.control("U"))
    try Self.end(terminal)
  }

  @Test func `shows that a value could not be stored, and goes on`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = directory.file("s.db")
      let terminal = try Self.movies(["--store", store])
      try SQLiteDatabase(path: store, name: "s.db").run("DROP TABLE storage")
      try terminal.write("@storage a 1\r")
      try terminal.wait(for: "the error") { screen in
        screen.lines.contains { $0.hasPrefix("could not use the store") }
          && screen.lines.last == ">"
      }
      try Self.end(terminal)
    }
  }

  @Test func `answers commands`() throws {
    let terminal = try Self.movies()
    try terminal.write(":frame\r")
    try terminal.wait(for: "the frame") { screen in
      ["items []", "isEmpty true", "loading \"none\"", "query \"\"", "error \"\""].allSatisfy {
        screen.lines.contains($0)
      }
    }
    try terminal.write(":help\r")
    try terminal.wait(for: "the help") {
      $0.lines.contains("  Ctrl-D                 ends the session")
    }
    try terminal.write("quit\r")
    try terminal.wait(for: "the way out") { $0.lines.contains("Ctrl-D ends the session.") }
    try terminal.write(Keys.control("L") + "?\r")
    try terminal.wait(for: "the help again") {
      $0.lines.contains("  Ctrl-D                 ends the session")
    }
    try terminal.write(":prots\r")
    try terminal.wait(for: "a hint") {
      $0.lines.contains("There is no command :prots. Did you mean \":ports\"?")
    }
    try Self.end(terminal)
  }

  @Test func `goes on after a mistake`() throws {
    let terminal = try Self.movies()
    for (line, answer) in [
      ("didSerch \"x\"", "list has no input \"didSerch\". Did you mean \"didSearch\"?"),
      ("lst.didSearch \"x\"", "there is no instance \"lst\". Did you mean \"list\"?"),
      ("didSearch batman", "the value is not JSON: expected a value, found \"b\"."),
      (
        "didSearch 5",
        "list can't take this value for \"didSearch\": expected a string, found 5."
      ),
      ("@open movies.lst", "there is no view model \"movies.lst\". Did you mean \"movies.list\"?"),
      ("@plugin nope.so", "Could not load \"nope.so\": not found."),
      ("! 1 {}", "list has no open request 1: it has made none."),
      ("+ soon", "\"soon\" is not a time such as 300ms, 5s or 2m, nor \"idle\"."),
    ] {
      try terminal.write("\(line)\r")
      try terminal.wait(for: "the answer to \(line)") { screen in
        screen.lines.last == ">"
          && screen.lines.joined().contains(answer.prefix(90))
      }
    }
    try terminal.write("didSearch \"x\"\r")
    try terminal.wait(for: "a search all the same") { $0.lines.contains("< query \"x\"") }
    try Self.end(terminal)
  }

  @Test func `stops waiting at Ctrl-C and goes on`() throws {
    let terminal = try Self.movies()
    try terminal.write("+ 600s\r")
    try terminal.wait(for: "the wait to begin") { $0.lines.suffix(2) == ["> + 600s", ">"] }
    try terminal.write(Keys.control("C"))
    try terminal.write("didSearch \"after\"\r")
    try terminal.wait(for: "the next line's outcome") { $0.lines.contains("< query \"after\"") }
    // As fast as a script types.
    try terminal.write("+ 600s\r" + Keys.control("C") + "didSearch \"at once\"\r")
    try terminal.wait(for: "the line after it") { $0.lines.contains("< query \"at once\"") }
    try Self.end(terminal)
  }

  @Test func `carries out all lines that come at once`() throws {
    let terminal = try Self.movies(["--clock", "virtual"])
    try terminal.write(Keys.paste("didSearch \"a\"\n+ idle\ndidSearch \"b\"\n") + Keys.enter)
    try terminal.wait(for: "the outcome of the last line") { $0.lines.contains("< query \"b\"") }
    try Self.end(terminal)
  }

  @Test func `ends with 6 when the plugin breaks its contract, on a terminal as it was`() throws {
    let terminal = try PseudoTerminal(columns: 150, rows: 60)
    try terminal.start(
      BuildProducts.executable("vmhost"),
      ["run", "brokenfixture.so", "--config", "{\"fault\":\"unknown-output\",\"key\":null}"])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    try terminal.write("go\r")
    #expect(try terminal.waitForExit() == .status(6))
    #expect(
      terminal.screen.lines.suffix(2) == [
        "> go",
        "vmhost: brokenfixture.so broke its contract at the input \"go\": broken (broken):"
          + " it emitted \"sang\", which isn't in its manifest.",
      ])
    #expect(!terminal.screen.isPasteBracketed)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `ends by a signal`(_ signal: Int32) throws {
    let terminal = try Self.movies()
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signal(signal))
    #expect(!terminal.screen.isPasteBracketed)
  }

  @Test func `opens several instances and names them from then on`() throws {
    let terminal = try Self.movies()
    try terminal.write("@open movies.suggestions as old\r")
    try terminal.wait(for: "its frame") { $0.lines.contains("< old.items []") }
    try terminal.write("old.view" + Keys.tab + "\r")
    try terminal.wait(for: "its answer") { screen in
      screen.lines.filter { $0 == "< old.items []" }.count == 2
    }
    try terminal.write("viewWillAppear\r")
    try terminal.wait(for: "a question") { screen in
      screen.lines.joined().contains("several instances are open: list, old.")
    }
    try terminal.write("@close old\rdidCancelSearch\r:frame\r")
    try terminal.wait(for: "the frame of one") { $0.lines.contains("isEmpty true") }
    try Self.end(terminal)
  }

  @Test func `colours on a terminal, and not where colours are unwanted`() throws {
    let coloured = try Self.movies(environment: [:])
    try Self.end(coloured)
    #expect(String(decoding: coloured.transcript, as: UTF8.self).contains("\u{1B}[1mitems"))
    let plain = try Self.movies()
    try Self.end(plain)
    #expect(!String(decoding: plain.transcript, as: UTF8.self).contains("\u{1B}[3"))
  }

  @Test func `restores the terminal, also when the plugin hangs`() throws {
    let command = """
      '\(try BuildProducts.executable("vmhost"))' run brokenfixture.so --step-timeout 100ms \
      --config '{"fault":"spin-in-poll","key":null}'; echo "status $?"; stty -a
      """
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start("/bin/sh", ["-c", command])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    try terminal.write("go\r")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines.contains("status 6"))
    let settings = terminal.screen.lines.joined(separator: " ")
    for setting in [" icanon ", " echo ", " isig ", " icrnl ", " opost "] {
      #expect(settings.contains(setting), "\(setting)")
    }
    #expect(!terminal.screen.isPasteBracketed)
  }

  @Test func `ends a plugin that is busy at Ctrl-C`() throws {
    let command = """
      '\(try BuildProducts.executable("vmhost"))' run brokenfixture.so \
      --config '{"fault":"spin-in-poll","key":null}'; echo "status $?"
      """
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start("/bin/sh", ["-c", command])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    try terminal.write("go\r" + Keys.control("C"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines.contains("status 130"))
  }

  @Test func `restores the terminal at its end`() throws {
    let command =
      "'\(try BuildProducts.executable("vmhost"))' run movies.so; echo \"status $?\"; stty -a"
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start("/bin/sh", ["-c", command])
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    try terminal.write(Keys.control("D"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines.contains("status 0"))
    let settings = terminal.screen.lines.joined(separator: " ")
    for setting in [" icanon ", " echo ", " isig ", " icrnl ", " opost "] {
      #expect(settings.contains(setting), "\(setting)")
    }
  }
}
