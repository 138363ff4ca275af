import Glibc

// Conversion of batches to and from memory that another process also sees.

extension EventBatch.Record {
  /// The size of a record in bytes, in memory and between processes.
  static let size = MemoryLayout<Self>.stride
}

extension EventBatch {
  /// Appends records and bytes without checking them.
  mutating func append(
    uncheckedRecords source: UnsafeRawBufferPointer, bytes content: UnsafeRawBufferPointer
  ) {
    let count = source.count / Record.size
    records.append(addingCapacity: count) { (output: inout OutputSpan<Record>) in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let start = source.baseAddress, let base = buffer.baseAddress else { return }
        unsafe memcpy(base + initialized, start, count * Record.size)
        initialized += count
      }
    }
    unsafe bytes.append(contentsOf: content)
  }

  /// Adjusts the offsets of records whose bytes have moved by `count`.
  mutating func moveBytes(by count: Int, from first: Int) {
    update(from: first) { $0.nameStart &+= count }
  }

  /// Passes some records, and the bytes of just these, to `body`.
  func withMemory<Result, Failure: Error>(
    of range: Range<Int>,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = range.isEmpty ? 0 : records[range.lowerBound].nameStart
    let end = range.isEmpty ? 0 : records[range.upperBound - 1].value.upperBound
    // These are spans, because arrays don't support typed throws here.
    let (records, bytes) = (records.span, bytes.span)
    return try unsafe records.withUnsafeBytes { records throws(Failure) in
      try unsafe bytes.withUnsafeBytes { bytes throws(Failure) in
        try unsafe body(
          UnsafeRawBufferPointer(
            rebasing: records[range.lowerBound * Record.size..<range.upperBound * Record.size]),
          UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
    }
  }
}
