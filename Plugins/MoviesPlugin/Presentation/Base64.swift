/// The base64 of RFC 4648, section 4, with padding.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { bits, place in
        bits << 8 | (place < group.count ? Int(group[start + place]) : 0)
      }
      for place in 0..<4 {
        let digit = alphabet[bits >> (18 - 6 * place) & 0x3F]
        encoded.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
