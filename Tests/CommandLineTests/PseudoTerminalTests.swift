import Glibc
import HostCore
import TestSupport
import Testing

@testable import vmhost

struct PseudoTerminalTests {
  @Test func `runs a program that sees a terminal of the given size`() throws {
    let terminal = try PseudoTerminal(columns: 91, rows: 17)
    try terminal.start("/bin/sh", ["-c", "test -t 0 && test -t 2 && stty size </dev/tty"])
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines == ["17 91"])
  }

  @Test func `talks to a program until it ends`() throws {
    let terminal = try PseudoTerminal()
    try terminal.start("/bin/cat")
    try terminal.write("one\n")
    #expect(try terminal.read(until: "one\r\none") == "")
    try terminal.write("two\n")
    #expect(try terminal.read(until: "two") == "\r\n")
    try terminal.wait(for: "the echo of two") { $0.lines == ["one", "one", "two", "two"] }
    try terminal.write([4])
    #expect(try terminal.waitForExit() == .status(0))
    #expect(try terminal.waitForExit() == .status(0))
  }

  @Test func `tells how a program ended`() throws {
    let exiting = try PseudoTerminal()
    try exiting.start("/bin/sh", ["-c", "echo late; exit 7"])
    #expect(try exiting.waitForExit() == .status(7))
    #expect(exiting.screen.lines == ["late"])
    let interrupted = try PseudoTerminal()
    try interrupted.start("/bin/cat")
    try interrupted.write("x\n")
    try interrupted.read(until: "x\r\nx")
    try interrupted.write([3])
    #expect(try interrupted.waitForExit() == .signal(SIGINT))
  }

  @Test func `tells a program of a new size`() throws {
    let terminal = try PseudoTerminal()
    let script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do read line || :; done"
    try terminal.start("/bin/sh", ["-c", script])
    try terminal.read(until: "ready")
    try terminal.resize(columns: 50, rows: 5)
    try terminal.write("\n")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines.last == "5 50")
  }

  @Test func `shows a program that takes the whole screen, and then what was there before`()
    throws
  {
    let terminal = try PseudoTerminal()
    let script = #"""
      echo before; printf '\033[?1049h\033[?25l\033[1;1Hwithin'; read line
      printf '\033[?25h\033[?1049lafter'
      """#
    try terminal.start("/bin/sh", ["-c", script])
    try terminal.wait(for: "the program") { $0.lines == ["within"] }
    #expect(!terminal.screen.isCursorVisible)
    try terminal.resize(columns: 10, rows: 3)
    try terminal.write("\n")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines == ["before", "after"])
    #expect(terminal.screen.isCursorVisible)
  }

  @Test func `says what it waited for in vain`() throws {
    let ended = try PseudoTerminal()
    try ended.start("/bin/echo", ["something"])
    let end = #expect(throws: PseudoTerminal.Failure.self) { try ended.read(until: "nothing") }
    #expect(end?.description == "The program ended before \"nothing\". The screen:\nsomething")
    let silent = try PseudoTerminal()
    try silent.start("/bin/cat")
    let timeout = #expect(throws: PseudoTerminal.Failure.self) {
      try silent.read(until: "nothing", deadline: 0.05)
    }
    #expect(timeout?.description == "Timed out waiting for \"nothing\". The screen:\n")
    #expect(throws: PseudoTerminal.Failure.self) { try PseudoTerminal().start("/no/such/program") }
  }

  @Test func `leaves no process behind`() throws {
    var process: pid_t?
    do {
      let terminal = try PseudoTerminal()
      try terminal.start("/bin/sh", ["-c", "trap '' HUP TERM; echo $$; cat"])
      process = pid_t(try terminal.read(until: "\r\n"))
    }
    let id = try #require(process)
    #expect(kill(id, 0) == -1 && errno == ESRCH)
  }

  /// The editor on a real terminal of the kernel, with both ends in this process.
  @Test func `edits a line on a raw terminal`() throws {
    let person = try PseudoTerminal(columns: 30, rows: 6)
    let program = try person.openTerminal()
    defer { close(program) }
    let raw = try RawTerminal(program)
    var editor = LineEditor(width: try #require(RawTerminal.width(of: program)))
    var actions: [LineEditor.Action] = []
    func exchange(_ keys: String) throws {
      try person.write(keys)
      var buffer = [UInt8](repeating: 0, count: 1000)
      let count = unsafe read(program, &buffer, buffer.count)
      actions += editor.feed(buffer.prefix(max(count, 0)))
      let output = editor.takeOutput()
      #expect(unsafe write(program, output, output.count) == output.count)
    }
    editor.begin()
    try exchange("didSearch \"btaman\"")
    try exchange("\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[D" + Keys.backspace + Keys.right + "t")
    try person.wait(for: "the corrected line") { $0.lines == ["> didSearch \"batman\""] }
    #expect(person.screen.cursor == .init(row: 0, column: 16))
    editor.show(above: "< loading \"none\"\n".utf8)
    try exchange("\r")
    try person.wait(for: "a new prompt") {
      $0.lines == ["< loading \"none\"", "> didSearch \"batman\"", ">"]
    }
    try exchange("\u{4}")
    #expect(actions == [.line("didSearch \"batman\""), .endOfInput])
    try raw.restore()
  }
}
