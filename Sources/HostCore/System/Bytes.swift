import Glibc

extension [UInt8] {
  /// Appends the bytes of a span; one copy, no intermediate array.
  package mutating func append(_ span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of two spans, looking for room once.
  mutating func append(_ first: Span<UInt8>, _ second: Span<UInt8>) {
    append(addingCapacity: first.count + second.count) { (output: inout OutputSpan<UInt8>) in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let base = buffer.baseAddress else { return }
        unsafe first.copy(to: base + initialized)
        initialized += first.count
        unsafe second.copy(to: base + initialized)
        initialized += second.count
      }
    }
  }
}

extension Span<UInt8> {
  /// Copies the bytes to memory that has room for them.
  fileprivate func copy(to target: UnsafeMutablePointer<UInt8>) {
    unsafe withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe memcpy(target, start, source.count)
    }
  }

  /// True if both spans hold the same bytes.
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in
        guard let first = mine.baseAddress, let second = theirs.baseAddress else { return true }
        return unsafe memcmp(first, second, mine.count) == 0
      }
    }
  }

  /// The index of the first `byte` at or after `start`, or nil.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    return unsafe withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}

extension String {
  /// The text of UTF-8 bytes, with U+FFFD in place of what isn't UTF-8.
  package init(repairing bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
