/// Base64 (RFC 4648), without Foundation.
package enum Base64 {
  /// The characters of the 64 digits.
  package struct Alphabet: Sendable {
    let characters: [UInt8]

    /// The alphabet of section 4, with `+` and `/`.
    package static let standard = Alphabet(lastTwo: "+/")
    /// The alphabet of section 5 for URLs and file names, with `-` and `_`.
    package static let urlSafe = Alphabet(lastTwo: "-_")

    private init(lastTwo: String) {
      characters = Array(
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
    }

    package func contains(_ character: UInt8) -> Bool { characters.contains(character) }
  }

  private static let padding = UInt8(ascii: "=")

  /// The value of each byte as a digit of the standard alphabet, or 0xFF if it is none.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in Alphabet.standard.characters.enumerated() {
      digits[Int(character)] = UInt8(value)
    }
    return digits
  }()

  /// Encodes bytes in the standard alphabet, with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: characters(of: bytes, .standard, padded: true), as: UTF8.self)
  }

  /// The characters that encode the bytes. Unused bits of the last one are zeros.
  package static func characters(
    of bytes: [UInt8], _ alphabet: Alphabet, padded: Bool
  ) -> [UInt8] {
    let alphabet = alphabet.characters
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(group >> bits & 0x3F)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(group << (6 - bits) & 0x3F)]) }
    while padded, !text.count.isMultiple(of: 4) { text.append(padding) }
    return text
  }

  /// Decodes text in the standard alphabet. Returns nil for text that `encode` doesn't write: text
  /// of a wrong length, with a foreign character, or with stray bits.
  package static func decode(_ text: String) -> [UInt8]? {
    var characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    var padded = 0
    while padded < 2, characters.last == padding {
      characters.removeLast()
      padded += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for character in characters {
      let digit = digits[Int(character)]
      guard digit != 0xFF else { return nil }
      group = group << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      }
    }
    guard group & ((1 << bits) - 1) == 0 else { return nil }
    return bytes
  }
}
