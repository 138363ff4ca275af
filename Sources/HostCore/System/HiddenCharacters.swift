extension Unicode.Scalar {
  /// Whether it is shown as nothing, or changes how the text around it is shown.
  ///
  /// These are the controls, the format characters with those that set the direction of text, the
  /// separators of lines and paragraphs, and all that a font may ignore, as Unicode has them.
  package var isHidden: Bool {
    if isASCII { return value < 0x20 || value == 0x7f }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it is an emoji, or becomes one before a selector.
  fileprivate var isEmoji: Bool { !isASCII && properties.isEmoji }
}

/// Tells the hidden characters that make an emoji of their neighbours from others.
///
/// U+200D stays between two emoji. U+FE0E and U+FE0F stay after an emoji, and between a digit, `#`
/// or `*` and the keycap U+20E3. All others hide something, tags after a flag included.
struct EmojiContext {
  /// A hidden character, and whether it is a part of an emoji.
  struct Joiner {
    let scalar: Unicode.Scalar
    let isPart: Bool
  }

  /// The character before, without its selector.
  private var base: Unicode.Scalar?
  private var hasSelector = false
  private var waiting: Unicode.Scalar?

  init(after base: Unicode.Scalar?) { self.base = base }

  /// Whether the answer depends on the next character. Then `takeJoiner` gives it.
  mutating func mayKeep(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200d}", "\u{fe0e}", "\u{fe0f}":
      waiting = scalar
      return true
    default:
      (base, hasSelector) = (scalar, false)
      return false
    }
  }

  /// The character that waits for the next one; nil if none does.
  mutating func takeJoiner(before next: Unicode.Scalar?) -> Joiner? {
    guard let scalar = waiting else { return nil }
    waiting = nil
    let isPart =
      if scalar == "\u{200d}" {
        base?.isEmoji == true && next?.isEmoji == true
      } else {
        !hasSelector
          && (base?.isEmoji == true || base?.properties.isEmoji == true && next == "\u{20e3}")
      }
    if scalar != "\u{200d}", isPart { hasSelector = true } else { base = isPart ? base : nil }
    return Joiner(scalar: scalar, isPart: isPart)
  }
}
