import Basics
import HostCore
import TestSupport
import Testing

@testable import vmhost

struct LineEditorFuzzTests {
  /// Pieces that bring every state of the decoder about, and halves of them.
  private static let pieces: [[UInt8]] =
    [
      "a", "b c", " ", "é", "e\u{301}", "\u{301}", "漢", "👩‍👩‍👧", "🇦🇹", "\u{1F1E6}", "\u{200D}",
      "❤️",
      "\r", "\n", "\r\n", "\t", "\u{1}", "\u{3}", "\u{4}", "\u{5}", "\u{B}", "\u{C}", "\u{12}",
      "\u{15}", "\u{17}", "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}[200~",
      "\u{1B}[201~", "~", ";5D",
      "\u{7F}", Keys.up, Keys.down, Keys.left, Keys.right, Keys.home, Keys.end, Keys.delete,
      Keys.controlLeft, Keys.controlRight, "\u{1B}d", "\u{1B}\u{7F}", "\u{1B}[[", "\u{7}", "\u{0}",
    ].map { Array($0.utf8) } + [
      [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0x80], [0xFF], [0xED, 0xA0],
    ]

  private static func complete(_ typed: String) -> [String] {
    ["a", "ab", "abc 漢", "b c d"].filter { $0.hasPrefix(typed) }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `draws the same however the bytes arrive`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let columns = Int.random(in: 8...40, using: &random)
    var whole = EditorOnScreen(.atOnce, columns: columns, complete: Self.complete)
    var split = EditorOnScreen(.byteByByte, columns: columns, complete: Self.complete)
    for _ in 0..<60 {
      let count = Int.random(in: 1...8, using: &random)
      let bytes = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &random) ?? [] }
      whole.type(bytes)
      split.type(bytes)
      if Int.random(in: 0..<4, using: &random) == 0 {
        whole.editor.show(above: "out\n".utf8)
        split.editor.show(above: "out\n".utf8)
        whole.draw()
        split.draw()
      }
      try #require(whole.actions == split.actions)
      #expect(whole.screen.unknownSequences == [])
      try #require(Self.isOnItsRow(split.screen))
    }
    // What is scrolled into sight depends on the way there, so compare from the start of the line.
    whole.type("\u{1B}[201~\u{1}")
    split.type("\u{1B}[201~\u{1}")
    #expect(whole.screen.lines == split.screen.lines)
    #expect(whole.row == split.row)
    #expect(whole.screen.cursor.column == 2)
  }

  private static func isOnItsRow(_ screen: TerminalScreen) -> Bool {
    [">", "(reverse-i-search)", "(failed reverse-i-search)"].contains {
      screen.currentLine.hasPrefix($0)
    } && screen.cursor.column >= 2
      && screen.cursor.column < screen.columns
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `keeps text and cursor as a plain model does`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let columns = Int.random(in: 8...30, using: &random)
    let alphabet: [Character] = ["a", "b", " ", "é", "e\u{301}", "漢", "👩‍👩‍👧", "🇦🇹", "❤️"]
    var terminal = EditorOnScreen(.atOnce, columns: columns)
    var model: [Character] = []
    var cursor = 0
    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: (cursor, _) = (max(cursor - 1, 0), terminal.type(Keys.left))
      case 1: (cursor, _) = (min(cursor + 1, model.count), terminal.type(Keys.right))
      case 2: (cursor, _) = (0, terminal.type(Keys.home))
      case 3: (cursor, _) = (model.count, terminal.type(Keys.end))
      case 4:
        terminal.type(Keys.backspace)
        if cursor > 0 {
          cursor -= 1
          model.remove(at: cursor)
        }
      case 5:
        terminal.type(Keys.delete)
        if cursor < model.count { model.remove(at: cursor) }
      default:
        let character = alphabet.randomElement(using: &random) ?? "a"
        terminal.type(String(character))
        model.insert(character, at: cursor)
        cursor += 1
      }
      let sides = terminal.row.split(separator: "|", omittingEmptySubsequences: false)
      try #require(String(model[..<cursor]).hasSuffix(sides[0].dropFirst(2)))
      try #require(String(model[cursor...]).hasPrefix(sides[1]))
      #expect(terminal.screen.cursor.row == 0)
    }
    terminal.type(Keys.enter)
    #expect(terminal.actions == [.line(String(model))])
  }

  @Test func `agrees with the C library about widths`() {
    var different: [String] = []
    for value in (0x20...0x1FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value), !scalar.isHidden,
        Self.hasAgreedWidth(scalar)
      else { continue }
      var screen = TerminalScreen(columns: 10, rows: 1)
      screen.write("a\(scalar)".utf8)
      let width = screen.cursor.column - 1
      let ours = DisplayWidth.of(Character(scalar))
      if ours != width { different.append("U+\(String(value, radix: 16)): \(ours), not \(width)") }
    }
    #expect(different == [])
  }

  /// What every version of Unicode since 12 has the same width for.
  private static func hasAgreedWidth(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    guard let age = properties.age, age.major <= 12 else { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate, .spacingMark, .modifierSymbol:
      return false
    default: return true
    }
  }
}
