/// The history of entered lines. While the user moves through it, the unfinished line is kept.
struct LineHistory {
  private static let capacity = 1000

  private(set) var lines: [String] = []
  /// The index of the current line; `lines.count` for the unfinished one.
  private var position = 0
  private var draft = ""

  /// Adds a line, unless it is empty or repeats the previous one, and moves to the end.
  mutating func add(_ line: String) {
    if !line.isEmpty && line != lines.last { lines.append(line) }
    if lines.count > Self.capacity { lines.removeFirst() }
    position = lines.count
    draft = ""
  }

  /// Moves to the previous line; nil at the first one.
  ///
  /// - Parameter current: the text in the editor, which is kept if it is the unfinished line.
  mutating func older(than current: String) -> String? {
    guard position > 0 else { return nil }
    if position == lines.count { draft = current }
    position -= 1
    return lines[position]
  }

  /// Moves to the next line, and finally to the unfinished one; nil after that.
  mutating func newer() -> String? {
    guard position < lines.count else { return nil }
    position += 1
    return position == lines.count ? draft : lines[position]
  }
}
