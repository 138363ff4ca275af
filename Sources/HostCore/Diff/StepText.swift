/// The line of a step, as a message shows it.
package enum StepText {
  /// More bytes than this are not looked at: a value may be huge.
  private static let maxBytes = 2_000

  /// Its beginning in one line: between the lines of a value there are only blanks.
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
