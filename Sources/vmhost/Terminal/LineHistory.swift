/// The history of entered lines. While the user moves through it, the unfinished line is kept.
struct LineHistory {
  static let capacity = 1000

  private(set) var lines: [String]
  /// The index of the current line; `lines.count` for the unfinished one.
  private var position: Int
  private var draft = ""

  /// - Parameter lines: those of earlier sessions, the oldest first.
  init(_ lines: [String] = []) {
    self.lines = lines
    position = lines.count
  }

  /// Whether a line goes into the history. As in shells, one that begins with a blank doesn't.
  static func keeps(_ line: String) -> Bool {
    line.unicodeScalars.first.map { $0 != " " && $0 != "\t" } ?? false
  }

  /// Adds a line, if it is kept and doesn't repeat the previous one, and moves to the end.
  mutating func add(_ line: String) {
    if Self.keeps(line) && line != lines.last { lines.append(line) }
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

  /// Moves to a line.
  ///
  /// - Parameter current: the unfinished line, which is kept.
  mutating func move(to index: Int, from current: String) {
    if position == lines.count { draft = current }
    position = index
  }
}
