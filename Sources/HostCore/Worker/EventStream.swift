/// Events as bytes between the host and a worker.
///
/// Each event: kind, instance, port, step (4 bytes each), id, time (8 bytes each), the lengths of
/// name and value (4 bytes each), the name, the value.
enum EventStream {
  static let headerSize = 40
  private static let longestName = 1 << 16

  static func append(
    _ record: EventBatch.Record, of batch: borrowing EventBatch, to bytes: inout [UInt8]
  ) {
    bytes.append(addingCapacity: headerSize) { (output: inout OutputSpan<UInt8>) in
      func put(_ value: UInt64, _ size: Int) {
        var rest = value
        for _ in 0..<size {
          output.append(UInt8(truncatingIfNeeded: rest))
          rest >>= 8
        }
      }
      put(UInt64(record.kind.rawValue), 4)
      put(UInt64(UInt32(bitPattern: record.instance)), 4)
      put(UInt64(UInt32(bitPattern: record.port)), 4)
      put(UInt64(UInt32(bitPattern: record.step)), 4)
      put(record.id, 8)
      put(UInt64(bitPattern: record.time), 8)
      put(UInt64(record.name.count), 4)
      put(UInt64(record.value.count), 4)
    }
    let content = batch.bytes
    bytes.append(content.span.extracting(record.name.lowerBound..<record.value.upperBound))
  }

  /// Reads whole events from the start of `bytes`.
  ///
  /// - Parameters:
  ///   - isAllowed: which kinds this side takes.
  ///   - longestValue: a longer value is a lie.
  /// - Returns: how many bytes were read; what is left is the beginning of an event. Nil if the
  ///   bytes are not events.
  static func read(
    _ bytes: Span<UInt8>, into batch: inout EventBatch, longestValue: Int,
    isAllowed: (EventKind) -> Bool
  ) -> Int? {
    var start = 0
    while bytes.count - start >= headerSize {
      var reader = ByteReader(at: start)
      guard let code: UInt32 = reader.read(bytes), let instance: Int32 = reader.read(bytes),
        let port: Int32 = reader.read(bytes), let step: Int32 = reader.read(bytes),
        let id: UInt64 = reader.read(bytes), let time: Int64 = reader.read(bytes),
        let nameCount: UInt32 = reader.read(bytes), let valueCount: UInt32 = reader.read(bytes)
      else { return nil }
      guard let kind = EventKind(rawValue: code), isAllowed(kind), nameCount <= longestName,
        valueCount <= longestValue, step >= 0
      else { return nil }
      let name = reader.offset..<reader.offset + Int(nameCount)
      let value = name.upperBound..<name.upperBound + Int(valueCount)
      guard value.upperBound <= bytes.count else { break }
      var record = EventBatch.Record(kind: kind, instance: instance, id: id, time: time)
      record.port = port
      record.step = step
      batch.append(record, name: bytes.extracting(name), value: bytes.extracting(value))
      start = value.upperBound
    }
    return start
  }
}
