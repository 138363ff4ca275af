/// One message between the host and a worker: a kind and a run of bytes.
///
/// On the wire: the length of the payload (4 bytes, little-endian), the kind (1 byte), the payload.
/// `Documentation/WorkerProtocol.md` has what each kind carries.
struct WorkerFrame: Equatable {
  enum Kind: UInt8, CaseIterable {
    // Host to worker.
    case load = 1
    case create = 2
    case deliver = 3
    case destroy = 4
    case drained = 5

    // Worker to host.
    case ready = 64
    case loaded = 65
    case refused = 66
    case window = 67
    case done = 68

    var isFromWorker: Bool { rawValue >= 64 }
  }

  /// Both sides must be of one build; the number is there so that a mix-up says so.
  static let version: UInt32 = 1
  static let headerSize = 5
  /// More than this in one frame is a lie: the largest event fits.
  static let largestPayload = 1 << 29

  var kind: Kind
  var payload: [UInt8]

  init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  var header: [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(UInt32(payload.count), to: &bytes)
    bytes.append(kind.rawValue)
    return bytes
  }

  /// The kind and payload length that a header announces, or nil if no frame can begin so.
  static func parse(header: Span<UInt8>) -> (kind: Kind, length: Int)? {
    var reader = ByteReader()
    guard let length: UInt32 = reader.read(header), length <= largestPayload,
      let code: UInt8 = reader.read(header), let kind = Kind(rawValue: code)
    else { return nil }
    return (kind, Int(length))
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
