/// Edits one line at the bottom of a terminal. It does no input or output itself: it gets bytes,
/// and returns actions and bytes to draw.
///
/// A line longer than the screen scrolls sideways within its row, so the editor never owns more
/// than the cursor's row. All other output goes through `show(above:)`. Drawing is deferred until
/// `takeOutput()`, so feeding is cheap.
struct LineEditor {
  enum Action: Equatable {
    /// The user entered a line. It has no line break.
    case line(String)
    /// Ctrl-D on an empty line.
    case endOfInput
    /// Ctrl-C on an empty line.
    case interrupt(isSecond: Bool)
  }

  /// The columns of the terminal. 0 or less counts as 80.
  var width: Int {
    didSet { isDirty = true }
  }

  /// Returns all completions of the text before the cursor.
  var complete: ((String) -> [String])?

  private let prompt: String
  private var text = EditedText()
  private var history: LineHistory
  private var search: HistorySearch?
  /// What was searched for last.
  private var lastQuery = ""
  private var decoder = KeyDecoder()
  private var output: [UInt8] = []
  /// The index of the first visible character. It isn't 0 if the line is longer than the row.
  private var firstVisible = 0
  private var isActive = false
  private var isDirty = false
  private var lastKeyWasTab = false
  /// Whether the last key was a Ctrl-C on an empty line.
  private var lastKeyInterrupted = false

  /// - Parameter history: the lines of earlier sessions, the oldest first.
  init(
    prompt: String = "> ", width: Int = 80, history: [String] = [],
    complete: ((String) -> [String])? = nil
  ) {
    self.prompt = prompt
    self.width = width
    self.history = LineHistory(history)
    self.complete = complete
  }

  /// Shows the prompt and the text typed so far. The cursor must be at the start of a row.
  mutating func begin() {
    guard !isActive else { return }
    isActive = true
    isDirty = true
    write(Escape.bracketedPasteOn)
  }

  /// Erases the prompt. The cursor is then at the start of the empty row.
  mutating func end() {
    guard isActive else { return }
    isActive = false
    write(Escape.clearRow + Escape.bracketedPasteOff)
  }

  /// The output that restores the terminal if the editor itself can't be used any more.
  static let abandonment = "\r\n" + Escape.bracketedPasteOff

  /// Handles typed bytes, which may be split anywhere.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Action] {
    var rest = Array(bytes)[...]
    var actions: [Action] = []
    while let action = next(from: &rest) { actions.append(action) }
    return actions
  }

  /// Handles typed bytes up to the first action; nil if all were consumed before.
  ///
  /// Use this instead of `feed` if the output of an action should appear below its own line, even
  /// if several lines were pasted at once.
  mutating func next(from bytes: inout ArraySlice<UInt8>) -> Action? {
    while let key = decoder.next(from: &bytes) {
      isDirty = true
      if let action = handle(key) { return action }
    }
    return nil
  }

  /// Shows whole lines above the edited line.
  mutating func show(above bytes: some Sequence<UInt8>) {
    if isActive { write(Escape.clearRow) }
    var last: UInt8 = UInt8(ascii: "\n")
    for byte in bytes {
      if byte == UInt8(ascii: "\n") && last != UInt8(ascii: "\r") { output.append(0x0D) }
      output.append(byte)
      last = byte
    }
    if last != UInt8(ascii: "\n") { write("\r\n") }
    isDirty = true
  }

  /// Returns the bytes to write to the terminal since the last call.
  mutating func takeOutput() -> [UInt8] {
    if isActive && isDirty { drawRow() }
    isDirty = false
    defer { output = [] }
    return output
  }

  private mutating func handle(_ key: Key) -> Action? {
    if search != nil && takeForSearch(key) { return nil }
    let followsTab = lastKeyWasTab
    let followsInterrupt = lastKeyInterrupted
    lastKeyWasTab = key == .tab
    lastKeyInterrupted = key == .interrupt && text.isEmpty
    switch key {
    case .text(let typed): text.insert(typed)
    case .enter:
      text.move(to: text.count)
      return commit()
    case .pastedNewline: return commit()
    case .interrupt:
      leaveRow(with: text.string + "^C")
      text.set("")
      history.add("")
      return lastKeyInterrupted ? .interrupt(isSecond: followsInterrupt) : nil
    case .deleteOrEnd:
      if text.isEmpty { return .endOfInput }
      text.remove(to: text.cursor + 1)
    case .tab: completeText(isSecond: followsTab)
    case .clearScreen: if isActive { write(Escape.clearScreen) }
    case .older: if let line = history.older(than: text.string) { text.set(line) }
    case .newer: if let line = history.newer() { text.set(line) }
    case .search: search = HistorySearch(from: text)
    case .cancel: break
    default: edit(key)
    }
    return nil
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .left: text.move(to: text.cursor - 1)
    case .right: text.move(to: text.cursor + 1)
    case .wordLeft: text.move(to: text.wordStart(where: isWordPart))
    case .wordRight: text.move(to: text.wordEnd(where: isWordPart))
    case .home: text.move(to: 0)
    case .end: text.move(to: text.count)
    case .backspace: text.remove(to: text.cursor - 1)
    case .delete: text.remove(to: text.cursor + 1)
    case .deleteWordLeft: text.remove(to: text.wordStart(where: isWordPart))
    case .deleteWordRight: text.remove(to: text.wordEnd(where: isWordPart))
    case .deleteBlankWordLeft: text.remove(to: text.wordStart { !$0.isWhitespace })
    case .deleteToStart: text.remove(to: 0)
    case .deleteToEnd: text.remove(to: text.count)
    default: preconditionFailure("\(key) does not edit")
    }
  }

  private func isWordPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Returns the text before the cursor as a line. The text after it stays in the editor.
  private mutating func commit() -> Action {
    let line = text.takeBeforeCursor()
    leaveRow(with: line)
    history.add(line)
    return .line(line)
  }

  /// Leaves a line on the screen as it was entered, wrapped by the terminal, and starts a new row.
  private mutating func leaveRow(with line: String) {
    firstVisible = 0
    guard isActive else { return }
    // That is enough to recognise a line. A pasted megabyte would only push everything else away.
    let maxShown = 4096
    let shown = line.prefix(maxShown).map(DisplayWidth.shown).joined()
    write(Escape.clearRow + prompt + shown + (line.count > maxShown ? "…" : "") + "\r\n")
  }
}

// MARK: - Search

extension LineEditor {
  /// Whether an ESC has come that cancels the search, unless it turns out to begin another key.
  var awaitsKeyAfterEscape: Bool { search != nil && decoder.isAfterEscape }

  /// Takes the ESC for a key of its own, since nothing has followed it.
  mutating func endEscape() {
    decoder.endEscape()
    isDirty = true
    if search != nil { _ = takeForSearch(.cancel) }
  }

  /// Handles a key while there is a search.
  ///
  /// - Returns: whether that was all. Any other key takes the line that was found, and then does
  ///   what it always does.
  private mutating func takeForSearch(_ key: Key) -> Bool {
    guard var search else { return false }
    switch key {
    case .text(let typed): search.extend(by: typed, in: history.lines)
    case .backspace: search.shorten(in: history.lines)
    case .search where search.query.isEmpty: search.extend(by: lastQuery, in: history.lines)
    case .search: search.goOn(in: history.lines)
    case .cancel:
      text = search.former
      self.search = nil
      return true
    default:
      if let match = search.match { history.move(to: match, from: search.former.string) }
      self.search = nil
      return false
    }
    if search.isFailing && isActive { write(Escape.bell) }
    text = search.text(in: history.lines)
    lastQuery = search.query.isEmpty ? lastQuery : search.query
    self.search = search
    return true
  }
}

// MARK: - Completion

extension LineEditor {
  private mutating func completeText(isSecond: Bool) {
    guard let complete else { return }
    let typed = text.beforeCursor
    let candidates = complete(typed)
    let common = Self.commonPrefix(candidates)
    if common.count > typed.count || (candidates.count == 1 && common != typed) {
      text.replaceBeforeCursor(with: common)
    } else if isSecond && candidates.count > 1 {
      list(candidates, after: common)
    } else if isActive {
      write(Escape.bell)
    }
  }

  private static func commonPrefix(_ candidates: [String]) -> String {
    guard var common = candidates.first.map(Array.init) else { return "" }
    for candidate in candidates.dropFirst() {
      common.removeLast(common.count - zip(common, candidate).prefix { $0 == $1 }.count)
    }
    return String(common)
  }

  /// Lists candidates in columns above the line, without the words that they share.
  private mutating func list(_ candidates: [String], after common: String) {
    let most = 100
    let shared = common.lastIndex(of: " ").map { common[...$0].count } ?? 0
    let names = candidates.prefix(most).map { candidate in
      candidate.dropFirst(shared).map(DisplayWidth.shown).joined()
    }
    let cell = (names.map(DisplayWidth.of).max() ?? 0) + 2
    let perRow = max((columns - 1) / cell, 1)
    var listing = ""
    for (index, name) in names.enumerated() {
      let endsRow = (index + 1) % perRow == 0 || index == names.count - 1
      let gap = String(repeating: " ", count: cell - DisplayWidth.of(name))
      listing += name + (endsRow ? "\n" : gap)
    }
    if candidates.count > most { listing += "… and \(candidates.count - most) more\n" }
    if isActive { show(above: listing.utf8) }
  }
}

// MARK: - Drawing

extension LineEditor {
  private enum Escape {
    static let clearRow = "\r\u{1B}[K"
    static let clearToEnd = "\u{1B}[K"
    static let clearScreen = "\u{1B}[H\u{1B}[2J"
    static let bracketedPasteOn = "\u{1B}[?2004h"
    static let bracketedPasteOff = "\u{1B}[?2004l"
    static let bell = "\u{7}"

    static func column(_ column: Int) -> String {
      column == 0 ? "\r" : "\r\u{1B}[\(column)C"
    }
  }

  private var columns: Int { width > 0 ? width : 80 }

  private mutating func write(_ text: String) {
    output += text.utf8
  }

  /// A prompt is left out if it doesn't leave that many columns.
  private static let minRoom = 4

  /// Draws the prompt and as much of the text as fits. The last column is left for the cursor,
  /// since a terminal that has written its last column is about to wrap.
  private mutating func drawRow() {
    let prompts = [search?.prompt, prompt].compactMap(\.self)
    let prompt = prompts.first { columns >= DisplayWidth.of($0) + Self.minRoom } ?? ""
    let start = DisplayWidth.of(prompt)
    let room = max(columns - 1 - start, 0)
    scroll(room: room)
    var row = "\r" + prompt
    var used = 0
    var cursorColumn = start
    for index in firstVisible..<text.count {
      let width = DisplayWidth.of(text[index])
      if used + width > room { break }
      row += DisplayWidth.shown(text[index])
      used += width
      if index < text.cursor { cursorColumn = start + used }
    }
    write(row + Escape.clearToEnd + Escape.column(cursorColumn))
  }

  /// Chooses the first visible character, so that the cursor stays visible, and no room is unused
  /// while text is hidden on the left.
  private mutating func scroll(room: Int) {
    let lowest = leftmost(fitting: room, before: text.cursor)
    firstVisible = min(max(firstVisible, lowest), text.cursor)
    firstVisible = min(firstVisible, leftmost(fitting: room, before: text.count))
  }

  /// The start of the longest text before `end` that fits into `room` columns.
  private func leftmost(fitting room: Int, before end: Int) -> Int {
    var index = end
    var used = 0
    while index > 0 {
      used += DisplayWidth.of(text[index - 1])
      if used > room { break }
      index -= 1
    }
    return index
  }
}
