public import Glibc

// Bridges between spans and the standard library's owning types. No safe ones exist yet.

extension [UInt8] {
  /// A copy of the bytes of a span.
  @inlinable package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends the bytes of a span with one copy and no intermediate array.
  @inlinable package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 bytes of a text in the code, without allocating memory.
  @inlinable package mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the bytes of a span between others, more quickly than one after the other.
  @inlinable package mutating func append(
    _ bytes: Span<UInt8>, before: UInt8, after: UInt8, then last: UInt8? = nil
  ) {
    let added = bytes.count + 3
    unsafe bytes.withUnsafeBufferPointer { bytes in
      append(addingCapacity: added) { output in
        output.append(before)
        unsafe output.withUnsafeMutableBufferPointer { room, count in
          _ = unsafe room[count...].update(fromContentsOf: bytes)
          count += bytes.count
        }
        output.append(after)
        if let last { output.append(last) }
      }
    }
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
  /// Decodes UTF-8 bytes. U+FFFD replaces bytes that aren't UTF-8.
  @inlinable package init(repairing bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
