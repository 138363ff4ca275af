import HostCore

/// The lines that a person entered in earlier sessions, in a file that only its owner can read.
///
/// Without a home, or where the file can't be written, the history doesn't last, and that is all:
/// nobody wants to hear of it at each start.
final class HistoryFile {
  static let maxLines = LineHistory.capacity
  static let maxBytes = 1 << 18
  /// A longer line is a pasted file.
  static let maxLineBytes = 4096

  /// The lines at the start of the session, the oldest first.
  let lines: [String]
  private let file: FileDescriptor
  private let secrets: Secrets
  private var last: String?
  /// Whether a crash has left a line without its end.
  private var isTorn: Bool
  /// How many bytes this session may still add. The next one cuts the file.
  private var room = maxBytes

  /// The path of the history, in the folder for the state of programs; nil if there is none.
  ///
  /// - Parameter variable: looks up an environment variable.
  static func path(_ variable: (String) -> String?) -> String? {
    // A relative path is invalid, as XDG's specification has it.
    func folder(_ name: String) -> String? {
      variable(name).flatMap { Files.isAbsolute($0) ? $0 : nil }
    }
    let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { "\($0)/.local/state" }
    return state.map { "\($0)/vmhost/history" }
  }

  /// Opens the history, and cuts it to its newest lines if no other session has it open.
  ///
  /// - Parameter secrets: lines that hold one of them are not added.
  init(path: String, secrets: Secrets) throws(SystemError) {
    try Files.makeFolder(above: path)
    file = try FileDescriptor.openForAppending(path)
    self.secrets = secrets
    // Each session holds a lock, so whoever gets it alone loses nobody's lines.
    let isAlone = try file.lock(.exclusive)
    if !isAlone { try file.lock(.shared) }
    let size = try file.size()
    let start = max(size - Self.maxBytes, 0)
    let bytes = try file.read(at: start, count: Self.maxBytes)
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if start > 0 { parts.removeFirst() }
    let kept = parts.suffix(Self.maxLines + 1).compactMap(Self.line)
    lines = kept.suffix(Self.maxLines)
    last = kept.last
    isTorn = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
    guard isAlone else { return }
    if start > 0 || parts.count > Self.maxLines + 1 {
      try file.truncate(to: 0)
      try file.write(Array(lines.map { "\($0)\n" }.joined().utf8).span)
      isTorn = false
    }
    try file.lock(.shared)
  }

  /// A line of the file; nil for one that nobody typed.
  private static func line(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= maxLineBytes, let text = String(validating: bytes, as: UTF8.self),
      LineHistory.keeps(text), text == text.terminalSafe
    else { return nil }
    return text
  }

  /// Adds a line, unless it holds a secret, repeats the one before, or isn't kept by any history.
  func add(_ line: String) {
    let bytes = Array("\(isTorn ? "\n" : "")\(line)\n".utf8)
    guard LineHistory.keeps(line), line != last, bytes.count <= min(room, Self.maxLineBytes),
      secrets.redacted(line) == line
    else { return }
    room -= bytes.count
    do throws(SystemError) {
      // One write, so that the lines of two sessions don't mix.
      try file.write(bytes.span)
      last = line
      isTorn = false
    } catch {
      // The disk is full, for example. What was written stays, and the session is not about it.
      room = 0
    }
  }
}
