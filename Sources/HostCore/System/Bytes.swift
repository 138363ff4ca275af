import Glibc

extension [UInt8] {
  /// Appends the bytes of two spans, and grows the array at most once.
  @inline(__always) mutating func append(_ first: Span<UInt8>, _ second: Span<UInt8>) {
    append(addingCapacity: first.count + second.count) { (output: inout OutputSpan<UInt8>) in
      output.append(first, second)
    }
  }

  /// Appends the bytes of two spans and of a text in the code, and grows the array at most once.
  @inline(__always) mutating func append(
    _ first: Span<UInt8>, _ second: Span<UInt8>, _ end: StaticString
  ) {
    let added = first.count + second.count + end.utf8CodeUnitCount
    append(addingCapacity: added) { (output: inout OutputSpan<UInt8>) in
      output.append(first, second)
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let base = buffer.baseAddress else { return }
        unsafe memcpy(base + initialized, end.utf8Start, end.utf8CodeUnitCount)
        initialized += end.utf8CodeUnitCount
      }
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the bytes of two spans, for which there must be room.
  @inline(__always) fileprivate mutating func append(_ first: Span<UInt8>, _ second: Span<UInt8>) {
    unsafe withUnsafeMutableBufferPointer { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      unsafe first.copy(to: base + initialized)
      initialized += first.count
      unsafe second.copy(to: base + initialized)
      initialized += second.count
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
