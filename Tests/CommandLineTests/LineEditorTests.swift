import TestSupport
import Testing

@testable import vmhost

struct LineEditorTests {
  typealias Arrival = EditorOnScreen.Arrival

  @Test(arguments: Arrival.allCases)
  func `shows what is typed and hands over lines`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    #expect(terminal.row == "> |")
    #expect(terminal.screen.isPasteBracketed)
    terminal.type("didSearch \"größe 漢字\"")
    #expect(terminal.row == "> didSearch \"größe 漢字\"|")
    #expect(terminal.screen.cursor.column == 2 + 17 + 4 + 1)
    terminal.type("\rx\n\r\ny")
    #expect(terminal.actions == [.line("didSearch \"größe 漢字\""), .line("x"), .line("")])
    #expect(terminal.screen.lines == ["> didSearch \"größe 漢字\"", "> x", ">", "> y"])
    #expect(terminal.row == "> y|")
  }

  @Test(
    arguments: [
      // Moving.
      (Keys.left, "> one two.thre|e"),
      (Keys.left + Keys.left + Keys.right, "> one two.thre|e"),
      (Keys.home + "X", "> X|one two.three"), (Keys.home + Keys.left, "> |one two.three"),
      (Keys.end + Keys.right, "> one two.three|"),
      ("\u{1B}OH", "> |one two.three"), ("\u{1B}[1~", "> |one two.three"),
      ("\u{1B}[1~\u{1B}[4~", "> one two.three|"), ("\u{1B}[7~\u{1B}[8~", "> one two.three|"),
      (Keys.control("A"), "> |one two.three"), (Keys.control("B"), "> one two.thre|e"),
      (Keys.control("A") + Keys.control("F"), "> o|ne two.three"),
      (Keys.control("A") + Keys.control("E"), "> one two.three|"),
      (Keys.controlLeft, "> one two.|three"), (Keys.controlLeft + "\u{1B}b", "> one |two.three"),
      ("\u{1B}[1;3D\u{1B}[1;3D", "> one |two.three"),
      (Keys.home + Keys.controlRight, "> one| two.three"),
      (Keys.home + "\u{1B}f\u{1B}[1;3C", "> one two|.three"),
      // Removing.
      (Keys.backspace, "> one two.thre|"), (Keys.control("H"), "> one two.thre|"),
      (Keys.home + Keys.backspace, "> |one two.three"),
      (Keys.home + Keys.delete, "> |ne two.three"), (Keys.delete, "> one two.three|"),
      (Keys.home + Keys.control("D"), "> |ne two.three"),
      (Keys.control("D"), "> one two.three|"),
      (Keys.control("W"), "> one |"), (Keys.control("W") + Keys.control("W"), "> |"),
      ("\u{1B}\u{7F}", "> one two.|"), (Keys.home + "\u{1B}d", "> | two.three"),
      (Keys.home + "\u{1B}[3;5~", "> | two.three"),
      (Keys.controlLeft + Keys.control("K"), "> one two.|"),
      (Keys.controlLeft + Keys.control("U"), "> |three"),
      // Ignored.
      ("\u{1B}[15~\u{1B}[24;2~\u{1B}OP\u{1B}[[A\u{1B}x\u{0}\u{1A}\u{1B}[?1;2c", "> one two.three|"),
      ("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}P1$r\u{1B}\\!", "> one two.three!|"),
      ("\u{1B}[\u{1B}[\u{1B}[D", "> one two.thre|e"), ("\u{1B}\u{1B}[D", "> one two.thre|e"),
      ("\u{1B}ä", "> one two.threeä|"), ("\u{1B}[1ä", "> one two.threeä|"),
      (Keys.tab, "> one two.three|"),
    ], Arrival.allCases)
  func `edits where the cursor is`(_ edit: (keys: String, row: String), _ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("one two.three" + edit.keys)
    #expect(terminal.row == edit.row)
    #expect(terminal.actions == [])
    #expect(terminal.screen.unknownSequences == [])
  }

  @Test(arguments: Arrival.allCases)
  func `enters the whole line wherever the cursor is`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("abc" + Keys.left + Keys.enter)
    #expect(terminal.actions == [.line("abc")])
    #expect(terminal.screen.lines == ["> abc", ">"])
  }

  @Test(arguments: Arrival.allCases)
  func `treats what makes one character as one`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("e\u{301}👩‍👩‍👧🇦🇹x")
    #expect(terminal.row == "> e\u{301}👩‍👩‍👧🇦🇹x|")
    #expect(terminal.screen.cursor.column == 2 + 1 + 2 + 2 + 1)
    terminal.type(Keys.left + Keys.left)
    #expect(terminal.screen.cursor.column == 2 + 1 + 2)
    terminal.type(Keys.backspace)
    #expect(terminal.row == "> e\u{301}|🇦🇹x")
    terminal.type(Keys.backspace + Keys.end + Keys.backspace + Keys.backspace)
    #expect(terminal.row == "> |")
  }

  @Test(arguments: Arrival.allCases)
  func `joins an accent that is typed later`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("aex" + Keys.left + "\u{301}")
    #expect(terminal.row == "> ae\u{301}|x")
    terminal.type(Keys.backspace + "\r")
    #expect(terminal.actions == [.line("ax")])
  }

  @Test(arguments: Arrival.allCases)
  func `shows broken UTF-8 as such`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type([0x61, 0xE2, 0x82, 0x62, 0xFF, 0xC3, 0x0D])
    #expect(terminal.actions == [.line("a\u{FFFD}b\u{FFFD}\u{FFFD}")])
  }

  @Test(arguments: Arrival.allCases)
  func `walks through the history and keeps the draft`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("one\rtwo\rtwo\r\rdra" + Keys.up)
    #expect(terminal.row == "> two|")
    terminal.type(Keys.up + Keys.up + Keys.up)
    #expect(terminal.row == "> one|")
    terminal.type(Keys.down)
    #expect(terminal.row == "> two|")
    terminal.type(Keys.control("N") + Keys.down + "ft")
    #expect(terminal.row == "> draft|")
    terminal.type(Keys.control("P") + "!\r" + Keys.up)
    #expect(terminal.row == "> two!|")
  }

  @Test(arguments: Arrival.allCases)
  func `ends at Ctrl-D on an empty line only`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("ab" + Keys.home + Keys.control("D") + Keys.control("D"))
    #expect(terminal.actions == [])
    terminal.type(Keys.control("D"))
    #expect(terminal.actions == [.endOfInput])
  }

  @Test(arguments: Arrival.allCases)
  func `drops the line at Ctrl-C`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("abc" + Keys.left + Keys.control("C") + "d\r")
    #expect(terminal.actions == [.line("d")])
    #expect(terminal.screen.lines == ["> abc^C", "> d", ">"])
  }

  @Test(arguments: Arrival.allCases)
  func `tells a first Ctrl-C on an empty line from a second`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    let interrupt = Keys.control("C")
    // The one that clears a line doesn't count, and any key between two separates them.
    terminal.type("a" + interrupt + interrupt + "b" + Keys.backspace + interrupt)
    #expect(terminal.actions == [.interrupt(isSecond: false), .interrupt(isSecond: false)])
    terminal.type(interrupt)
    #expect(terminal.actions.last == .interrupt(isSecond: true))
  }

  @Test(arguments: Arrival.allCases)
  func `clears the screen at Ctrl-L and keeps the line`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("one\rtwo" + Keys.left + Keys.control("L"))
    #expect(terminal.screen.lines == ["> two"])
    #expect(terminal.row == "> tw|o")
    #expect(terminal.screen.cursor.row == 0)
  }
}

/// Pastes, completion, long lines, and output that arrives meanwhile.
struct LineEditorScreenTests {
  typealias Arrival = EditorOnScreen.Arrival

  @Test(arguments: Arrival.allCases)
  func `makes several lines of a paste`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("ab" + Keys.left + Keys.paste("1\r2\r\n3\n\tx") + "y")
    #expect(terminal.actions == [.line("a1"), .line("2"), .line("3")])
    #expect(terminal.row == "> ^Ixy|b")
    terminal.type("\r")
    #expect(terminal.lines.last == "\txyb")
    #expect(terminal.screen.lines == ["> a1", "> 2", "> 3", "> ^Ixyb", ">"])
  }

  @Test(arguments: Arrival.allCases)
  func `takes no orders from a paste`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival) { _ in ["completed"] }
    terminal.type(Keys.paste("a\u{4}\u{1}\u{7F}\t\u{1B}[D\u{1B}[2Jb\u{1B}]0;c\u{7}"))
    #expect(terminal.row == "> a^D^A^?^Ib|")
    #expect(terminal.actions == [])
  }

  @Test(arguments: Arrival.allCases)
  func `gets out of an endless paste at Ctrl-C`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("\u{1B}[200~abc" + Keys.control("C") + "d" + Keys.left)
    #expect(terminal.actions == [])
    #expect(terminal.row == "> |d")
  }

  @Test(arguments: Arrival.allCases)
  func `completes what is common, then lists`(_ arrival: Arrival) {
    let ports = ["didSearch", "didSelectItem", "didSelectQuery", "viewDidLoad"]
    var terminal = EditorOnScreen(arrival) { typed in ports.filter { $0.hasPrefix(typed) } }
    terminal.type("d" + Keys.tab)
    #expect(terminal.row == "> didSe|")
    #expect(terminal.screen.lines.count == 1)
    terminal.type(Keys.tab)
    #expect(
      terminal.screen.lines == ["didSearch       didSelectItem", "didSelectQuery", "> didSe"])
    #expect(terminal.row == "> didSe|")
    #expect(terminal.screen.bells == 0)
    terminal.type("a" + Keys.tab)
    #expect(terminal.row == "> didSearch|")
    terminal.type(Keys.tab + Keys.tab)
    #expect(terminal.screen.lines.count == 3)
    #expect(terminal.screen.bells == 2)
    terminal.type("?" + Keys.tab)
    #expect(terminal.row == "> didSearch?|")
    #expect(terminal.screen.bells == 3)
  }

  @Test(arguments: Arrival.allCases)
  func `completes left of the cursor and lists the last words`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival) { typed in
      ["open movies.list", "open movies.details"].filter { $0.hasPrefix(typed) }
    }
    terminal.type("op!" + Keys.left + Keys.tab)
    #expect(terminal.row == "> open movies.|!")
    terminal.type(Keys.tab)
    #expect(terminal.screen.lines.first == "movies.list     movies.details")
  }

  @Test(arguments: Arrival.allCases)
  func `lists at most a hundred`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, rows: 30) { _ in (0..<150).map { "x\(100 + $0)" } }
    terminal.type(Keys.tab + Keys.tab)
    #expect(terminal.screen.lines.suffix(2) == ["… and 50 more", "> x"])
  }

  @Test(arguments: Arrival.allCases)
  func `scrolls a long line within its row`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 12)
    terminal.type("0123456789abcdef")
    #expect(terminal.row == "> 789abcdef|")
    #expect(terminal.screen.lines.count == 1)
    terminal.type(Keys.home)
    #expect(terminal.row == "> |012345678")
    terminal.type(Keys.end + Keys.backspace + Keys.backspace)
    #expect(terminal.row == "> 56789abcd|")
    terminal.type(Keys.enter)
    #expect(terminal.lines == ["0123456789abcd"])
    // As entered, the line is shown whole, wrapped by the terminal.
    #expect(terminal.screen.lines == ["> 0123456789", "abcd", ">"])
  }

  @Test(arguments: Arrival.allCases)
  func `never splits a wide character at the edge`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 12)
    terminal.type("漢字漢字漢字")
    #expect(terminal.row == "> 漢字漢字|")
    #expect(terminal.screen.cursor.column == 10)
    terminal.type(Keys.home)
    #expect(terminal.row == "> |漢字漢字")
    terminal.type("x" + Keys.end)
    #expect(terminal.screen.lines.count == 1)
  }

  @Test(arguments: Arrival.allCases)
  func `ends a line that fills its row exactly without an empty one`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 12)
    terminal.type("0123456789\rx")
    #expect(terminal.screen.lines == ["> 0123456789", "> x"])
  }

  @Test(arguments: Arrival.allCases)
  func `shows output above the line being edited`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, rows: 4)
    terminal.type("abc" + Keys.left)
    terminal.editor.show(above: "< loading \"none\"\n".utf8)
    terminal.draw()
    #expect(terminal.screen.lines == ["< loading \"none\"", "> abc"])
    #expect(terminal.row == "> ab|c")
    terminal.editor.show(above: "1\r\n2\n3".utf8)
    terminal.draw()
    terminal.editor.show(above: "".utf8)
    terminal.type("!")
    #expect(terminal.screen.lines == ["< loading \"none\"", "1", "2", "3", "> ab!c"])
    #expect(terminal.row == "> ab!|c")
  }

  @Test func `keeps what a pasted line brings about below that line`() {
    var editor = LineEditor(width: 40)
    var screen = TerminalScreen(columns: 40, rows: 10)
    editor.begin()
    var bytes = Array(Keys.paste("one\ntwo\nthr").utf8)[...]
    while let action = editor.next(from: &bytes) {
      editor.show(above: "did \(action)\n".utf8)
    }
    screen.write(editor.takeOutput())
    #expect(screen.lines == ["> one", "did line(\"one\")", "> two", "did line(\"two\")", "> thr"])
  }

  @Test(arguments: Arrival.allCases)
  func `takes the prompt away at the end and keeps what is typed ahead`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival)
    terminal.type("abc")
    terminal.editor.end()
    terminal.draw()
    #expect(terminal.screen.lines == [])
    #expect(!terminal.screen.isPasteBracketed)
    terminal.type("d")
    terminal.editor.show(above: "between\n".utf8)
    terminal.draw()
    #expect(terminal.screen.lines == ["between"])
    terminal.editor.begin()
    terminal.draw()
    #expect(terminal.screen.lines == ["between", "> abcd"])
  }

  @Test(arguments: Arrival.allCases, [1, 2, 3, 5, 6, 9])
  func `draws within one row on the narrowest terminal`(_ arrival: Arrival, columns: Int) {
    var terminal = EditorOnScreen(arrival, columns: columns)
    terminal.type("abc漢字def" + Keys.left + Keys.home + Keys.right)
    #expect(terminal.screen.cursor.row == 0)
    #expect(terminal.screen.lines.count <= 1)
    terminal.resize(columns: 30)
    #expect(terminal.row == "> a|bc漢字def")
  }

  @Test func `takes a width of nothing as 80`() {
    var terminal = EditorOnScreen(.atOnce, columns: 80)
    terminal.editor.width = 0
    terminal.type(String(repeating: "x", count: 77))
    #expect(terminal.row == "> " + String(repeating: "x", count: 77) + "|")
  }

  @Test func `takes a megabyte at once`() {
    var terminal = EditorOnScreen(.atOnce)
    let line = String(repeating: "0123456789", count: 100_000)
    terminal.type(Keys.paste(line) + Keys.left + "\r")
    #expect(terminal.lines == [line])
    // Only its beginning stays on the screen.
    #expect(terminal.screen.lines.count < 120)
  }
}
