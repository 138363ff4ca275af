import HostCore

/// The bytes of a transcript: kept if they are few, so that they are read only once; else they
/// stay in the file, whose size doesn't matter.
struct TranscriptSource {
  /// More than this is not kept.
  static let mostKept = 1 << 18

  let path: String
  /// All of it, if that is little.
  let bytes: [UInt8]?

  /// The folder that it lies in.
  var folder: String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  init(_ path: String) throws(Failure) {
    self.path = path
    let read: [UInt8]?
    do throws(SystemError) {
      read = try Self.read(path)
    } catch {
      throw Failure(.usage, "could not read the transcript \"\(path)\": \(error.reason).")
    }
    guard let read else {
      throw Failure(.usage, "\"\(path)\" is a folder, not a transcript.")
    }
    bytes = read.count <= Self.mostKept ? read : nil
  }

  /// The beginning of a file, and one byte more than is kept; nil for a folder.
  private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    guard try Files.kind(of: path) != .directory else { return nil }
    let file = try FileDescriptor.openForReading(path)
    var bytes: [UInt8] = []
    while bytes.count <= mostKept {
      let room = mostKept + 1 - bytes.count
      guard try Descriptor.read(file.number, limit: room, into: &bytes) != 0 else { break }
    }
    return bytes
  }
}

/// Reads a transcript a line at a time.
final class TranscriptReader {
  private static let readSize = 1 << 18

  let path: String
  /// nil where all bytes are in the feed already.
  private let file: OpenFile?
  private var feed = ScriptFeed()
  private var hasEnded = false

  /// A descriptor that can be left out.
  private final class OpenFile {
    let descriptor: FileDescriptor

    init(_ path: String) throws(SystemError) {
      descriptor = try FileDescriptor.openForReading(path)
    }
  }

  init(_ source: TranscriptSource) throws(Failure) {
    path = source.path
    guard let bytes = source.bytes else {
      do throws(SystemError) {
        file = try OpenFile(source.path)
      } catch {
        throw Failure(.usage, "could not read the transcript \"\(path)\": \(error.reason).")
      }
      return
    }
    file = nil
    feed.fill { $0.append(contentsOf: bytes) }
    hasEnded = true
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
      guard !hasEnded, let file else {
        isCut = feed.isWithinLine
        return nil
      }
      let number = file.descriptor.number
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
