import Basics

/// Splits a plugin's prints into lines.
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
  private let line: (String) -> Void
  private var lines = 0
  private var bytes = 0
  /// Whether a complete backtrace has arrived.
  private(set) var hasBacktrace = false

  /// A descriptor whose text isn't shown. It is still read, so that writers don't block forever.
  private let silenced: Int32?

  /// - Parameter silenced: the descriptor whose text isn't shown.
  init(
    descriptors: [Int32], silenced: Int32? = nil, maxLines: Int = Self.maxLines,
    line: @escaping (String) -> Void
  ) {
    streams = descriptors.map { ($0, []) }
    self.silenced = silenced
    self.maxLines = maxLines
    self.line = line
  }

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
    guard lines < maxLines, streams[index].descriptor != silenced else {
      streams[index].rest.removeAll(keepingCapacity: true)
      return
    }
    var rest = streams[index].rest[...]
    while let newline = rest.firstIndex(of: 0x0a) {
      say(rest[..<newline])
      rest = rest[(newline + 1)...]
    }
    if (atEnd && !rest.isEmpty) || rest.count > Self.maxLineBytes {
      say(rest)
      rest = []
    }
    streams[index].rest = Array(rest)
  }

  private mutating func say(_ bytes: ArraySlice<UInt8>) {
    guard lines < maxLines && self.bytes < Self.maxBytes else { return }
    lines += 1
    let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    self.bytes += bytes.count
    let text = Array(bytes.prefix(Self.maxLineBytes))
    let safe = String(repairing: text.span).terminalSafe
    if safe.hasPrefix(Backtracer.lastLine) { hasBacktrace = true }
    line(safe)
    if lines == maxLines || self.bytes >= Self.maxBytes {
      line("(more lines are not shown)")
    }
  }
}
