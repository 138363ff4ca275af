/// The percent-encoding of RFC 3986, for the parts that a URL is put together from.
public enum PercentEncoding {
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the text's UTF-8 with every byte but the unreserved ones (letters, digits and `-._~`)
  /// as `%XX`, so that it fits any part of a URL. No two texts have one encoding.
  public static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 0xF)])
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
