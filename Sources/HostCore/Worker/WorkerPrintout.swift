import Basics

/// Splits a plugin's prints into lines, and keeps them until somebody takes them.
struct WorkerPrintout {
  /// Limits on lines, which are for people to read. A longer line is split, and further lines are
  /// dropped.
  private static let maxLineBytes = 1 << 14
  static let maxLines = 10_000
  private static let maxBytes = 1 << 22
  /// The number of reads from one stream before the others, and the time, are checked again.
  private static let maxReads = 16

  private var streams: [(descriptor: Int32, rest: [UInt8])]
  private let maxLines: Int
  /// The lines that nobody has taken yet.
  private var lines: [String] = []
  /// How many lines were kept since the limits were last reset, and how many bytes they have.
  private var count = 0
  private var bytes = 0
  /// Whether a complete backtrace has arrived.
  private(set) var hasBacktrace = false

  /// A descriptor whose text isn't shown. It is still read, so that writers don't block forever.
  private let silenced: Int32?

  /// - Parameter silenced: the descriptor whose text isn't shown.
  init(
    descriptors: [Int32], silenced: Int32? = nil, maxLines: Int = Self.maxLines
  ) {
    streams = descriptors.map { ($0, []) }
    self.silenced = silenced
    self.maxLines = maxLines
  }

  /// Returns the lines that were printed since the last call.
  mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Begins to count lines anew, for another session.
  mutating func resetLimits() { (count, bytes) = (0, 0) }

  var interests: [Descriptor.Interest] { streams.map { Descriptor.Interest($0.descriptor) } }

  /// Reads from the descriptors that are ready.
  mutating func take(_ ready: ArraySlice<Descriptor.Interest>) {
    for interest in ready where interest.isReady { read(interest.number) }
  }

  /// Reads the rest after the worker has ended.
  mutating func drain() {
    for descriptor in streams.map(\.descriptor) { read(descriptor) }
  }

  /// Shows incomplete lines as whole lines.
  mutating func endLines() {
    for index in streams.indices where !streams[index].rest.isEmpty { cut(index, atEnd: true) }
  }

  private mutating func read(_ descriptor: Int32) {
    guard let index = streams.firstIndex(where: { $0.descriptor == descriptor }) else { return }
    do throws(SystemError) {
      for _ in 0..<Self.maxReads {
        guard
          let count = try Descriptor.read(descriptor, limit: 1 << 16, into: &streams[index].rest)
        else { return }
        cut(index, atEnd: count == 0)
        if count == 0 {
          streams.remove(at: index)
          return
        }
      }
    } catch { streams.remove(at: index) }
  }

  private mutating func cut(_ index: Int, atEnd: Bool) {
    guard count < maxLines, bytes < Self.maxBytes, streams[index].descriptor != silenced else {
      streams[index].rest.removeAll(keepingCapacity: true)
      return
    }
    var rest = streams[index].rest[...]
    while true {
      if let newline = rest.prefix(Self.maxLineBytes + 1).firstIndex(of: 0x0a) {
        say(rest[..<newline])
        rest = rest[(newline + 1)...]
      } else if rest.count > Self.maxLineBytes {
        let end = Self.end(ofPartOf: rest)
        say(rest[..<end])
        rest = rest[end...]
      } else {
        break
      }
    }
    if atEnd && !rest.isEmpty {
      say(rest)
      rest = []
    }
    streams[index].rest = Array(rest)
  }

  /// Where to split a line that is too long: not within a character.
  private static func end(ofPartOf line: ArraySlice<UInt8>) -> Int {
    let end = line.startIndex + maxLineBytes
    // The bytes of a character after its first one begin with 10.
    return (end - 3...end).last { line[$0] & 0xc0 != 0x80 } ?? end
  }

  private mutating func say(_ bytes: ArraySlice<UInt8>) {
    guard count < maxLines && self.bytes < Self.maxBytes else { return }
    count += 1
    let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    self.bytes += bytes.count
    let safe = String(repairing: Array(bytes).span).terminalSafe
    if safe.hasPrefix(Backtracer.lastLine) { hasBacktrace = true }
    lines.append(safe)
    if count == maxLines || self.bytes >= Self.maxBytes {
      lines.append("(more lines are not shown)")
    }
  }
}
