import Basics

/// Splits a plugin's prints into lines, and keeps them until somebody takes them.
struct WorkerPrintout {
  /// Limits on lines, which are for people to read. Further lines are dropped. So is a line that
  /// doesn't fit as a whole: its beginning could end within a secret.
  static let maxLines = 10_000
  private static let maxBytes = 1 << 22
  /// The number of reads from one stream before the others, and the time, are checked again.
  private static let maxReads = 16

  /// What was read from a descriptor.
  private struct Stream {
    let descriptor: Int32
    /// The beginning of a line.
    var rest: [UInt8] = []
    /// How many bytes of it are known to have no line break.
    var searched = 0
  }

  private var streams: [Stream]
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
    streams = descriptors.map { Stream(descriptor: $0) }
    self.silenced = silenced
    self.maxLines = maxLines
  }

  /// Returns the lines that were printed since the last call.
  mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Takes the last line in which the worker says why it ends, if there is one, and drops the
  /// addresses that Swift's runtime prints behind it.
  mutating func takeLastWords() -> LastWords? {
    var filter = StackTraceFilter()
    lines.removeAll { filter.isPart($0) }
    for index in lines.indices.reversed() {
      guard let words = LastWords(lines[index]) else { continue }
      lines.remove(at: index)
      return words
    }
    return nil
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
    guard !isFull, streams[index].descriptor != silenced else {
      streams[index].rest.removeAll(keepingCapacity: true)
      streams[index].searched = 0
      return
    }
    let rest = streams[index].rest
    var start = 0
    while let newline = rest.span.firstIndex(of: 0x0a, from: max(start, streams[index].searched)) {
      say(rest[start..<newline])
      start = newline + 1
    }
    if start < rest.count, atEnd || rest.count - start > Self.maxBytes - bytes {
      say(rest[start...])
      start = rest.count
    }
    // Not for each read, since a long line comes in many.
    if start > 0 { streams[index].rest.removeFirst(start) }
    streams[index].searched = rest.count - start
  }

  private var isFull: Bool { count >= maxLines || bytes >= Self.maxBytes }

  private mutating func say(_ bytes: ArraySlice<UInt8>) {
    guard !isFull else { return }
    let fits = bytes.count <= Self.maxBytes - self.bytes
    if fits {
      count += 1
      let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
      self.bytes += bytes.count
      let line = String(repairing: Array(bytes).span)
      if line.hasPrefix(Backtracer.lastLine) { hasBacktrace = true }
      lines.append(line)
    } else {
      self.bytes = Self.maxBytes
    }
    if isFull { lines.append("(more lines are not shown)") }
  }
}
