/// What counts as an email address, in every form that asks for one.
enum EmailAddress {
  /// Returns whether the text is dot-separated atoms, `@`, and at least two dot-separated labels.
  /// The whole text counts: one blank around it makes it invalid.
  static func isValid(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    let atoms = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return atoms.allSatisfy(isAtom) && labels.count >= 2 && labels.allSatisfy(isLabel)
  }

  private static let atomSigns = Array("!#$%&'*+/=?^_`{|}~-".utf8)

  private static func isAtom(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isLowerCaseOrDigit(byte) || atomSigns.contains(byte)
        }
      }
  }

  /// A label may have hyphens inside, and is spelt in lower case.
  private static func isLabel(_ text: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return !text.isEmpty && text.first != hyphen && text.last != hyphen
      && text.allSatisfy { isLowerCaseOrDigit($0) || $0 == hyphen }
  }

  private static func isLowerCaseOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
