/// The lines entered so far, and a walk through them that keeps the line begun before it.
struct LineHistory {
  private static let capacity = 1000

  private(set) var lines: [String] = []
  /// Where the walk is; `lines.count` is the draft.
  private var position = 0
  private var draft = ""

  /// Remembers a line, unless it is empty or repeats the one before, and ends the walk.
  mutating func add(_ line: String) {
    if !line.isEmpty && line != lines.last { lines.append(line) }
    if lines.count > Self.capacity { lines.removeFirst() }
    position = lines.count
    draft = ""
  }

  /// The line before, or nil at the first one. `current` is kept as the draft when the walk begins.
  mutating func older(than current: String) -> String? {
    guard position > 0 else { return nil }
    if position == lines.count { draft = current }
    position -= 1
    return lines[position]
  }

  /// The next line, at last the draft, or nil there.
  mutating func newer() -> String? {
    guard position < lines.count else { return nil }
    position += 1
    return position == lines.count ? draft : lines[position]
  }
}
