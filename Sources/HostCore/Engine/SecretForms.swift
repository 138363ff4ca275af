import Basics

/// The forms in which a secret may turn up in text.
enum SecretForms {
  /// Shorter pieces of base64 would match text that holds no secret.
  private static let minBase64 = 6

  /// The forms, each of whose bytes may also be percent-encoded or escaped.
  static func all(of secret: String) -> Set<[UInt8]> {
    let bytes = Array(secret.utf8)
    return Set([bytes] + lines(of: bytes) + base64(bytes))
  }

  /// The lines of a secret that has several, such as a key in PEM. What a plugin prints is split at
  /// line breaks. A line that is shorter than any secret would be found in ordinary text.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .filter { $0.count >= Secrets.minBytes }.map(Array.init)
  }

  /// A secret inside a longer text that is base64-encoded as a whole.
  struct EncodedPart: Hashable {
    /// The characters that don't depend on the text around the secret.
    let bytes: [UInt8]
    /// Whether the character before `bytes` mixes bits of the secret with bits of earlier text.
    let sharesFirst: Bool
  }

  private static let alphabets = [Base64.Alphabet.standard, .urlSafe]

  static func isBase64(_ byte: UInt8) -> Bool { alphabets.contains { $0.contains(byte) } }

  /// The secret encoded alone, if padding shows its end. Without padding it could as well be the
  /// beginning of a longer text, which `encodedParts` finds.
  private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
    guard bytes.count % 3 > 0 else { return [] }
    return alphabets.map { Base64.characters(of: bytes, $0, padded: true) }
      .filter { $0.count >= minBase64 }
  }

  /// The secret in longer text, at each of the three alignments, in the ordinary and the URL-safe
  /// alphabet.
  static func encodedParts(of secret: String) -> Set<EncodedPart> {
    let bytes = Array(secret.utf8)
    var parts: Set<EncodedPart> = []
    for alphabet in alphabets {
      parts.insert(EncodedPart(bytes: characters(of: bytes, alphabet), sharesFirst: false))
      for shift in 0..<3 {
        let shifted = characters(of: [UInt8](repeating: 0, count: shift) + bytes, alphabet)
        // Characters that mix in bits of a neighbour differ from text to text.
        let before = shift == 0 ? 0 : shift + 1
        let end = (shift + bytes.count) * 8 / 6
        guard end > before else { continue }
        parts.insert(EncodedPart(bytes: Array(shifted[before..<end]), sharesFirst: shift > 0))
      }
    }
    return parts.filter { $0.bytes.count >= minBase64 }
  }

  private static func characters(of bytes: [UInt8], _ alphabet: Base64.Alphabet) -> [UInt8] {
    Base64.characters(of: bytes, alphabet, padded: false)
  }
}
