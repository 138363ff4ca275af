import TestSupport

@testable import vmhost

/// An editor and the terminal that it draws on.
struct EditorOnScreen {
  /// How typed bytes reach the editor.
  enum Arrival: CaseIterable {
    case atOnce, byteByByte
  }

  var editor: LineEditor
  var screen: TerminalScreen
  private(set) var actions: [LineEditor.Action] = []
  private let arrival: Arrival

  init(
    _ arrival: Arrival, columns: Int = 40, rows: Int = 10, history: [String] = [],
    complete: ((String) -> [String])? = nil
  ) {
    self.arrival = arrival
    editor = LineEditor(width: columns, history: history, complete: complete)
    screen = TerminalScreen(columns: columns, rows: rows)
    editor.begin()
    draw()
  }

  mutating func type(_ text: String) { type(Array(text.utf8)) }

  mutating func type(_ bytes: [UInt8]) {
    switch arrival {
    case .atOnce:
      actions += editor.feed(bytes)
      draw()
    case .byteByByte:
      for byte in bytes {
        actions += editor.feed([byte])
        draw()
      }
    }
  }

  mutating func draw() { screen.write(editor.takeOutput()) }

  mutating func resize(columns: Int) {
    screen.resize(columns: columns, rows: screen.rows)
    editor.width = columns
    draw()
  }

  /// What the row holds, with `|` where the cursor is.
  var row: String {
    let column = screen.cursor.column
    let text =
      screen.text(from: 0, to: column) + "|" + screen.text(from: column, to: screen.columns)
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// The lines entered.
  var lines: [String] {
    actions.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }
}

/// What the keys of a terminal send.
enum Keys {
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"
  static let end = "\u{1B}[F"
  static let delete = "\u{1B}[3~"
  static let backspace = "\u{7F}"
  static let controlLeft = "\u{1B}[1;5D"
  static let controlRight = "\u{1B}[1;5C"
  static let enter = "\r"
  static let tab = "\t"

  static func control(_ letter: Character) -> String {
    String(Unicode.Scalar((letter.asciiValue ?? 0) & 0x1F))
  }

  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
