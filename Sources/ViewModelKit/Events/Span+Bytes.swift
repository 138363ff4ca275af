// The bridges between spans and the standard library's owning types, which have no safe form yet.

extension [UInt8] {
  init(_ bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let bytes = span
    for index in 0..<other.count where bytes[index] != other[index] { return false }
    return true
  }
}

extension String {
  init(_ utf8: Span<UInt8>) {
    self = unsafe utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
