/// A command line up to the cursor, split into words as a shell does.
struct ShellWords {
  /// The words before the one at the cursor, without quotes.
  private(set) var complete: [String] = []
  /// The word at the cursor, without quotes.
  private(set) var current = ""
  /// Whether the word at the cursor is the file of a redirection.
  private(set) var isRedirected = false
  /// How many characters of the current word Readline leaves as they are, since its own idea of a
  /// word begins behind them.
  private(set) var fixedCount = 0

  private let breaks: Set<Character>
  private var quote: Character?
  /// `fixedCount` without the quote that is open: Readline begins a word behind that one.
  private var fixedCountBeforeQuote = 0
  private var isInWord = false

  /// - Parameter breaks: the characters at which Readline begins a word, besides blanks
  ///   (`COMP_WORDBREAKS`); empty for a shell that has no such words.
  init(_ line: String, breaks: String = "") {
    self.breaks = Set(breaks)
    var rest = line[...]
    while let character = rest.popFirst() { read(character, &rest) }
  }

  private mutating func read(_ character: Character, _ rest: inout Substring) {
    switch (quote, character) {
    case ("'", "'"), ("\"", "\""): (quote, fixedCount) = (nil, fixedCountBeforeQuote)
    case ("\"", "\\"):
      let isEscape = rest.first.map { "\"\\$`".contains($0) } ?? false
      current.append(isEscape ? rest.removeFirst() : character)
    case (_?, _): current.append(character)
    case (nil, "\\"):
      isInWord = true
      if let next = rest.popFirst(), next != "\n" { current.append(next) }
    case (nil, "'"), (nil, "\""):
      isInWord = true
      (quote, fixedCountBeforeQuote, fixedCount) = (character, fixedCount, current.count)
    case (nil, "<"), (nil, ">"):
      // The number of a descriptor belongs to the redirection.
      if current.allSatisfy(\.isNumber) { current = "" } else { endWord() }
      (isInWord, fixedCount, isRedirected) = (false, 0, true)
    case (nil, _) where character.isWhitespace: endWord()
    case (nil, _):
      isInWord = true
      current.append(character)
      // In bash, such a word begins with its "@".
      if breaks.contains(character) { fixedCount = current.count - (character == "@" ? 1 : 0) }
    }
  }

  private mutating func endWord() {
    guard isInWord else { return }
    if !isRedirected { complete.append(current) }
    (current, isInWord, fixedCount, isRedirected) = ("", false, 0, false)
  }
}
