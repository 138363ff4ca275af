import Basics

/// One message between the host and a worker: a kind and a run of bytes.
///
/// On the wire: the length of the payload (4 bytes, little-endian), the kind (1 byte), the payload.
/// `Documentation/WorkerProtocol.md` has what each kind carries.
package struct WorkerMessage: Equatable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    // Host to worker.
    case load = 1
    case create = 2
    case deliver = 3
    case destroy = 4
    /// One event that the window has no room for.
    case deliverOne = 5
    /// A transcript, to be played by the worker itself.
    case play = 6

    // Worker to host.
    case ready = 64
    case loaded = 65
    case refused = 66
    case done = 68
    case played = 69
  }

  /// Both sides must be of one build; the number is there so that a mix-up says so.
  static let version: UInt32 = 2
  package static let headerSize = 5
  /// More than this in one frame is a lie: the largest event fits.
  package static let maxPayload = 1 << 29

  package var kind: Kind
  package var payload: [UInt8]

  package init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  /// The header of a frame, whose payload follows it.
  static func header(_ kind: Kind, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(UInt32(count), to: &bytes)
    bytes.append(kind.rawValue)
    return bytes
  }

  /// The whole frame.
  var bytes: [UInt8] { Self.header(kind, count: payload.count) + payload }

  /// The kind and payload length that a header announces, or nil if no frame can begin so.
  ///
  /// - Parameter limit: a longer payload is a lie.
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

/// What a worker says when it has done what a frame asked for.
package struct ExchangeEnd: Equatable {
  /// The number of the exchange.
  package let number: UInt32
  /// The first step that was not made.
  package let next: Int
  /// Where in the payload the events lie that the window had no room for: records, then bytes.
  package let records: Range<Int>
  package let content: Range<Int>

  /// Reads the payload of a `done`; nil if it can't be one.
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

  /// How long a payload can be, of a plugin that keeps within its limits.
  static func maxPayload(_ limits: StepLimits) -> Int {
    let events = min(max(limits.events, 0), WorkerMessage.maxPayload)
    let bytes = min(max(limits.bytes, 0), WorkerMessage.maxPayload)
    return min(
      12 + (events + 1) * EventBatch.Record.size + bytes + EmissionValidator.maxWords,
      WorkerMessage.maxPayload)
  }
}

/// Writes numbers and runs of bytes, little-endian, runs with their length before them.
enum ByteWriter {
  static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  static func append(run: Span<UInt8>, to bytes: inout [UInt8]) {
    append(UInt32(run.count), to: &bytes)
    bytes.append(run)
  }

  static func append(text: String, to bytes: inout [UInt8]) {
    append(run: Array(text.utf8).span, to: &bytes)
  }
}

/// Reads what `ByteWriter` wrote, from bytes that may be anything.
struct ByteReader {
  private(set) var offset = 0

  init(at offset: Int = 0) { self.offset = offset }

  /// The next number, or nil if there aren't enough bytes for it.
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

  /// The place of the next run of bytes, or nil if it is cut short or longer than `limit`.
  mutating func readRun(_ bytes: Span<UInt8>, limit: Int) -> Range<Int>? {
    guard let count: UInt32 = read(bytes), Int(count) <= limit, bytes.count - offset >= Int(count)
    else { return nil }
    defer { offset += Int(count) }
    return offset..<offset + Int(count)
  }

  /// The next text, or nil; what isn't UTF-8 is repaired.
  mutating func readText(_ bytes: Span<UInt8>, limit: Int) -> String? {
    readRun(bytes, limit: limit).map { String(repairing: bytes.extracting($0)) }
  }

  func isAtEnd(of bytes: Span<UInt8>) -> Bool { offset == bytes.count }
}
