/// One form of a secret, and what replaces it where it is found.
struct SecretPattern: Sendable {
  let bytes: [UInt8]
  let replacement: [UInt8]
  /// The part of longer base64 text that the bytes are; nil if they are the whole secret.
  var part: SecretForms.EncodedPart?

  /// The range to replace where the bytes were found.
  ///
  /// In longer base64 text, the characters after the secret are replaced too. They depend on the
  /// secret's length, so they would reveal it, and would differ in a replay.
  ///
  /// - Parameter first: where the text begins.
  func extent(
    of found: Range<Int>, in text: Span<UInt8>, from first: Int
  ) -> Range<Int> {
    guard let part else { return found }
    var (start, end) = (found.lowerBound, found.upperBound)
    if part.sharesFirst {
      start =
        EscapedText.start(of: SecretForms.isBase64, in: text, endingAt: start, from: first)
        ?? start
    }
    func skip(_ isWanted: (UInt8) -> Bool) {
      while let next = EscapedText.end(of: isWanted, in: text, at: end) { end = next }
    }
    skip(SecretForms.isBase64)
    skip { $0 == UInt8(ascii: "=") }
    return start..<end
  }
}
