import Glibc

/// Paths as text. The system's paths are bytes, and not all of them are UTF-8.
///
/// A byte that isn't a part of UTF-8 is the private character U+EF00 plus the byte, U+EF80 to
/// U+EFFF. These characters' own bytes are written the same way, so that each path has one text,
/// and each text one path.
package enum PathText {
  /// The text of a path.
  package static func text(_ path: some Collection<UInt8>) -> String {
    // Most paths are UTF-8, and no private character begins with another byte.
    if !path.contains(lead), let text = String(validating: path, as: UTF8.self) { return text }
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = path.makeIterator()
    var rest = path[...]
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.pathByte == nil {
          text.unicodeScalars.append(scalar)
        } else {
          for byte in encoded { text.unicodeScalars.append(Unicode.Scalar(pathByte: byte)) }
        }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) {
          text.unicodeScalars.append(Unicode.Scalar(pathByte: byte))
        }
        rest = rest.dropFirst(length)
      case .emptyInput: return text
      }
    }
  }

  /// The text of a path that the C library has.
  static func text(_ path: UnsafePointer<CChar>) -> String {
    unsafe UnsafeRawBufferPointer(start: path, count: strlen(path)).withMemoryRebound(
      to: UInt8.self
    ) { unsafe text($0) }
  }

  /// The bytes of the path that has this text.
  package static func bytes(_ text: String) -> [UInt8] {
    guard text.utf8.contains(lead) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = scalar.pathByte { bytes.append(byte) } else { bytes += String(scalar).utf8 }
    }
    return bytes
  }

  /// The first byte of U+EF80 to U+EFFF in UTF-8.
  private static let lead: UInt8 = 0xee
}

extension Unicode.Scalar {
  /// The byte of a path for which it stands; nil for any other character.
  var pathByte: UInt8? { 0xef80...0xefff ~= value ? UInt8(truncatingIfNeeded: value) : nil }

  fileprivate init(pathByte byte: UInt8) {
    // These are characters, so there is always one.
    self = Unicode.Scalar(0xef00 + UInt32(byte)) ?? "\u{fffd}"
  }
}

extension String {
  /// The text without the characters that stand for bytes of a path.
  var withoutPathBytes: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.pathByte == nil }))
  }

  /// Passes `body` the path that has this text, as the system takes it.
  func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (PathText.bytes(self).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      unsafe body($0.baseAddress!)
    }
  }
}
