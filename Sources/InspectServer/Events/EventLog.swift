/// The session's lines, numbered from 1. The newest are kept, for a page that is loaded again.
package struct EventLog {
  /// What an array costs besides its bytes.
  private static let bytesPerLine = 64

  private let maxBytes: Int
  private var bytes = 0
  private var lines: [[UInt8]] = []
  /// The index of the first line that is kept. Those before it are empty.
  private var start = 0

  /// The number of the first line that is kept, or of the next one if there are none.
  package private(set) var first = 1
  /// The number of the next line.
  package var next: Int { first + lines.count - start }

  package init(maxBytes: Int) { self.maxBytes = maxBytes }

  package mutating func append(_ line: LineSplitter.Line) {
    switch line {
    case .whole(let bytes): append(bytes)
    case .tooLong: skip()
    }
  }

  /// Adds a line, and forgets the oldest ones beyond the limit; a line that exceeds it by itself,
  /// too.
  private mutating func append(_ line: [UInt8]) {
    lines.append(line)
    bytes += line.count + Self.bytesPerLine
    while bytes > maxBytes { dropFirst() }
    if start > 1024, start > lines.count / 2 {
      lines.removeFirst(start)
      start = 0
    }
  }

  /// Counts a line that was too long to be read, and forgets all before it.
  private mutating func skip() {
    first = next + 1
    lines = []
    (start, bytes) = (0, 0)
  }

  package subscript(number: Int) -> [UInt8] { lines[start + number - first] }

  private mutating func dropFirst() {
    bytes -= lines[start].count + Self.bytesPerLine
    lines[start] = []
    start += 1
    first += 1
  }
}
