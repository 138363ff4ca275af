import HostCore

/// The number of terminal columns that text occupies.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character as `shown(_:)` shows it: 0 for a lone combining mark, 2 for
  /// East Asian wide characters and emoji.
  static func of(_ character: Character) -> Int {
    if let byte = character.asciiValue, byte >= 0x20, byte != 0x7F, byte != 0x0A { return 1 }
    let shown = shown(character)
    let scalars = shown.unicodeScalars
    guard shown == String(character) else { return scalars.reduce(0) { $0 + of($1) } }
    // A sequence that makes one emoji is as wide as one.
    let isEmoji = scalars.contains {
      ($0.properties.isEmojiPresentation && !isRegionalIndicator($0))
        || ($0 == emojiSelector && scalars.first?.properties.isEmoji == true)
    }
    return isEmoji ? 2 : scalars.reduce(0) { $0 + of($1) }
  }

  /// The text that is shown for a character: the character itself, or what stands for one that
  /// would move the cursor or not be seen.
  static func shown(_ character: Character) -> String {
    if character == "\r\n" { return "^M^J" }
    guard let byte = character.asciiValue, byte < 0x20 || byte == 0x7f else {
      return String(character).terminalSafe
    }
    return "^" + String(Character(Unicode.Scalar(byte ^ 0x40)))
  }

  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return 0
    default: break
    }
    // Vowels and final consonants of Hangul join the syllable before them.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    return isWide(scalar.value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wideRanges.contains { $0.contains(value) }
  }

  /// East Asian Width W and F (Unicode Standard Annex 11), without emoji. Ranges include gaps
  /// without assigned characters.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
