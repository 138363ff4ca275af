/// One line of text and the cursor in it, counted in characters as the user sees them.
///
/// The two sides of the cursor are divided into characters each on its own. So what is typed never
/// joins what is behind it (half a flag before a flag) and the cursor stays where it is.
struct EditedText {
  private var before: [Character] = []
  /// From the last to the first, so that the character at the cursor comes and goes at the end.
  private var reversedAfter: [Character] = []

  /// From 0, before the first character, to `count`.
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

  /// Inserts text before the cursor; an accent joins the character before it.
  mutating func insert(_ text: String) {
    let last = before.popLast().map { String($0) } ?? ""
    before += last + text
  }

  mutating func replaceBeforeCursor(with text: String) {
    before = Array(text)
  }

  /// Moves the cursor to `target`, or as far as there is text.
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

  /// Takes out what is before the cursor; the rest stays, with the cursor at its start.
  mutating func takeBeforeCursor() -> String {
    defer { before = [] }
    return beforeCursor
  }

  /// Where the word before the cursor begins; words are what `isPart` accepts.
  func wordStart(where isPart: (Character) -> Bool) -> Int {
    var index = cursor
    while index > 0, !isPart(self[index - 1]) { index -= 1 }
    while index > 0, isPart(self[index - 1]) { index -= 1 }
    return index
  }

  /// Where the word after the cursor ends.
  func wordEnd(where isPart: (Character) -> Bool) -> Int {
    var index = cursor
    while index < count, !isPart(self[index]) { index += 1 }
    while index < count, isPart(self[index]) { index += 1 }
    return index
  }

  /// Joins a character to the one behind the cursor where the two make one.
  private mutating func putBehindCursor(_ character: Character) {
    let next = reversedAfter.popLast().map { String($0) } ?? ""
    reversedAfter += (String(character) + next).reversed()
  }
}
