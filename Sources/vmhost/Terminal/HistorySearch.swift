/// A search through the history for a text that is still being typed.
struct HistorySearch {
  /// The text that was in the editor before.
  let former: EditedText
  private(set) var query = ""
  /// What was found in the line that was found last.
  private var found = ""
  /// The index of the line that was found last; nil for none yet.
  private(set) var match: Int?
  /// Whether nothing more was found. The line that was found last stays.
  private(set) var isFailing = false

  init(from text: EditedText) { former = text }

  var prompt: String {
    let shown = query.map(DisplayWidth.shown).joined()
    return "(\(isFailing ? "failed " : "")reverse-i-search)`\(shown)': "
  }

  /// A longer text is pasted, and found nowhere.
  private static let maxQueryBytes = 256

  /// Searches for more text, from the present line on.
  mutating func extend(by text: String, in lines: [String]) {
    // One by one, since the bytes may be split anywhere.
    for scalar in text.unicodeScalars where query.utf8.count < Self.maxQueryBytes {
      query.unicodeScalars.append(scalar)
      find(in: lines.prefix((match ?? lines.count) + 1))
    }
  }

  /// Searches for one character less, from the newest line on.
  mutating func shorten(in lines: [String]) {
    _ = query.popLast()
    match = nil
    find(in: lines[...])
  }

  /// Searches for another line that is older than the present one.
  mutating func goOn(in lines: [String]) {
    let present = match.map { lines[$0] }
    var older = lines.prefix(match ?? lines.count)
    while let last = older.last, last == present { older.removeLast() }
    find(in: older)
  }

  private mutating func find(in lines: ArraySlice<String>) {
    guard !query.isEmpty else {
      isFailing = false
      return
    }
    let index = lines.lastIndex { $0.contains(query) }
    isFailing = index == nil
    guard let index else { return }
    match = index
    found = query
  }

  /// The line that was found, with the cursor at what was found in it.
  func text(in lines: [String]) -> EditedText {
    guard let match else { return former }
    var text = EditedText()
    text.set(lines[match])
    if let range = lines[match].firstRange(of: found) {
      text.move(to: lines[match].distance(from: lines[match].startIndex, to: range.lowerBound))
    }
    return text
  }
}
