import Basics

/// The source of a transcript. A small file is kept in memory, so that it is read only once. A
/// large one is read from the file each time.
package struct TranscriptSource: Sendable {
  /// The size of the largest file that is kept.
  static let maxKept = 1 << 18

  package let path: String
  /// The whole file, if it is small.
  package let bytes: [UInt8]?

  /// How many bytes of a file that isn't kept are read at a time.
  fileprivate let readSize: Int

  /// The folder of the file.
  package var folder: String? { Files.folder(of: path) }

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    readSize = Self.maxKept
  }

  /// A file of which only the head is wanted, so that no more is read.
  ///
  /// - Throws: `TranscriptError` if the path isn't a file.
  package init(head path: String) throws(TranscriptError) {
    self.path = path
    bytes = nil
    readSize = 1 << 12
    try Self.check(path)
  }

  /// - Throws: `TranscriptError` if the path isn't a file, or if it can't be read.
  package init(_ path: String) throws(TranscriptError) {
    self.path = path
    readSize = Self.maxKept
    // The kind is checked first, because opening a pipe would wait for its other end.
    try Self.check(path)
    do throws(SystemError) {
      let file = try FileDescriptor.openForReading(path)
      var read: [UInt8] = []
      while read.count <= Self.maxKept {
        let room = Self.maxKept + 1 - read.count
        guard try Descriptor.read(file.number, limit: room, into: &read) != 0 else { break }
      }
      bytes = read.count <= Self.maxKept ? read : nil
    } catch { throw Self.unreadable(path, error) }
  }

  private static func check(_ path: String) throws(TranscriptError) {
    let kind: Files.Kind
    do throws(SystemError) { kind = try Files.kind(of: path) } catch {
      throw unreadable(path, error)
    }
    switch kind {
    case .regular: return
    case .directory: throw TranscriptError(invalid: "\"\(path)\" is a folder, not a transcript.")
    case .other:
      throw TranscriptError(
        invalid:
          "\"\(path)\" is not a file. A transcript is read twice, which a pipe can't be: write it"
          + " to a file first.")
    }
  }

  fileprivate static func unreadable(_ path: String, _ error: SystemError) -> TranscriptError {
    TranscriptError(invalid: "could not read the transcript \"\(path)\": \(error.reason).")
  }
}

/// Reads a transcript line by line.
package final class TranscriptReader {
  let source: TranscriptSource
  package var path: String { source.path }
  /// The file; nil if all bytes are in memory.
  private let file: OpenFile?
  private var lines = LineReader()
  private var hasEnded = false

  /// Holds the descriptor, which is noncopyable and can't be optional itself.
  private final class OpenFile {
    let descriptor: FileDescriptor

    init(_ path: String) throws(SystemError) {
      descriptor = try FileDescriptor.openForReading(path)
    }
  }

  package init(_ source: TranscriptSource) throws(TranscriptError) {
    self.source = source
    guard let bytes = source.bytes else {
      do throws(SystemError) {
        file = try OpenFile(source.path)
      } catch { throw TranscriptSource.unreadable(source.path, error) }
      return
    }
    file = nil
    lines.fill { $0.append(contentsOf: bytes) }
    hasEnded = true
  }

  /// The number of the current line.
  var number: Int { lines.number }
  /// The number of the last line that the current line's value continues on.
  var lastNumber: Int { lines.lastNumber }

  /// Whether it is a recording whose `@end` hasn't been read yet.
  private var isUnfinished = false
  /// Whether a recording ends within a line or a value. That part was left out.
  private(set) var isCut = false

  func withLine<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try lines.withLine(body)
  }

  /// The next complete line, or nil at the end.
  package func next() throws -> ScriptLine? {
    while true {
      if let line = try lines.next(atEnd: false) {
        if case .command(.recorded) = line { isUnfinished = true }
        if case .command(.end) = line { isUnfinished = false }
        return line
      }
      guard !hasEnded, let file else { return lines.isWithinLine ? try lastLine() : nil }
      let number = file.descriptor.number
      let count = try lines.fill { (bytes: inout [UInt8]) throws(SystemError) in
        try Descriptor.read(number, limit: source.readSize, into: &bytes)
      }
      hasEnded = count == 0
    }
  }

  /// The last line, if it has no line feed. In a recording, that line was being written when the
  /// recorder was ended, and may be the beginning of any line.
  private func lastLine() throws(ScriptError) -> ScriptLine? {
    do throws(ScriptError) {
      let line = try lines.next(atEnd: true)
      if !isUnfinished || line == .command(.end) { return line }
    } catch {
      guard isUnfinished || lines.withLine(Self.mayBeginRecording) else { throw error }
    }
    isCut = true
    return nil
  }

  /// Whether a recorder may have been writing its first lines when it was ended.
  private static func mayBeginRecording(_ line: Span<UInt8>) -> Bool {
    let text = String(repairing: line)
    return "vmt 1".hasPrefix(text) || "@recorded".hasPrefix(text) || text.hasPrefix("@recorded ")
  }

  /// The summary of the lines before a transcript's first step; nil if they can't be read, or have
  /// a mistake.
  package static func head(of source: TranscriptSource) -> ScriptSummary? {
    var summary = ScriptSummary()
    do {
      let reader = try TranscriptReader(source)
      while let line = try reader.next(), line.role != .step { try summary.take(line) }
      return summary
    } catch {
      return nil
    }
  }

  /// Reads an earlier line again, since a large file isn't kept; nil if that fails.
  func lineAgain<Result>(
    _ number: Int, _ body: (ScriptLine, Span<UInt8>) -> Result?
  ) -> Result? {
    do {
      let reader = try TranscriptReader(source)
      while let line = try reader.next() {
        if reader.number == number { return reader.withLine { body(line, $0) } }
      }
    } catch {
      // The file could be read before. Now the caller only has less to show.
    }
    return nil
  }

  /// The message of an error about the current line, with its location and the line itself.
  func report(_ error: ScriptError) -> String {
    lines.withLine { error.report(source: path, number: lines.number, line: $0) }
  }
}
