/// One line of text and the cursor in it, counted in characters as the user sees them.
///
/// The text before the cursor and the text after it are divided into characters separately. So
/// typed text never joins what follows it (such as half a flag before a flag), and the cursor stays
/// where it is.
struct EditedText {
  private var before: [Character] = []
  /// The characters after the cursor, the last one first. So the one at the cursor is at the end of
  /// the array, where it is cheap to add and remove.
  private var reversedAfter: [Character] = []

  /// The position of the cursor, from 0 (before the first character) to `count`.
  var cursor: Int { before.count }
  var count: Int { before.count + reversedAfter.count }
  var isEmpty: Bool { count == 0 }
  var beforeCursor: String { String(before) }
  var string: String { String(before) + String(reversedAfter.reversed()) }

  subscript(index: Int) -> Character {
    index < before.count ? before[index] : reversedAfter[count - 1 - index]
  }

  /// Sets the whole text, with the cursor at its end.
  mutating func set(_ text: String) {
    before = Array(text)
    reversedAfter = []
  }

  /// Inserts text before the cursor. A combining accent joins the character before it.
  mutating func insert(_ text: String) {
    let last = before.popLast().map { String($0) } ?? ""
    before += last + text
  }

  mutating func replaceBeforeCursor(with text: String) {
    before = Array(text)
  }

  /// Moves the cursor to `target`, or to the end of the text.
  mutating func move(to target: Int) {
    let target = min(max(target, 0), count)
    if target < cursor {
      for character in before[target...].reversed() { putBehindCursor(character) }
      before.removeLast(cursor - target)
    } else {
      let passed = target - cursor
      insert(String(reversedAfter.suffix(passed).reversed()))
      reversedAfter.removeLast(passed)
    }
  }

  /// Removes from the cursor to `target`, on whichever side that is.
  mutating func remove(to target: Int) {
    let target = min(max(target, 0), count)
    if target < cursor {
      before.removeLast(cursor - target)
    } else {
      reversedAfter.removeLast(target - cursor)
    }
  }

  /// Removes and returns the text before the cursor.
  mutating func takeBeforeCursor() -> String {
    defer { before = [] }
    return beforeCursor
  }

  /// The start of the word before the cursor. Words consist of characters that `isPart` accepts.
  func wordStart(where isPart: (Character) -> Bool) -> Int {
    var index = cursor
    while index > 0, !isPart(self[index - 1]) { index -= 1 }
    while index > 0, isPart(self[index - 1]) { index -= 1 }
    return index
  }

  /// The end of the word after the cursor.
  func wordEnd(where isPart: (Character) -> Bool) -> Int {
    var index = cursor
    while index < count, !isPart(self[index]) { index += 1 }
    while index < count, isPart(self[index]) { index += 1 }
    return index
  }

  /// Inserts a character after the cursor, joined with the next one if the two make one character.
  private mutating func putBehindCursor(_ character: Character) {
    let next = reversedAfter.popLast().map { String($0) } ?? ""
    reversedAfter += (String(character) + next).reversed()
  }
}
