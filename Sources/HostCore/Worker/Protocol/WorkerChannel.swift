/// Whole frames over a socket, for either side.
package struct WorkerChannel {
  /// The socket, which somebody else owns.
  let number: Int32
  private var incoming: [UInt8] = []

  /// Room is made for so much at a time, whatever a frame announces.
  private static let readSize = 1 << 16

  init(number: Int32) { self.number = number }

  /// Sends a frame, waiting until the other side has taken it.
  func send(_ frame: WorkerMessage) throws(SystemError) {
    try Descriptor.send(number, frame.bytes.span)
  }

  package enum Arrival: Equatable {
    case frame(WorkerMessage)
    case nothing
    case end
    /// The bytes are not a frame.
    case garbage
  }

  /// Waits until something has come.
  ///
  /// A read that blocks would do so too, but it is woken once more for each answer: a socket tells
  /// whoever sleeps on it that the other side has taken what it was sent.
  func wait() throws(SystemError) {
    guard incoming.isEmpty else { return }
    var interests = [Descriptor.Interest(number)]
    try Descriptor.wait(for: &interests, timeout: nil)
  }

  /// Takes in what has come, and gives the next frame once all of it is there.
  ///
  /// - Parameter limit: a longer payload is garbage.
  mutating func receive(
    limit: Int = WorkerMessage.maxPayload
  ) throws(SystemError) -> Arrival {
    if let arrival = Self.next(from: &incoming, limit: limit) { return arrival }
    guard let count = try Descriptor.read(number, limit: Self.readSize, into: &incoming) else {
      return .nothing
    }
    if count == 0 { return .end }
    return Self.next(from: &incoming, limit: limit) ?? .nothing
  }

  /// Whether something has come that nobody asked for. The end of the other side isn't meant.
  mutating func hasStrayBytes() throws(SystemError) -> Bool {
    if incoming.isEmpty { _ = try Descriptor.read(number, limit: 1, into: &incoming) }
    return !incoming.isEmpty
  }

  /// Takes the first frame off bytes that may be anything; nil if more has to come first.
  package static func next(from bytes: inout [UInt8], limit: Int) -> Arrival? {
    guard bytes.count >= WorkerMessage.headerSize else { return nil }
    let present = bytes
    guard let header = WorkerMessage.parse(header: present.span, limit: limit) else {
      return .garbage
    }
    let end = WorkerMessage.headerSize + header.length
    guard present.count >= end else { return nil }
    let frame = WorkerMessage(header.kind, Array(present[WorkerMessage.headerSize..<end]))
    bytes = Array(present[end...])
    return .frame(frame)
  }
}
