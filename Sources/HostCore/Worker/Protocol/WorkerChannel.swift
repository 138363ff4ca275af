/// Sends and receives whole messages over a socket, on either side.
package struct WorkerChannel {
  /// The socket, which somebody else owns.
  let number: Int32
  private var incoming: [UInt8] = []

  /// The bytes read at a time. Memory is never reserved for the length that a message announces.
  private static let readSize = 1 << 16

  init(number: Int32) { self.number = number }

  /// Sends a message, and waits until the socket has taken it.
  func send(_ message: WorkerMessage) throws(SystemError) {
    try Descriptor.send(number, message.bytes.span)
  }

  package enum Arrival: Equatable {
    case message(WorkerMessage)
    case nothing
    case end
    /// The bytes are not a message.
    case garbage
  }

  /// Waits until bytes have arrived.
  ///
  /// A blocking read would also wait, but it would wake up one more time for each answer: a socket
  /// also wakes a sleeping reader when the other side has read what was sent.
  ///
  /// This allocates no memory. Whether a worker has to wait depends on time, and the addresses of a
  /// plugin's objects must not.
  func wait() throws(SystemError) {
    guard incoming.isEmpty else { return }
    try Descriptor.waitToRead(number)
  }

  /// Reads what has arrived, and returns the next message once it is complete.
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

  /// Whether unexpected bytes have arrived. A closed connection doesn't count.
  mutating func hasStrayBytes() throws(SystemError) -> Bool {
    if incoming.isEmpty { _ = try Descriptor.read(number, limit: 1, into: &incoming) }
    return !incoming.isEmpty
  }

  /// Removes the first message from untrusted bytes. Returns nil if it isn't complete yet.
  package static func next(from bytes: inout [UInt8], limit: Int) -> Arrival? {
    guard bytes.count >= WorkerMessage.headerSize else { return nil }
    let present = bytes
    guard let header = WorkerMessage.parse(header: present.span, limit: limit) else {
      return .garbage
    }
    let end = WorkerMessage.headerSize + header.length
    guard present.count >= end else { return nil }
    let message = WorkerMessage(header.kind, Array(present[WorkerMessage.headerSize..<end]))
    bytes = Array(present[end...])
    return .message(message)
  }
}
