/// Why bytes are not JSON, and where.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    case unexpectedEnd, unexpectedByte, invalidNumber, numberOutOfRange, invalidEscape
    case loneSurrogate, invalidUTF8, controlCharacter, duplicateKey, tooDeep, trailingData
    case byteOrderMark
  }

  package var code: Code
  /// The byte offset from the start of the input that was given.
  package var offset: Int
  /// What was expected and what was found, without the position.
  package var detail: String

  package init(code: Code, offset: Int, detail: String) {
    self.code = code
    self.offset = offset
    self.detail = detail
  }

  /// A full phrase: `expected a value, found "]" (byte 17)`.
  package var description: String { "\(detail) (byte \(offset))" }
}

extension JSONError {
  /// The error for input that ends or has another byte where `what` was expected.
  static func expected(_ what: String, in bytes: Span<UInt8>, at offset: Int) -> JSONError {
    guard offset < bytes.count else {
      return JSONError(
        code: .unexpectedEnd, offset: bytes.count,
        detail: "expected \(what), found the end of the input")
    }
    return JSONError(
      code: .unexpectedByte, offset: offset,
      detail: "expected \(what), found \(describe(bytes[offset]))")
  }

  /// The error for a number that lacks a digit.
  static func expectedDigit(_ place: String, in bytes: Span<UInt8>, at offset: Int) -> JSONError {
    var error = expected("a digit \(place)", in: bytes, at: offset)
    if error.code == .unexpectedByte { error.code = .invalidNumber }
    return error
  }

  /// A byte as people would name it: in quotes if it is printable.
  static func describe(_ byte: UInt8) -> String {
    switch byte {
    case 0x22: "a quote"
    case 0x20...0x7E: "\"\(Character(Unicode.Scalar(byte)))\""
    default: "byte 0x\(hex(byte))"
    }
  }

  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "0\(digits)" : digits
  }
}
