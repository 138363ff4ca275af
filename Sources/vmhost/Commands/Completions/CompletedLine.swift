/// A command line of vmhost that isn't finished: what was given, and what may stand at the cursor.
struct CompletedLine {
  /// What stands at the cursor.
  enum Slot {
    case command
    /// What follows `--version`.
    case versionForm
    case option
    /// - Parameter offset: where the value begins in the word.
    case value(of: CommandOption, offset: Int)
    case positional(Positional)
    /// A file of a redirection.
    case file
    case nothing
  }

  /// The word at the cursor, up to there.
  let typed: String
  let command: Command?
  private(set) var slot = Slot.nothing
  private(set) var positionals: [String] = []
  /// The values by option name. A flag has an empty value.
  private(set) var values: [String: [String]] = [:]

  /// The option whose value the next word is.
  private var pending: CommandOption?
  private var takesOptions = true

  /// - Parameters:
  ///   - words: the words before the cursor, and the one at it.
  ///   - after: what follows the cursor.
  init(_ words: ShellWords, after: String, table: CommandTable) {
    typed = words.current
    // The first word is vmhost itself.
    let arguments = words.complete.dropFirst()
    let name = arguments.first
    command = table.commands.first { $0.name == name }
    guard !words.isRedirected else {
      slot = .file
      return
    }
    switch name {
    case nil: slot = .command
    case "help": slot = arguments.count == 1 ? .command : .nothing
    case "--version": slot = arguments.count == 1 ? .versionForm : .nothing
    default: break
    }
    guard command != nil else { return }
    read(arguments.dropFirst())
    slot = slotAtCursor()
    (pending, takesOptions) = (nil, true)
    // What follows the cursor directly is the rest of its word.
    let rest = ShellWords(String(after.drop { !$0.isWhitespace }) + " ")
    read(rest.complete[...])
  }

  /// Whether an option was given already and can't be given again.
  func isUsedUp(_ option: CommandOption) -> Bool {
    !option.isRepeatable && values[option.name] != nil
  }

  // MARK: Reading words

  /// As `ArgumentParser` reads them, but nothing is a mistake.
  private mutating func read(_ words: ArraySlice<String>) {
    for word in words {
      if let option = pending, !word.hasPrefix("--") {
        values[option.name, default: []].append(word)
        pending = nil
        continue
      }
      pending = nil
      if !takesOptions || !word.hasPrefix("-") || word == "-" {
        positionals.append(word)
      } else if word == "--" {
        takesOptions = false
      } else if word.hasPrefix("--") {
        readLong(word)
      } else {
        readShort(word)
      }
    }
  }

  private mutating func readLong(_ word: String) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = command?.option(named: String(parts[0])) else { return }
    if parts.count == 2 {
      values[option.name, default: []].append(String(parts[1]))
    } else if option.needsValue {
      pending = option
    } else {
      values[option.name, default: []].append("")
    }
  }

  private mutating func readShort(_ word: String) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst(), let option = command?.option(short: letter) {
      guard option.needsValue else {
        values[option.name, default: []].append("")
        continue
      }
      if letters.isEmpty { pending = option } else { values[option.name] = [String(letters)] }
      return
    }
  }

  // MARK: The word at the cursor

  private func slotAtCursor() -> Slot {
    if let pending, !typed.hasPrefix("--") { return .value(of: pending, offset: 0) }
    if takesOptions, typed.hasPrefix("-") {
      guard typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") else { return .option }
      let name = typed[..<sign].dropFirst(2)
      guard let option = command?.option(named: String(name)), option.placeholder != nil else {
        return .nothing
      }
      return .value(of: option, offset: name.count + 3)
    }
    if let positional = command?.positional, positionals.isEmpty || positional.isRepeatable {
      return .positional(positional)
    }
    return takesOptions && typed.isEmpty ? .option : .nothing
  }
}

extension CommandOption {
  /// Whether the next word is its value.
  fileprivate var needsValue: Bool { placeholder != nil && !isValueOptional }
}
