import Basics

/// Names of locales, as BCP 47 or POSIX write them: `en_US`, `zh-Hant-TW`, `de_AT.UTF-8`.
package enum LocaleName {
  package static let form = "a locale such as en_US or zh-Hant-TW"
  private static let maxBytes = 255
  /// POSIX's locales for programs.
  private static let neutral: Set<String> = ["C", "POSIX"]

  /// Whether a text has the form of a name.
  ///
  /// It is a language, and then a script, a region, variants and extensions, each if it is wanted,
  /// with `-` or `_` between them. Then a character set may follow after a dot, and a modifier or
  /// keywords after an `@`. Nobody can say which locales there are: that depends on who asks.
  package static func hasForm(_ text: String) -> Bool {
    guard text.utf8.count <= maxBytes else { return false }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, !consists(parts[1], of: "-_+/=;") { return false }
    if names.count == 2, !consists(names[1], of: "-_") { return false }
    return neutral.contains(String(names[0])) || isTag(names[0])
  }

  /// What is wrong with the name of a locale, as a sentence; nil if it has the form of one.
  package static func problem(with name: String) -> String? {
    hasForm(name) ? nil : "\"\(name.terminalSafeLine)\" is not \(form)."
  }

  private static func isTag(_ text: Substring) -> Bool {
    var parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "_" })[...]
    func take(_ isPart: (Substring) -> Bool) -> Bool {
      guard let first = parts.first, isPart(first) else { return false }
      parts.removeFirst()
      return true
    }
    guard take({ (2...3).contains($0.utf8.count) && isLetters($0) }) else { return false }
    _ = take { $0.utf8.count == 4 && isLetters($0) }
    _ = take { $0.utf8.count == 2 && isLetters($0) || $0.utf8.count == 3 && isDigits($0) }
    while take({ isVariant($0) }) {}
    while take({ $0.utf8.count == 1 && consists($0, of: "") }) {
      guard take({ isSubtag($0) }) else { return false }
      while take({ isSubtag($0) }) {}
    }
    return parts.isEmpty
  }

  private static func isVariant(_ part: Substring) -> Bool {
    guard consists(part, of: "") else { return false }
    return (5...8).contains(part.utf8.count)
      || part.utf8.count == 4 && part.utf8.first?.isASCIIDigit == true
  }

  private static func isSubtag(_ part: Substring) -> Bool {
    (2...8).contains(part.utf8.count) && consists(part, of: "")
  }

  private static func isLetters(_ part: Substring) -> Bool {
    part.utf8.allSatisfy(\.isASCIILetter)
  }

  private static func isDigits(_ part: Substring) -> Bool { part.utf8.allSatisfy(\.isASCIIDigit) }

  /// Whether a text isn't empty and has only letters, digits and these marks.
  private static func consists(_ text: Substring, of marks: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || marks.utf8.contains($0) }
  }
}
