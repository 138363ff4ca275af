/// Whole frames over a socket, for either side.
struct WorkerChannel {
  /// The socket, which somebody else owns.
  let number: Int32
  private var incoming: [UInt8] = []

  init(number: Int32) { self.number = number }

  /// Sends a frame, waiting until the other side has taken it.
  func send(_ frame: WorkerFrame) throws(SystemError) {
    try Descriptor.write(number, frame.header.span)
    if !frame.payload.isEmpty { try Descriptor.write(number, frame.payload.span) }
  }

  enum Arrival: Equatable {
    case frame(WorkerFrame)
    case nothing
    case end
    /// The bytes are not a frame.
    case garbage
  }

  /// Takes in what has come, and gives the next frame once all of it is there.
  ///
  mutating func receive() throws(SystemError) -> Arrival {
    if let frame = next() { return frame }
    guard let count = try Descriptor.read(number, limit: 1 << 16, into: &incoming) else {
      return .nothing
    }
    if count == 0 { return .end }
    return next() ?? .nothing
  }

  private mutating func next() -> Arrival? {
    guard incoming.count >= WorkerFrame.headerSize else { return nil }
    let bytes = incoming
    guard let header = WorkerFrame.parse(header: bytes.span) else { return .garbage }
    let end = WorkerFrame.headerSize + header.length
    guard incoming.count >= end else { return nil }
    let frame = WorkerFrame(header.kind, Array(incoming[WorkerFrame.headerSize..<end]))
    incoming.removeSubrange(..<end)
    return .frame(frame)
  }
}
