/// Base64 with padding (RFC 4648, section 4), without Foundation.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The value of each byte as a digit; 0xFF for what is none.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
    return digits
  }()

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
      }
      for place in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * place) & 0x3F)
        text.append(place <= count ? alphabet[digit] : padding)
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil if the text is not canonical base64: wrong length, a foreign character, stray bits.
  static func decode(_ text: String) -> [UInt8]? {
    var digitsLeft = Array(text.utf8)
    guard digitsLeft.count.isMultiple(of: 4) else { return nil }
    var padded = 0
    while padded < 2, digitsLeft.last == padding {
      digitsLeft.removeLast()
      padded += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digitsLeft.count * 3 / 4)
    var group: UInt32 = 0
    var bits = 0
    for character in digitsLeft {
      let digit = digits[Int(character)]
      guard digit != 0xFF else { return nil }
      group = group << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    guard group & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
    return bytes
  }
}
