public import Glibc

// The bridges between spans and the standard library's owning types, which have no safe form yet.

extension [UInt8] {
  /// A copy of the bytes of a span.
  @inlinable package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends the bytes of a span; one copy, no intermediate array.
  @inlinable package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Whether these are the bytes of a span.
  @inlinable package func equals(_ other: Span<UInt8>) -> Bool { span.equals(other) }
}

extension Span<UInt8> {
  /// Whether both spans hold the same bytes.
  @inlinable package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in
        guard let first = mine.baseAddress, let second = theirs.baseAddress else { return true }
        return unsafe memcmp(first, second, mine.count) == 0
      }
    }
  }
}

extension String {
  /// The text of UTF-8 bytes, with U+FFFD in place of what isn't UTF-8.
  @inlinable package init(repairing bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
