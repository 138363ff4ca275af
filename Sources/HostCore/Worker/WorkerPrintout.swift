import Basics

/// What a plugin prints, cut into lines.
struct WorkerPrintout {
  /// A longer line is cut, and a flood of lines is dropped: it is for people to read.
  private static let maxLine = 1 << 14
  static let maxLines = 10_000
  private static let maxBytes = 1 << 22
  /// So many times is one stream read before the others, and the time, are looked at again.
  private static let maxReads = 16

  private var streams: [(descriptor: Int32, rest: [UInt8])]
  private let maxLines: Int
  private let line: (String) -> Void
  private var lines = 0
  private var bytes = 0
  /// Whether a backtrace has come, to its end.
  private(set) var hasBacktrace = false

  /// Nothing of it is shown, but it is read: whoever prints there must not wait for ever.
  private let silenced: Int32?

  /// - Parameter silenced: the one of the descriptors that nothing is to be shown of.
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

  /// Reads from those that are ready.
  mutating func take(_ ready: ArraySlice<Descriptor.Interest>) {
    for interest in ready where interest.isReady { read(interest.number) }
  }

  /// Reads what is left after the worker has ended.
  mutating func drain() {
    for descriptor in streams.map(\.descriptor) { read(descriptor) }
  }

  /// Takes what has come of a line for the whole of it.
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
    if (atEnd && !rest.isEmpty) || rest.count > Self.maxLine {
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
    let text = Array(bytes.prefix(Self.maxLine))
    let words = String(repairing: text.span).terminalSafe
    if words.hasPrefix(Backtracer.lastLine) { hasBacktrace = true }
    line(words)
    if lines == maxLines || self.bytes >= Self.maxBytes {
      line("(more lines are not shown)")
    }
  }
}
