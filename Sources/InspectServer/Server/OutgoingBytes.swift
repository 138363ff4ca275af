import HostCore

/// Bytes that wait until a pipe or a socket takes them.
struct OutgoingBytes {
  private var pieces: [[UInt8]] = []
  /// How much of the first piece is written.
  private var written = 0
  private(set) var count = 0

  var isEmpty: Bool { pieces.isEmpty }

  mutating func append(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    pieces.append(piece)
    count += piece.count
  }

  /// Writes as much as the system takes now.
  ///
  /// - Parameter write: writes some bytes, or returns nil if none are taken now.
  /// - Returns: whether anything was taken.
  mutating func flush(
    _ write: (Span<UInt8>) throws(SystemError) -> Int?
  ) throws(SystemError) -> Bool {
    var hasTaken = false
    while let first = pieces.first {
      let bytes = first.span
      guard let count = try write(bytes.extracting(written..<bytes.count)) else { break }
      hasTaken = true
      written += count
      self.count -= count
      guard written == first.count else { continue }
      pieces.removeFirst()
      written = 0
    }
    return hasTaken
  }
}
