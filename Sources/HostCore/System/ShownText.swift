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
  /// Which characters are replaced besides the hidden ones.
  var others: @Sendable (Unicode.Scalar) -> Bool = { _ in false }

  /// Replaces the hidden characters from `start` on.
  package func apply(to bytes: inout [UInt8], from start: Int = 0) {
    guard let suspect = Self.suspect(in: bytes.span, from: start, keepsLines) else { return }
    var shown: [UInt8] = []
    append(bytes[suspect...], after: suspect > start ? bytes[suspect - 1] : nil, to: &shown)
    bytes.replaceSubrange(suspect..., with: shown)
  }

  /// The index of the first byte that needs a closer look. Most text is printable ASCII.
  private static func suspect(
    in bytes: Span<UInt8>, from start: Int, _ keepsLines: Bool
  ) -> Int? {
    for index in start..<max(bytes.count, start) {
      let byte = bytes[index]
      // True for bytes from 0x20 to 0x7e.
      if byte &- 0x20 < 0x5f || keepsLines && (byte == 0x0a || byte == 0x09) { continue }
      return index
    }
    return nil
  }

  /// Appends text without hidden characters.
  ///
  /// - Parameter before: the ASCII character before the text, if there is one.
  func append(_ text: ArraySlice<UInt8>, after before: UInt8? = nil, to shown: inout [UInt8]) {
    var emoji = EmojiContext(after: before.map { Unicode.Scalar($0) })
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = text.makeIterator()
    var index = text.startIndex
    var colourEnd = index
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if let joiner = emoji.takeJoiner(before: scalar) { append(joiner, to: &shown) }
        if scalar == "\u{1b}", keepsColours { colourEnd = Self.end(ofColour: text[index...]) }
        if emoji.mayKeep(scalar) {
          // It is appended once the next character is known.
        } else if index < colourEnd || isShown(scalar) {
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
    if joiner.isPart, !others(joiner.scalar) {
      shown.append(contentsOf: String(joiner.scalar).utf8)
    } else {
      append(escaped: joiner.scalar, to: &shown)
    }
  }

  private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" || scalar == "\t" { return keepsLines }
    return !scalar.isHidden && !(form == .replacement && scalar.pathByte != nil) && !others(scalar)
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
    guard text.dropFirst().first == UInt8(ascii: "[") else { return text.startIndex }
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
