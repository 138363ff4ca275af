/// A key press, as the editor understands it.
enum Key: Equatable {
  case text(String)
  case enter, pastedNewline, tab, interrupt, clearScreen
  case left, right, wordLeft, wordRight, home, end, older, newer
  case backspace, delete, deleteOrEnd, deleteWordLeft, deleteWordRight, deleteBlankWordLeft
  case deleteToStart, deleteToEnd
  case search, cancel
}

/// Decodes the bytes of a terminal into keys. The bytes may be split anywhere.
///
/// Unknown escape sequences are dropped. In a bracketed paste, everything but line breaks is text,
/// and escape sequences other than the end of the paste are dropped.
struct KeyDecoder {
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After ESC [ or ESC O, up to the final byte.
    case sequence
    /// In a string that a terminal sends as an answer, up to its end.
    case string
    /// Before the last byte of a Linux console's function key, ESC [ [ A.
    case consoleKey
  }

  private static let escape: UInt8 = 0x1B
  private static let interruptByte: UInt8 = 0x03
  private static let maxParameters = 16

  private var state = State.ground
  private var parameters: [UInt8] = []
  /// Bytes of text that aren't decoded yet: between calls, at most the beginning of one scalar.
  private var textBytes: [UInt8] = []
  private var isPasting = false
  /// Whether the last byte was a `\r`. A `\n` directly after it belongs to it.
  private var endedWithReturn = false

  /// Consumes bytes until they make a key; nil if all were consumed before.
  mutating func next(from bytes: inout ArraySlice<UInt8>) -> Key? {
    while let byte = bytes.first {
      if state == .ground && isText(byte) {
        let run = bytes.prefix(while: isText)
        bytes.removeFirst(run.count)
        textBytes += run
        endedWithReturn = false
        if let text = takeText(all: false) { return .text(text) }
      } else if let text = takeText(all: true) {
        return .text(text)
      } else {
        bytes.removeFirst()
        if let key = key(for: byte) { return key }
      }
    }
    return nil
  }

  /// Whether the last byte was an ESC: the key of that name, or the beginning of another key.
  var isAfterEscape: Bool { state == .escape && !isPasting }

  /// Takes that byte for the key of that name.
  mutating func endEscape() { state = .ground }

  private func isText(_ byte: UInt8) -> Bool {
    if byte >= 0x20 { return byte != 0x7F || isPasting }
    return isPasting && ![Self.escape, 0x0A, 0x0D, Self.interruptByte].contains(byte)
  }

  /// Decodes the text so far. An incomplete scalar waits for its end, unless `all` is true.
  private mutating func takeText(all: Bool) -> String? {
    let waiting = all ? 0 : Self.lengthOfUnfinishedScalar(textBytes)
    let complete = textBytes.dropLast(waiting)
    guard !complete.isEmpty else { return nil }
    let text = String(decoding: complete, as: UTF8.self)
    textBytes.removeFirst(complete.count)
    return text
  }

  private static func lengthOfUnfinishedScalar(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.reversed().prefix(3).enumerated() {
      let length = index + 1
      switch byte {
      case 0x80...0xBF: continue
      case 0xC2...0xDF: return length < 2 ? length : 0
      case 0xE0...0xEF: return length < 3 ? length : 0
      case 0xF0...0xF4: return length < 4 ? length : 0
      default: return 0
      }
    }
    return 0
  }

  private mutating func key(for byte: UInt8) -> Key? {
    switch state {
    case .ground: return control(byte)
    case .escape: return afterEscape(byte)
    case .sequence: return inSequence(byte)
    case .string:
      // Any other control character means that this isn't a string: the user pressed Alt-], for
      // example. Without this check, the keyboard would seem dead.
      guard byte < 0x20 else { return nil }
      state = .ground
      return byte == 0x07 ? nil : control(byte)
    case .consoleKey:
      state = .ground
      return byte < 0x20 ? control(byte) : nil
    }
  }

  private mutating func control(_ byte: UInt8) -> Key? {
    let followsReturn = endedWithReturn
    endedWithReturn = byte == 0x0D
    if byte == 0x0A && followsReturn { return nil }
    if byte == Self.escape {
      state = .escape
      return nil
    }
    if isPasting {
      // Terminals strip this byte from a paste. As a key it ends a paste that would never end.
      if byte == Self.interruptByte { isPasting = false }
      if byte == 0x0D || byte == 0x0A { return .pastedNewline }
    }
    return Self.controls[byte]
  }

  private static let controls: [UInt8: Key] = [
    0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .deleteOrEnd, 0x05: .end, 0x06: .right,
    0x07: .cancel, 0x08: .backspace, 0x09: .tab, 0x0A: .enter, 0x0B: .deleteToEnd,
    0x0C: .clearScreen, 0x0D: .enter, 0x0E: .newer, 0x10: .older, 0x12: .search,
    0x15: .deleteToStart, 0x17: .deleteBlankWordLeft, 0x7F: .backspace,
  ]

  private mutating func afterEscape(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .sequence
      parameters = []
      return nil
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      state = .string
      return nil
    case UInt8(ascii: "b"): return unlessPasting(.wordLeft)
    case UInt8(ascii: "f"): return unlessPasting(.wordRight)
    case UInt8(ascii: "d"): return unlessPasting(.deleteWordRight)
    case 0x08, 0x7F: return unlessPasting(.deleteWordLeft)
    case ..<0x20: return control(byte)
    case 0x80...:
      textBytes.append(byte)
      return nil
    default: return nil
    }
  }

  private mutating func inSequence(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x20...0x3F:
      if parameters.count < Self.maxParameters { parameters.append(byte) }
      return nil
    case UInt8(ascii: "[") where parameters.isEmpty:
      state = .consoleKey
      return nil
    case 0x40...0x7E:
      state = .ground
      return sequenceKey(final: byte)
    case ..<0x20:
      state = .ground
      return control(byte)
    default:
      state = .ground
      if byte >= 0x80 { textBytes.append(byte) }
      return nil
    }
  }

  private mutating func sequenceKey(final: UInt8) -> Key? {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    if final == UInt8(ascii: "~") && numbers.first == 200 {
      isPasting = true
      return nil
    }
    if final == UInt8(ascii: "~") && numbers.first == 201 {
      isPasting = false
      return nil
    }
    // The modifiers that terminals send: 3 is Alt, 5 is Ctrl, 7 is both.
    let isWord = numbers.count > 1 && [3, 5, 7].contains(numbers[1])
    let key: Key? =
      switch final {
      case UInt8(ascii: "A"): .older
      case UInt8(ascii: "B"): .newer
      case UInt8(ascii: "C"): isWord ? .wordRight : .right
      case UInt8(ascii: "D"): isWord ? .wordLeft : .left
      case UInt8(ascii: "H"): .home
      case UInt8(ascii: "F"): .end
      case UInt8(ascii: "~"): Self.numberedKey(numbers.first ?? 0, isWord: isWord)
      default: nil
      }
    return key.flatMap(unlessPasting)
  }

  private static func numberedKey(_ number: Int, isWord: Bool) -> Key? {
    switch number {
    case 1, 7: .home
    case 4, 8: .end
    case 3: isWord ? .deleteWordRight : .delete
    default: nil
    }
  }

  private func unlessPasting(_ key: Key) -> Key? {
    isPasting ? nil : key
  }
}
