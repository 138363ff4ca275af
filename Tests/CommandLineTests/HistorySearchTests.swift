import TestSupport
import Testing

@testable import vmhost

/// Ctrl-R.
struct HistorySearchTests {
  typealias Arrival = EditorOnScreen.Arrival

  private static let search = Keys.control("R")
  private static let history = [
    "didSearch \"jaws\"", "+ idle", "didSearch \"alien\"", "didSearch \"alien\"", "didSelectItem 0",
  ]

  @Test(
    arguments: [
      ("", "(reverse-i-search)`': |"),
      ("did", "(reverse-i-search)`did': |didSelectItem 0"),
      ("alien", "(reverse-i-search)`alien': didSearch \"|alien\""),
      // More text looks from the present line on, and less from the newest.
      ("didSea", "(reverse-i-search)`didSea': |didSearch \"alien\""),
      ("didSea" + Keys.backspace + Keys.backspace, "(reverse-i-search)`didS': |didSelectItem 0"),
      ("i" + Keys.backspace, "(reverse-i-search)`': |"),
      (Keys.backspace, "(reverse-i-search)`': |"),
      // The next older one, which is another one.
      ("did" + search, "(reverse-i-search)`did': |didSearch \"alien\""),
      ("did" + search + search, "(reverse-i-search)`did': |didSearch \"jaws\""),
      (
        "did" + search + search + search,
        "(failed reverse-i-search)`did': |didSearch \"jaws\""
      ),
      ("zz", "(failed reverse-i-search)`zz': |"),
      ("idlex", "(failed reverse-i-search)`idlex': + |idle"),
      ("idlex" + Keys.backspace, "(reverse-i-search)`idle': + |idle"),
      // Any other key takes the line.
      ("jaws" + Keys.end, "> didSearch \"jaws\"|"), ("jaws" + Keys.left, "> didSearch |\"jaws\""),
      ("jaws" + Keys.control("A") + "> ", "> > |didSearch \"jaws\""),
      ("idle" + Keys.up, "> didSearch \"jaws\"|"), ("idle" + Keys.down, "> didSearch \"alien\"|"),
      ("idle" + Keys.down + Keys.down + Keys.down + Keys.down, "> |"),
      // Or nothing of it.
      ("jaws" + Keys.control("G"), "> |"), ("jaws" + Keys.control("G") + "x", "> x|"),
      ("jaws" + Keys.control("C"), "> |"),
      // Once more for the same.
      (
        "jaws" + Keys.control("G") + search + search,
        "(reverse-i-search)`jaws': didSearch \"|jaws\""
      ),
      (search, "(reverse-i-search)`': |"),
    ], Arrival.allCases)
  func `finds a line of the history`(_ keys: (typed: String, row: String), _ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 60, history: Self.history)
    terminal.type(Self.search + keys.typed)
    #expect(terminal.row == keys.row)
    #expect(terminal.actions == [])
    #expect(terminal.screen.unknownSequences == [])
  }

  @Test(arguments: Arrival.allCases)
  func `runs the line at Enter`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 60, history: Self.history)
    terminal.type("draft" + Self.search + "jaws" + Keys.enter + Keys.up)
    #expect(terminal.actions == [.line("didSearch \"jaws\"")])
    #expect(terminal.row == "> didSearch \"jaws\"|")
    #expect(terminal.screen.lines.first == "> didSearch \"jaws\"")
  }

  @Test(arguments: Arrival.allCases)
  func `brings back what was typed at Ctrl-G`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 60, history: Self.history)
    terminal.type("draft" + Keys.left + Self.search)
    #expect(terminal.row == "(reverse-i-search)`': draf|t")
    terminal.type("jaws" + Keys.control("G"))
    #expect(terminal.row == "> draf|t")
  }

  @Test func `an ESC alone cancels, and one that begins a key doesn't`() {
    var terminal = EditorOnScreen(.byteByByte, columns: 60, history: Self.history)
    terminal.type("\u{1B}")
    #expect(!terminal.editor.awaitsKeyAfterEscape)
    terminal.type(Keys.end + Self.search + "jaws\u{1B}")
    #expect(terminal.editor.awaitsKeyAfterEscape)
    terminal.type("[D")
    #expect(terminal.row == "> didSearch |\"jaws\"")
    terminal.type(Keys.control("U") + Keys.control("K") + Self.search + "jaws\u{1B}")
    terminal.editor.endEscape()
    terminal.draw()
    #expect(terminal.row == "> |")
    #expect(!terminal.editor.awaitsKeyAfterEscape)
    terminal.type("[b")
    #expect(terminal.row == "> [b|")
  }

  @Test(arguments: Arrival.allCases)
  func `shows the usual prompt where its own doesn't fit`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, columns: 20, history: Self.history)
    terminal.type(Self.search + "jaws")
    #expect(terminal.row == "> didSearch \"|jaws\"")
  }

  @Test(arguments: Arrival.allCases)
  func `the history has earlier lines, and none that begins with a blank`(_ arrival: Arrival) {
    var terminal = EditorOnScreen(arrival, history: ["before"])
    terminal.type(" hidden\rseen\r" + Keys.up)
    #expect(terminal.row == "> seen|")
    terminal.type(Keys.up)
    #expect(terminal.row == "> before|")
  }
}
