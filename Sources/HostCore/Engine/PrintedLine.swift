/// A line that a plugin printed, as people read it.
package enum PrintedLine {
  /// A longer line is shown as several.
  private static let maxBytes = 1 << 14

  /// Removes secrets and hidden characters from a line, and then splits it, so that no secret is in
  /// two parts.
  package static func parts(of line: String, without secrets: Secrets) -> [String] {
    let shown = secrets.redacted(line).terminalSafe
    guard shown.utf8.count > maxBytes else { return [shown] }
    let bytes = Array(shown.utf8)
    var parts: [String] = []
    var rest = bytes[...]
    while rest.count > maxBytes {
      let end = end(ofPartOf: rest)
      parts.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...]
    }
    return parts + [String(decoding: rest, as: UTF8.self)]
  }

  /// Where to split: not within a character.
  private static func end(ofPartOf line: ArraySlice<UInt8>) -> Int {
    let end = line.startIndex + maxBytes
    // The bytes of a character after its first one begin with 10.
    return (end - 3...end).last { line[$0] & 0xc0 != 0x80 } ?? end
  }
}
