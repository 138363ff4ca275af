/// Text as a terminal, a log or a report shows it, without hidden characters.
///
/// Whoever writes text that isn't ours could hide parts of it, change the order in which it is
/// read, or steer the terminal.
package struct ShownText: Sendable {
  /// What stands for a hidden character.
  enum Form: Sendable {
    /// The escape of a JSON string, so that a value stays the same value.
    case jsonEscape
    /// U+FFFD; a byte of a path that isn't UTF-8 as `\xNN`.
    case replacement
  }

  /// Values, with text around them. JSON that is shown parses to the same value.
  package static let values = ShownText(form: .jsonEscape)
  /// Values and text with the colours of a terminal.
  package static let colouredValues = ShownText(form: .jsonEscape, keepsColours: true)
  /// Messages.
  package static let messages = ShownText(form: .replacement)
  /// Messages with the colours of a terminal.
  package static let colouredMessages = ShownText(form: .replacement, keepsColours: true)

  let form: Form
  /// Whether ESC sequences that set colours stay as they are.
  var keepsColours = false
  /// Whether tabs and line feeds stay as they are.
  var keepsLines = true
  /// Which characters are replaced besides the hidden ones; no printable ASCII is.
  var others: (@Sendable (Unicode.Scalar) -> Bool)?

  /// Replaces the hidden characters from `start` on.
  package func apply(to bytes: inout [UInt8], from start: Int = 0) {
    let first = endOfPlain(in: bytes.span, from: start)
    guard first < bytes.count else { return }
    var shown: [UInt8] = []
    var index = first
    while index < bytes.count {
      var end = keepsColours ? Self.end(ofColour: bytes[index...]) : index
      if end > index {
        shown += bytes[index..<end]
      } else {
        repeat { end += 1 } while end < bytes.count && !startsAfresh(bytes.span, at: end)
        append(bytes[index..<end], after: index > start ? bytes[index - 1] : nil, to: &shown)
      }
      index = endOfPlain(in: bytes.span, from: end)
      shown += bytes[end..<index]
    }
    bytes.replaceSubrange(first..., with: shown)
  }

  /// The index of the first byte that needs a closer look.
  private func endOfPlain(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if isPlainASCII(bytes[index]) {
        index &+= 1
        continue
      }
      let length = plainLength(in: bytes, at: index)
      if length == 0 { break }
      index &+= length
    }
    return index
  }

  /// Whether what is before `index` doesn't matter for what is shown from there on.
  private func startsAfresh(_ bytes: Span<UInt8>, at index: Int) -> Bool {
    bytes[index] == Self.escape || plainLength(in: bytes, at: index) > 0
  }

  /// The length of the character at `index` if it is certainly shown, and certainly no part of an
  /// emoji but for a keycap's digit; otherwise 0.
  @inline(__always)
  private func plainLength(in bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if isPlainASCII(byte) { return 1 }
    guard byte >= 0xc2, byte < 0xf0, others == nil else { return 0 }
    let length = byte < 0xe0 ? 2 : 3
    guard bytes.count - index >= length, bytes[index + 1] & 0xc0 == 0x80 else { return 0 }
    var value = UInt32(byte & (length == 2 ? 0x1f : 0xf)) << 6 | UInt32(bytes[index + 1] & 0x3f)
    if length == 3 {
      guard bytes[index + 2] & 0xc0 == 0x80 else { return 0 }
      value = value << 6 | UInt32(bytes[index + 2] & 0x3f)
      // Fewer would need only two bytes.
      guard value >= 0x800 else { return 0 }
    }
    return Self.isPlain(value) ? length : 0
  }

  @inline(__always)
  private func isPlainASCII(_ byte: UInt8) -> Bool {
    // True for bytes from 0x20 to 0x7e.
    byte &- 0x20 < 0x5f || keepsLines && (byte == 0x0a || byte == 0x09)
  }

  /// Whether a character is in a range in which none is hidden, and none is a part of an emoji:
  /// those of most scripts, and of their punctuation.
  @inline(__always)
  static func isPlain(_ value: UInt32) -> Bool {
    switch value {
    case 0xb0...0x34e, 0x350...0x5ff, 0x620...0x6dc, 0x8e3...0x115e, 0x1810...0x200a,
      0x2010...0x2027, 0x2b56...0x302f, 0x303e...0x3163, 0x329a...0xd7ff, 0xff00...0xff9f:
      true
    default: false
    }
  }

  private static let escape: UInt8 = 0x1b

  /// Appends text without hidden characters.
  ///
  /// - Parameter before: the last byte before the text, if there is one. It must be ASCII, or of a
  ///   character that is no part of an emoji.
  func append(_ text: ArraySlice<UInt8>, after before: UInt8? = nil, to shown: inout [UInt8]) {
    var emoji = EmojiContext(after: before.flatMap { $0 < 0x80 ? Unicode.Scalar($0) : nil })
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = text.makeIterator()
    var index = text.startIndex
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if let joiner = emoji.takeJoiner(before: scalar) { append(joiner, to: &shown) }
        if emoji.mayKeep(scalar) {
          // It is appended once the next character is known.
        } else if isShown(scalar) {
          shown.append(contentsOf: encoded)
        } else {
          append(escaped: scalar, to: &shown)
        }
        index += encoded.count
      case .error(let length):
        if let joiner = emoji.takeJoiner(before: nil) { append(joiner, to: &shown) }
        for byte in text[index..<index + length] { Self.append(byte, to: &shown) }
        index += length
      case .emptyInput:
        if let joiner = emoji.takeJoiner(before: nil) { append(joiner, to: &shown) }
        return
      }
    }
  }

  private func append(_ joiner: EmojiContext.Joiner, to shown: inout [UInt8]) {
    if joiner.isPart, others?(joiner.scalar) != true {
      shown.append(contentsOf: String(joiner.scalar).utf8)
    } else {
      append(escaped: joiner.scalar, to: &shown)
    }
  }

  private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" || scalar == "\t" { return keepsLines }
    return !scalar.isHidden && !(form == .replacement && scalar.pathByte != nil)
      && others?(scalar) != true
  }

  private func append(escaped scalar: Unicode.Scalar, to shown: inout [UInt8]) {
    switch form {
    case .jsonEscape:
      for unit in String(scalar).utf16 { shown += Array(("\\u" + Self.hex(unit, 4)).utf8) }
    case .replacement:
      if let byte = scalar.pathByte { return Self.append(byte, to: &shown) }
      shown += [0xef, 0xbf, 0xbd]
    }
  }

  /// Appends a byte that isn't part of UTF-8.
  private static func append(_ byte: UInt8, to shown: inout [UInt8]) {
    shown += Array(("\\x" + hex(byte, 2)).utf8)
  }

  private static func hex(_ number: some BinaryInteger, _ digits: Int) -> String {
    let hex = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - hex.count)) + hex
  }

  /// The end of the sequence at the start of `text` if that sets a colour; otherwise its start.
  private static func end(ofColour text: ArraySlice<UInt8>) -> Int {
    guard text.starts(with: [escape, UInt8(ascii: "[")]) else { return text.startIndex }
    let rest = text.dropFirst(2).drop { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
    return rest.first == UInt8(ascii: "m") ? rest.startIndex + 1 : text.startIndex
  }
}

extension String {
  /// The text without hidden characters, except tabs and line feeds.
  package var terminalSafe: String { shown(as: .messages) }

  /// The same on one line, for text within a sentence. No part of it can pass for a line of ours.
  package var terminalSafeLine: String {
    terminalSafe.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  package func shown(as form: ShownText) -> String {
    var bytes = Array(utf8)
    form.apply(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
