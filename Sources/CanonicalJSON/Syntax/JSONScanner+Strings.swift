import ByteScan

extension JSONScanner {
  /// What validating a string's content found out.
  struct Content {
    var hasEscapes = false
    /// Whether every escape is the one that canonical JSON uses.
    var isCanonical = true
  }

  /// Validates the string whose quote is at `offset`, and moves past it.
  static func string(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) -> Content {
    offset += 1
    let found = try content(in: bytes, at: &offset)
    guard offset < bytes.count else { throw .expected("a closing quote", in: bytes, at: offset) }
    offset += 1
    return found
  }

  /// Validates string content up to a quote or the end of the input, whichever comes first.
  static func content(in bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) -> Content {
    var found = Content()
    while true {
      offset = endOfPlainRun(in: bytes, from: offset)
      guard offset < bytes.count else { return found }
      switch bytes[offset] {
      case 0x22: return found
      case 0x5C:
        let escape = try escape(in: bytes, at: offset)
        found.hasEscapes = true
        if !escape.isCanonical { found.isCanonical = false }
        offset = escape.end
      case 0x80...: try skipMultibyte(in: bytes, at: &offset)
      case let byte:
        throw JSONError(
          code: .controlCharacter, offset: offset,
          detail: "expected string content, found the control character 0x\(JSONError.hex(byte)); "
            + "write it as an escape")
      }
    }
  }

  /// The first offset at or after `offset` that holds a quote, a backslash, a control character or
  /// a byte beyond ASCII; or the end.
  @inline(__always)
  static func endOfPlainRun(in bytes: Span<UInt8>, from offset: Int) -> Int {
    guard offset < bytes.count else { return offset }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return offset }
      return unsafe byte_scan_plain_end(base, offset, buffer.count)
    }
  }

  /// The first offset at or after `offset` that holds a quote, a backslash or a control character,
  /// in text that is known to be valid UTF-8; or the end.
  @inline(__always)
  static func endOfUnescaped(in bytes: Span<UInt8>, from offset: Int) -> Int {
    var offset = endOfPlainRun(in: bytes, from: offset)
    while offset < bytes.count, bytes[offset] >= 0x80 {
      repeat { offset &+= 1 } while offset < bytes.count && bytes[offset] >= 0x80
      offset = endOfPlainRun(in: bytes, from: offset)
    }
    return offset
  }

  // MARK: UTF-8

  /// Validates the run of multi-byte sequences that starts at `offset`, and moves past it.
  private static func skipMultibyte(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) {
    while offset < bytes.count, bytes[offset] >= 0x80 {
      let length = multibyteLength(in: bytes, at: offset)
      guard length > 0 else {
        throw JSONError(
          code: .invalidUTF8, offset: offset,
          detail: "expected UTF-8, found byte 0x\(JSONError.hex(bytes[offset])) "
            + "that begins no valid sequence")
      }
      offset += length
    }
  }

  /// The length of the well-formed sequence at `offset` (table 3-7 of the Unicode standard), or 0.
  @inline(__always)
  private static func multibyteLength(in bytes: Span<UInt8>, at offset: Int) -> Int {
    let lead = bytes[offset]
    let length: Int
    let second: ClosedRange<UInt8>
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard bytes.count - offset >= length, second.contains(bytes[offset + 1]) else { return 0 }
    if length > 2, bytes[offset + 2] & 0xC0 != 0x80 { return 0 }
    if length > 3, bytes[offset + 3] & 0xC0 != 0x80 { return 0 }
    return length
  }

  // MARK: Escapes

  struct Escape {
    var scalar: Unicode.Scalar
    var end: Int
    var isCanonical: Bool
  }

  /// Reads the escape whose backslash is at `offset`; a surrogate pair counts as one.
  static func escape(in bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> Escape {
    guard offset + 1 < bytes.count else {
      throw .expected("the rest of an escape", in: bytes, at: bytes.count)
    }
    let short: Unicode.Scalar
    switch bytes[offset + 1] {
    case 0x22: short = "\""
    case 0x5C: short = "\\"
    case 0x2F: return Escape(scalar: "/", end: offset + 2, isCanonical: false)
    case 0x62: short = "\u{8}"
    case 0x66: short = "\u{C}"
    case 0x6E: short = "\n"
    case 0x72: short = "\r"
    case 0x74: short = "\t"
    case 0x75: return try unicodeEscape(in: bytes, at: offset)
    case let byte: throw invalidEscape(byte, at: offset)
    }
    return Escape(scalar: short, end: offset + 2, isCanonical: true)
  }

  private static func invalidEscape(_ byte: UInt8, at offset: Int) -> JSONError {
    JSONError(
      code: .invalidEscape, offset: offset,
      detail: "expected one of \"\\/bfnrtu after a backslash, found \(JSONError.describe(byte))")
  }

  private static func unicodeEscape(
    in bytes: Span<UInt8>, at offset: Int
  ) throws(JSONError) -> Escape {
    let first = try hexDigits(in: bytes, escapeAt: offset)
    if let scalar = Unicode.Scalar(first) {
      return Escape(
        scalar: scalar, end: offset + 6,
        isCanonical: isCanonicalControl(scalar, in: bytes, at: offset))
    }
    let isLeading = first < 0xDC00
    let next = offset + 6
    if isLeading, next + 1 < bytes.count, bytes[next] == 0x5C, bytes[next + 1] == 0x75 {
      let second = try hexDigits(in: bytes, escapeAt: next)
      if 0xDC00...0xDFFF ~= second,
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)))
      {
        return Escape(scalar: scalar, end: next + 6, isCanonical: false)
      }
    }
    let half = isLeading ? "first" : "second"
    throw JSONError(
      code: .loneSurrogate, offset: offset,
      detail: "expected both halves of a surrogate pair, found the \(half) half alone")
  }

  /// Whether `\u00xx` is how canonical JSON writes this scalar: a control character without a short
  /// escape, in lowercase.
  private static func isCanonicalControl(
    _ scalar: Unicode.Scalar, in bytes: Span<UInt8>, at offset: Int
  ) -> Bool {
    guard scalar.value < 0x20 else { return false }
    let isLowercase = !(0x41...0x46 ~= bytes[offset + 5])
    switch scalar.value {
    case 0x08, 0x09, 0x0A, 0x0C, 0x0D: return false
    default: return isLowercase
    }
  }

  private static func hexDigits(
    in bytes: Span<UInt8>, escapeAt offset: Int
  ) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for index in (offset + 2)..<(offset + 6) {
      guard index < bytes.count else {
        throw .expected("four hexadecimal digits", in: bytes, at: index)
      }
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
      default:
        throw JSONError(
          code: .invalidEscape, offset: offset,
          detail: "expected four hexadecimal digits after \\u, found \(JSONError.describe(byte))")
      }
    }
    return value
  }
}
