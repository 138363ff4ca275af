// Moves quickly over what is known to be canonical JSON. In other bytes these functions find wrong
// ends, but they never read outside.
extension JSONScanner {
  /// Moves past the value that starts at `offset`.
  @inline(__always)
  static func skipCanonicalValue(in bytes: Span<UInt8>, at offset: inout Int) {
    if bytes[offset] | 0x20 == 0x7B {
      skipCanonicalContainer(in: bytes, at: &offset)
    } else {
      skipCanonicalScalar(in: bytes, at: &offset)
    }
  }

  @inline(__always)
  static func skipCanonicalScalar(in bytes: Span<UInt8>, at offset: inout Int) {
    if bytes[offset] == 0x22 { return skipCanonicalString(in: bytes, at: &offset) }
    offset &+= 1
    while offset < bytes.count, bytes[offset] != 0x2C, bytes[offset] | 0x20 != 0x7D { offset &+= 1 }
  }

  /// Moves past an integer. Returns false, and doesn't move, for other numbers.
  @inline(__always)
  static func skipCanonicalInteger(in bytes: Span<UInt8>, at offset: inout Int) -> Bool {
    var end = offset &+ 1
    while end < bytes.count, 0x30...0x39 ~= bytes[end] { end &+= 1 }
    // Of what may follow, only these belong to the number.
    if end < bytes.count, bytes[end] == 0x2E || bytes[end] == 0x65 { return false }
    offset = end
    return true
  }

  static func skipCanonicalString(in bytes: Span<UInt8>, at offset: inout Int) {
    offset = endOfUnescaped(in: bytes, from: offset + 1)
    while offset < bytes.count, bytes[offset] != 0x22 {
      offset += bytes[offset] == 0x5C ? 2 : 1
      offset = endOfUnescaped(in: bytes, from: offset)
    }
    offset += 1
  }

  private static func skipCanonicalContainer(in bytes: Span<UInt8>, at offset: inout Int) {
    var depth = 0
    repeat {
      switch bytes[offset] {
      case 0x22: skipCanonicalString(in: bytes, at: &offset)
      case 0x5B, 0x7B:
        depth += 1
        offset += 1
      case 0x5D, 0x7D:
        depth -= 1
        offset += 1
      default: offset += 1
      }
    } while depth > 0 && offset < bytes.count
  }

  /// The 8 bytes at `offset`, the first in the lowest bits; nil where there are fewer.
  @inline(__always)
  static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64? {
    guard offset >= 0, offset &+ 8 <= bytes.count else { return nil }
    return unsafe UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}
