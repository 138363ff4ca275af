import HostCore

/// Reads a transcript from its file, a piece at a time: its size doesn't matter.
final class TranscriptReader {
  private static let readSize = 1 << 18

  let path: String
  private let file: FileDescriptor
  private var feed = ScriptFeed()
  private var hasEnded = false

  init(_ path: String) throws(Failure) {
    self.path = path
    let isFolder: Bool
    do throws(SystemError) {
      isFolder = try Files.kind(of: path) == .directory
      file = try FileDescriptor.openForReading(path)
    } catch {
      throw Failure(.usage, "could not read the transcript \"\(path)\": \(error.reason).")
    }
    guard !isFolder else {
      throw Failure(.usage, "\"\(path)\" is a folder, not a transcript.")
    }
  }

  /// The number of the present line, and of the last one that its value goes on to.
  var number: Int { feed.number }
  var lastNumber: Int { feed.lastNumber }

  /// Whether the file ends within a line, or a value: that part was left out.
  private(set) var isCut = false

  func withLine<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try feed.withLine(body)
  }

  /// The next complete line, or nil at the end.
  func next() throws -> ScriptLine? {
    while true {
      if let line = try feed.next(atEnd: false) { return line }
      if hasEnded {
        isCut = feed.isWithinLine
        return nil
      }
      let number = file.number
      let count = try feed.fill { (bytes: inout [UInt8]) throws(SystemError) in
        try Descriptor.read(number, limit: Self.readSize, into: &bytes)
      }
      hasEnded = count == 0
    }
  }

  /// An error about the present line, with its place and the line itself.
  func report(_ error: ScriptError) -> String {
    feed.withLine { error.report(source: path, number: feed.number, line: $0) }
  }
}
