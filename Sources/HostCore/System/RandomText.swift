import HostShims

/// Texts that nobody can guess.
package enum RandomText {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Random bytes of the system as hexadecimal digits, which need no escape in an address.
  package static func hexadecimal(byteCount: Int) throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    guard unsafe host_random(&bytes, byteCount) == 0 else { throw .last("getrandom") }
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
