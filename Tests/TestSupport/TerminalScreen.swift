import Glibc

/// A small terminal: it interprets what a program writes, so that a test can assert what is on
/// the screen. Widths come from the C library, not from the code under test.
package struct TerminalScreen: Sendable {
  /// Row and column, from 0.
  package struct Position: Equatable, Sendable {
    package let row: Int
    package let column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  private struct Cell: Sendable {
    /// Empty for the right half of a wide character.
    var text = " "
    var isWideRest = false
  }

  package private(set) var columns: Int
  package private(set) var rows: Int
  /// Rows that have scrolled off the top.
  package private(set) var scrollback: [String] = []
  package private(set) var isPasteBracketed = false
  package private(set) var isCursorVisible = true
  package private(set) var bells = 0
  /// Escape sequences that this terminal doesn't know; a test expects none.
  package private(set) var unknownSequences: [String] = []

  private var grid: [[Cell]]
  /// What was on the screen before a program took all of it, and where the cursor was.
  private var covered: (grid: [[Cell]], cursor: Position)?
  private var row = 0
  private var column = 0
  /// The last column has been written; the next character wraps.
  private var wrapIsPending = false
  private var undecoded: [UInt8] = []
  private var sequence: String?

  package init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.rows = rows
    grid = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  package var cursor: Position { Position(row: row, column: column) }

  /// All rows from the first to the last that isn't empty, what has scrolled away included,
  /// without blanks at their ends.
  package var lines: [String] {
    var all = scrollback + grid.map(Self.text(of:))
    while all.last == "" { all.removeLast() }
    return all
  }

  /// The row that the cursor is in.
  package var currentLine: String { Self.text(of: grid[row]) }

  /// What is in the cursor's row from one column up to another, blanks included.
  package func text(from start: Int, to end: Int) -> String {
    grid[row][start..<end].map(\.text).joined()
  }

  package mutating func write(_ bytes: some Sequence<UInt8>) {
    undecoded += bytes
    let complete = undecoded.count - Self.lengthOfUnfinishedScalar(undecoded)
    let text = String(decoding: undecoded[..<complete], as: UTF8.self)
    undecoded.removeFirst(complete)
    for scalar in text.unicodeScalars { write(scalar) }
  }

  package mutating func resize(columns: Int, rows: Int) {
    let blank = Cell()
    grid = (0..<rows).map { row in
      (0..<columns).map { column in
        row < grid.count && column < grid[row].count ? grid[row][column] : blank
      }
    }
    self.columns = columns
    self.rows = rows
    row = min(row, rows - 1)
    column = min(column, columns - 1)
    wrapIsPending = false
  }

  private static func text(of cells: [Cell]) -> String {
    var text = cells.map(\.text).joined()
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  private static func lengthOfUnfinishedScalar(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.reversed().prefix(3).enumerated() where byte >= 0xC0 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      return index + 1 < length ? index + 1 : 0
    }
    return 0
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    if let begun = sequence {
      continueSequence(begun, with: scalar)
      return
    }
    switch scalar {
    case "\u{1B}": sequence = ""
    case "\r": moveTo(row: row, column: 0)
    case "\n": feedLine()
    case "\u{8}": moveTo(row: row, column: column - 1)
    case "\u{7}": bells += 1
    case "\t": moveTo(row: row, column: (column / 8 + 1) * 8)
    case ..<" ", "\u{7F}": unknownSequences.append("control \(scalar.value)")
    default: put(scalar)
    }
  }

  private mutating func continueSequence(_ begun: String, with scalar: Unicode.Scalar) {
    let whole = begun + String(scalar)
    sequence = whole
    guard begun.hasPrefix("[") else {
      if scalar != "[" {
        unknownSequences.append(whole)
        sequence = nil
      }
      return
    }
    guard (0x40...0x7E).contains(scalar.value) else { return }
    sequence = nil
    if !control(final: scalar, parameters: whole.dropFirst().dropLast()) {
      unknownSequences.append(whole)
    }
  }

  private mutating func control(final: Unicode.Scalar, parameters: Substring) -> Bool {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    let first = numbers.first
    let count = max(first ?? 1, 1)
    switch final {
    case "A": moveTo(row: row - count, column: column)
    case "B": moveTo(row: row + count, column: column)
    case "C": moveTo(row: row, column: column + count)
    case "D": moveTo(row: row, column: column - count)
    case "G": moveTo(row: row, column: count - 1)
    case "H": moveTo(row: count - 1, column: (numbers.count > 1 ? numbers[1] : 1) - 1)
    case "K" where first ?? 0 == 0: erase(row: row, from: column)
    case "K" where first == 2: erase(row: row, from: 0)
    case "J" where first ?? 0 == 0:
      erase(row: row, from: column)
      for row in (row + 1)..<max(rows, row + 1) { erase(row: row, from: 0) }
    case "J" where first == 2: for row in 0..<rows { erase(row: row, from: 0) }
    case "m": break
    case "h", "l": return setMode(parameters, to: final == "h")
    default: return false
    }
    return true
  }

  private mutating func setMode(_ mode: Substring, to isOn: Bool) -> Bool {
    switch mode {
    case "?25": isCursorVisible = isOn
    case "?1049" where isOn: cover()
    case "?1049": uncover()
    case "?2004": isPasteBracketed = isOn
    default: return false
    }
    return true
  }

  /// Gives a program an empty screen of its own.
  private mutating func cover() {
    covered = covered ?? (grid, cursor)
    for row in 0..<rows { erase(row: row, from: 0) }
  }

  private mutating func uncover() {
    guard let covered else { return }
    grid = covered.grid
    resize(columns: columns, rows: rows)
    moveTo(row: covered.cursor.row, column: covered.cursor.column)
    self.covered = nil
  }

  private mutating func moveTo(row: Int, column: Int) {
    self.row = min(max(row, 0), rows - 1)
    self.column = min(max(column, 0), columns - 1)
    wrapIsPending = false
  }

  private mutating func erase(row: Int, from start: Int) {
    for column in start..<columns { grid[row][column] = Cell() }
    // As xterm does: erasing takes the pending wrap, and with it the last character, away.
    wrapIsPending = false
  }

  private mutating func feedLine() {
    wrapIsPending = false
    guard row == rows - 1 else {
      row += 1
      return
    }
    scrollback.append(Self.text(of: grid.removeFirst()))
    grid.append(Array(repeating: Cell(), count: columns))
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    if width == 0 || joinsTheLast(scalar) {
      join(scalar)
      return
    }
    if wrapIsPending || column + width > columns {
      column = 0
      feedLine()
    }
    guard width <= columns else { return }
    clearHalves(from: column, to: column + width)
    grid[row][column] = Cell(text: String(scalar))
    if width == 2 { grid[row][column + 1] = Cell(text: "", isWideRest: true) }
    advance(by: width)
  }

  /// Blanks what is left of wide characters that are written over in part.
  private mutating func clearHalves(from start: Int, to end: Int) {
    if grid[row][start].isWideRest { grid[row][start - 1] = Cell() }
    if end < columns && grid[row][end].isWideRest { grid[row][end] = Cell() }
  }

  private mutating func advance(by width: Int) {
    wrapIsPending = column + width >= columns
    column = min(column + width, columns - 1)
  }

  /// The column of the cell that was written last in this row.
  private var lastCell: Int? {
    let last = wrapIsPending ? column : column - 1
    guard last >= 0 else { return nil }
    return grid[row][last].isWideRest ? last - 1 : last
  }

  private func joinsTheLast(_ scalar: Unicode.Scalar) -> Bool {
    guard let lastCell else { return false }
    let isSkinTone = (0x1F3FB...0x1F3FF).contains(scalar.value)
    return grid[row][lastCell].text.unicodeScalars.last == "\u{200D}" || isSkinTone
  }

  private mutating func join(_ scalar: Unicode.Scalar) {
    guard let lastCell else { return }
    grid[row][lastCell].text += String(scalar)
    let isNarrow = lastCell + 1 >= columns || !grid[row][lastCell + 1].isWideRest
    let isEmoji = grid[row][lastCell].text.unicodeScalars.first?.properties.isEmoji ?? false
    // The emoji selector makes a narrow symbol wide.
    if scalar == "\u{FE0F}" && isEmoji && isNarrow && lastCell + 1 < columns {
      clearHalves(from: lastCell + 1, to: lastCell + 2)
      grid[row][lastCell + 1] = Cell(text: "", isWideRest: true)
      advance(by: 1)
    }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    max(Int(widths.of(scalar)), 0)
  }

  private static let widths = CharacterWidths()

  // Unchecked, because the locale is a pointer; what it points to is never written again nor
  // freed, and the C library allows any number of threads to use one locale.
  @safe private struct CharacterWidths: @unchecked Sendable {
    private let utf8: locale_t?
    /// `wcwidth`, which Glibc's module doesn't show to Swift.
    private let width: @convention(c) (wchar_t) -> Int32

    init() {
      unsafe utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
      guard unsafe utf8 != nil, let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "wcwidth") else {
        preconditionFailure("the C library has no C.UTF-8 locale or no wcwidth")
      }
      width = unsafe unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    }

    func of(_ scalar: Unicode.Scalar) -> Int32 {
      // The locale is set for this thread alone, because tests run side by side.
      let former = unsafe uselocale(utf8)
      defer { unsafe _ = uselocale(former) }
      return width(wchar_t(scalar.value))
    }
  }
}
