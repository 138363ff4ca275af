import Basics

/// A message between the host and a worker: a kind and a payload.
///
/// On the wire, it is the length of the payload (4 bytes, little-endian), the kind (1 byte) and the
/// payload. `Documentation/WorkerProtocol.md` describes the payload of each kind.
package struct WorkerMessage: Equatable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    // Host to worker.
    case load = 1
    case create = 2
    case deliver = 3
    case destroy = 4
    /// One event that doesn't fit in the shared buffer.
    case deliverOne = 5
    /// Transcripts for the worker to play itself.
    case play = 6
    /// The question which instances live on.
    case leaks = 7
    /// How the worker is to confine itself. Nothing comes before it.
    case confine = 8

    // Worker to host.
    case ready = 64
    case loaded = 65
    case refused = 66
    case done = 68
    case played = 69
    case leaked = 70
  }

  /// The version of the protocol. Both sides must be of the same build, and it detects a mix-up.
  package static let version: UInt32 = 8
  package static let headerSize = 5
  /// The longest payload. The largest event fits.
  package static let maxPayload = 1 << 31

  package var kind: Kind
  package var payload: [UInt8]

  package init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  /// The header of a message with a payload of `count` bytes.
  static func header(_ kind: Kind, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(UInt32(count), to: &bytes)
    bytes.append(kind.rawValue)
    return bytes
  }

  /// The whole message as bytes.
  var bytes: [UInt8] { Self.header(kind, count: payload.count) + payload }

  /// Parses the kind and the payload length from a header. Returns nil if they are invalid.
  ///
  /// - Parameter limit: the longest valid payload.
  package static func parse(
    header: Span<UInt8>, limit: Int = maxPayload
  ) -> (kind: Kind, length: Int)? {
    var reader = ByteReader()
    guard let length: UInt32 = reader.read(header), length <= limit,
      let code: UInt8 = reader.read(header), let kind = Kind(rawValue: code)
    else { return nil }
    return (kind, Int(length))
  }
}

/// The end of an exchange, as a worker reports it in a `done` message.
package struct ExchangeEnd: Equatable {
  /// The number of the exchange.
  package let number: UInt32
  /// The first step that the worker has not made.
  package let next: Int
  /// The ranges in the payload of the events that didn't fit in the shared buffer: their records,
  /// then their bytes.
  package let records: Range<Int>
  package let content: Range<Int>

  /// Parses the payload of a `done` message. Returns nil if it is invalid.
  package init?(_ payload: Span<UInt8>) {
    var reader = ByteReader()
    guard let number: UInt32 = reader.read(payload), let next: UInt32 = reader.read(payload),
      let count: UInt32 = reader.read(payload)
    else { return nil }
    let size = Int(count) * EventBatch.Record.size
    guard size <= payload.count - reader.offset else { return nil }
    self.number = number
    self.next = Int(next)
    records = reader.offset..<reader.offset + size
    content = records.upperBound..<payload.count
  }

  /// The longest payload that a plugin within its limits can cause.
  static func maxPayload(_ limits: StepLimits) -> Int {
    let events = min(max(limits.events, 0), WorkerMessage.maxPayload)
    let bytes = min(max(limits.bytes, 0), WorkerMessage.maxPayload)
    return min(
      12 + (events + 1) * EventBatch.Record.size + bytes + EmissionValidator.maxMessage,
      WorkerMessage.maxPayload)
  }
}

/// Writes little-endian numbers, and runs of bytes with their length before them.
enum ByteWriter {
  static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  static func append(_ use: StepUse, to bytes: inout [UInt8]) {
    append(UInt64(use.events), to: &bytes)
    append(UInt64(use.bytes), to: &bytes)
    append(use.time, to: &bytes)
  }

  static func append(run: Span<UInt8>, to bytes: inout [UInt8]) {
    append(UInt32(run.count), to: &bytes)
    bytes.append(run)
  }

  static func append(text: String, to bytes: inout [UInt8]) {
    append(run: Array(text.utf8).span, to: &bytes)
  }
}

/// Reads what `ByteWriter` wrote, from untrusted bytes.
struct ByteReader {
  private(set) var offset = 0

  init(at offset: Int = 0) { self.offset = offset }

  /// Reads the next number. Returns nil if there aren't enough bytes.
  mutating func read<Number: FixedWidthInteger>(_ bytes: Span<UInt8>) -> Number? {
    let size = Number.bitWidth / 8
    guard bytes.count - offset >= size else { return nil }
    var value: Number = 0
    for index in 0..<size {
      value |= Number(truncatingIfNeeded: bytes[offset + index]) << Number(index * 8)
    }
    offset += size
    return value
  }

  /// Reads what a step has used up. Returns nil if it is cut short.
  mutating func readUse(_ bytes: Span<UInt8>) -> StepUse? {
    var use = StepUse()
    guard let events: UInt64 = read(bytes), let size: UInt64 = read(bytes),
      let time: Int64 = read(bytes)
    else { return nil }
    use.events = Int(clamping: events)
    use.bytes = Int(clamping: size)
    use.time = time
    return use
  }

  /// Reads the range of the next run of bytes. Returns nil if it is cut short or longer than
  /// `limit`.
  mutating func readRun(_ bytes: Span<UInt8>, limit: Int) -> Range<Int>? {
    guard let count: UInt32 = read(bytes), Int(count) <= limit, bytes.count - offset >= Int(count)
    else { return nil }
    defer { offset += Int(count) }
    return offset..<offset + Int(count)
  }

  /// Reads the next text, and repairs invalid UTF-8. Returns nil if it is cut short or longer than
  /// `limit`.
  mutating func readText(_ bytes: Span<UInt8>, limit: Int) -> String? {
    readRun(bytes, limit: limit).map { String(repairing: bytes.extracting($0)) }
  }

  func isAtEnd(of bytes: Span<UInt8>) -> Bool { offset == bytes.count }
}
