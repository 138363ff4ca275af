extension String {
  /// The text as lines, wrapped at spaces. It keeps line breaks, and lines that are indented
  /// already.
  func wrapped(indent: Int = 0, width: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
      guard !paragraph.hasPrefix(" ") else {
        lines.append(margin + paragraph)
        continue
      }
      var line = ""
      for word in paragraph.split(separator: " ") {
        if line.isEmpty {
          line = margin + word
        } else if line.count + 1 + word.count <= width {
          line += " " + word
        } else {
          lines.append(line)
          line = margin + word
        }
      }
      lines.append(line)
    }
    return lines
  }
}
