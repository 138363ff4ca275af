import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C, and the history, in sessions at a terminal.
struct TerminalKeysTests {
  private static func echo(
    _ more: [String] = [], environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 60)
    try terminal.start(
      BuildProducts.executable("vmhost"), ["run", "echo.so"] + more,
      environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "NO_COLOR": "1"]
        .merging(environment) { $1 })
    try terminal.wait(for: "the prompt") { $0.lines.last == ">" }
    return terminal
  }

  private static func say(_ text: String, to terminal: PseudoTerminal) throws {
    try terminal.write("say \"\(text)\"\r")
    try terminal.wait(for: "the answer") { screen in
      screen.lines.suffix(2) == ["< said \"\(text)\"", ">"]
    }
  }

  private static func end(_ terminal: PseudoTerminal) throws {
    try terminal.write(Keys.control("D"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(!terminal.screen.isPasteBracketed)
    #expect(terminal.screen.unknownSequences == [])
  }

  private static let wayOut = "Ctrl-C again or Ctrl-D ends the session."

  @Test func `Ctrl-C clears a half-typed line, and twice on an empty one ends the session`()
    throws
  {
    let terminal = try Self.echo()
    try terminal.write("half a li" + Keys.control("C"))
    try terminal.wait(for: "an empty line") { $0.lines.suffix(2) == ["> half a li^C", ">"] }
    try terminal.write(Keys.control("C"))
    try terminal.wait(for: "the way out") { $0.lines.suffix(3) == ["> ^C", Self.wayOut, ">"] }
    try Self.say("still there", to: terminal)
    try terminal.write(Keys.control("C"))
    try terminal.wait(for: "the way out again") { $0.lines.suffix(2) == [Self.wayOut, ">"] }
    try terminal.write(Keys.control("C"))
    #expect(try terminal.waitForExit() == .signal(SIGINT))
    #expect(!terminal.screen.isPasteBracketed)
  }

  @Test func `history lasts from session to session, without secrets and blanks`() async throws {
    try await TemporaryDirectory.with { directory in
      let environment = ["HOME": directory.path, "KEY": "open sesame"]
      let first = try Self.echo(["--secret", "k=KEY"], environment: environment)
      try Self.say("kept", to: first)
      try first.write("say \"open sesame\"\r say \"blank\"\r")
      try first.wait(for: "the answers") { $0.lines.suffix(2) == ["< said \"blank\"", ">"] }
      // It is kept whatever becomes of the session.
      first.signal(SIGKILL)
      #expect(try first.waitForExit() == .signal(SIGKILL))
      let path = directory.file(".local/state/vmhost/history")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "say \"kept\"\n")
      let second = try Self.echo(environment: environment)
      try second.write(Keys.up)
      try second.wait(for: "the line of before") { $0.lines.last == "> say \"kept\"" }
      try second.write(Keys.control("U"))
      try Self.end(second)
    }
  }

  @Test func `Ctrl-R searches it, and an Esc ends the search`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("say \"old\"\nsay \"new\"\n", to: "vmhost/history")
      let terminal = try Self.echo(environment: ["XDG_STATE_HOME": directory.path])
      try terminal.write(Keys.control("R") + "ol")
      try terminal.wait(for: "the line") {
        $0.lines.last == "(reverse-i-search)`ol': say \"old\""
      }
      try terminal.write("\u{1B}")
      try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
      try terminal.write(Keys.control("R") + "sa" + Keys.control("R") + Keys.enter)
      try terminal.wait(for: "the answer") { $0.lines.suffix(2) == ["< said \"old\"", ">"] }
      try Self.end(terminal)
    }
  }

  @Test(arguments: ["/dev/null", "/proc", "relative", ""])
  func `does without a history where there can't be one`(_ home: String) throws {
    let terminal = try Self.echo(environment: ["HOME": home])
    try Self.say("all the same", to: terminal)
    try terminal.write(Keys.up)
    try terminal.wait(for: "the line") { $0.lines.last == "> say \"all the same\"" }
    try terminal.write(Keys.control("U"))
    try Self.end(terminal)
    #expect(!terminal.screen.lines.joined().contains("history"))
  }
}
