extension StringProtocol {
  /// The parts of the text between occurrences of an ASCII text, empty ones included.
  ///
  /// Occurrences are found by bytes. Swift takes a letter or sign and what combines with it for one
  /// character, and doesn't find the sign alone. Shells, compilers and the linker do.
  ///
  /// - Parameters:
  ///   - separator: not empty.
  ///   - maxSplits: how many occurrences count; the rest of the text is the last part.
  package func byteSplit(separator: StaticString, maxSplits: Int = .max) -> [String] {
    let bytes = Array(utf8)
    let mark = Array(separator.description.utf8)
    var parts: [String] = []
    var (start, index) = (0, 0)
    while parts.count < maxSplits, index + mark.count <= bytes.count {
      guard bytes[index..<index + mark.count].elementsEqual(mark) else {
        index += 1
        continue
      }
      parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
      index += mark.count
      start = index
    }
    return parts + [String(decoding: bytes[start...], as: UTF8.self)]
  }

  /// The text with each occurrence of an ASCII text replaced. Occurrences are found by bytes.
  package func byteReplacing(_ text: StaticString, with other: String) -> String {
    byteSplit(separator: text).joined(separator: other)
  }
}
