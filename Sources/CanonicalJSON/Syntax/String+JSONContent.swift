import Basics

extension String {
  /// The text of a canonical string's content.
  init(jsonContent content: Span<UInt8>) {
    let plainEnd = JSONScanner.endOfUnescaped(in: content, from: 0)
    // The content is valid, so its escapes are too.
    if plainEnd < content.count, let text = try? CanonicalJSON.unescapedBytes(content) {
      self.init(repairing: text.span)
    } else {
      self.init(repairing: content)
    }
  }
}
