// The bridges between spans and the standard library's owning types, which have no safe form yet.

extension [UInt8] {
  init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { buffer in unsafe Array(buffer) }
  }

  mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { buffer in unsafe append(contentsOf: buffer) }
  }
}

extension String {
  /// The text of bytes that are known to be valid UTF-8.
  init(utf8 bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe String(decoding: buffer, as: UTF8.self)
    }
  }
}

extension String {
  /// The text of a canonical string's content.
  init(jsonContent content: Span<UInt8>) {
    let plainEnd = JSONScanner.endOfUnescaped(in: content, from: 0)
    // The content is valid, hence its escapes are, too.
    if plainEnd < content.count, let text = try? CanonicalJSON.unescapedBytes(content) {
      self.init(utf8: text.span)
    } else {
      self.init(utf8: content)
    }
  }
}

extension Span<UInt8> {
  /// Whether two spans of the same count hold the same bytes.
  @inline(__always)
  func hasSameBytes(as other: Span<UInt8>) -> Bool {
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
