/// Formats the line of a step for a message.
package enum StepText {
  /// The maximum number of bytes to look at: a value may be huge.
  private static let maxBytes = 2_000

  /// The beginning of a step in one line, without the line breaks and indentation of its value.
  package static func compact(_ text: [UInt8]) -> String {
    var line: [UInt8] = []
    var isBetween = false
    for byte in text.prefix(maxBytes) {
      isBetween = byte == UInt8(ascii: "\n") || isBetween && byte == UInt8(ascii: " ")
      if !isBetween { line.append(byte) }
    }
    let shown = VisibleText.cut(line[...], columns: 90, counts: false)
    return text.count > maxBytes && !shown.hasSuffix("…") ? shown + "…" : shown
  }
}
