import HostCore

/// A pattern of `--filter` and `--exclude`: components of a path that follow each other, with
/// wildcards. It matches a transcript, and a folder with everything in it.
///
/// Characters are those that people see, so that `?` matches `é` however it is encoded.
struct PathPattern: Sendable {
  /// The pattern of one component. A part that is nil is `*`: any number of characters.
  private typealias Name = [Part?]

  private enum Part: Sendable {
    case character(Character)
    /// `?`
    case one
    case set([ClosedRange<Character>], isNegated: Bool)
  }

  let text: String
  /// How many components it has.
  let count: Int
  /// A component that is nil is `**`: any number of components.
  private let components: [Name?]

  /// - Parameter option: the option's name, for errors.
  init(_ text: String, of option: String) throws(Failure) {
    guard !text.isEmpty else { throw Failure(.usage, "--\(option): the pattern is empty.") }
    self.text = text
    var components: [Name?] = []
    for name in Self.components(of: text) {
      guard name != "**" else {
        components.append(nil)
        continue
      }
      guard let parts = Self.parts(of: name[...]) else {
        throw Failure(
          .usage,
          "--\(option): in \"\(text)\" the \"[\" has no \"]\". Write a literal bracket as \"[[]\".")
      }
      components.append(parts)
    }
    count = components.count
    // A pattern that begins with a slash is of a whole path.
    if !Files.isAbsolute(text) { components.insert(nil, at: 0) }
    // One that ends with a slash, or with any number of components, is of what is in a folder.
    if text.hasSuffix("/") || text.hasSuffix("/**") { components.append([nil]) }
    self.components = components + [nil]
  }

  /// The components of a path; the first one of an absolute path is empty.
  static func components(of path: String) -> [String] {
    let names = Files.components(of: path).filter { $0 != "." }
    return Files.isAbsolute(path) ? [""] + names : names
  }

  /// - Parameter path: the components of a transcript's path.
  func matches(_ path: [String]) -> Bool {
    let names = path.map(Array.init)
    let last = path.last.map(Self.withoutEnding).map(Array.init) ?? []
    return Self.matches(components, Array(names.indices)) { name, index in
      Self.matches(name, names[index]) || index == names.count - 1 && Self.matches(name, last)
    }
  }

  /// The name of a transcript, without `.vmt`.
  static func withoutEnding(_ name: String) -> String {
    let ending = TranscriptFinder.ending
    return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  // MARK: Wildcards

  private static func matches(_ pattern: Name, _ name: [Character]) -> Bool {
    matches(pattern, name) { part, character in
      switch part {
      case .one: true
      case .character(let wanted): wanted == character
      case .set(let ranges, let isNegated):
        ranges.contains { $0.contains(character) } != isNegated
      }
    }
  }

  /// Whether a pattern matches all items. A part that is nil matches any number of them.
  ///
  /// Only the latest such part is ever tried again, so that the time grows with the product of both
  /// lengths at most.
  private static func matches<Part, Item>(
    _ pattern: [Part?], _ items: [Item], _ matchesOne: (Part, Item) -> Bool
  ) -> Bool {
    var (part, item) = (0, 0)
    var retry: (part: Int, item: Int)?
    while item < items.count {
      if part < pattern.count {
        guard let wanted = pattern[part] else {
          part += 1
          retry = (part, item)
          continue
        }
        if matchesOne(wanted, items[item]) {
          part += 1
          item += 1
          continue
        }
      }
      guard let (first, next) = retry else { return false }
      retry = (first, next + 1)
      (part, item) = (first, next + 1)
    }
    return pattern[part...].allSatisfy { $0 == nil }
  }

  // MARK: Parsing

  /// The parts of a component; nil if a bracket isn't closed.
  private static func parts(of name: Substring) -> Name? {
    var rest = name
    var parts: Name = []
    while let character = rest.popFirst() {
      switch character {
      case "*": parts.append(nil)
      case "?": parts.append(.one)
      case "[":
        guard let set = set(&rest) else { return nil }
        parts.append(set)
      default: parts.append(.character(character))
      }
    }
    return parts
  }

  /// The set whose bracket was read. As in a shell, a bracket that comes first closes nothing.
  private static func set(_ rest: inout Substring) -> Part? {
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let first = rest.popFirst() {
      if first == "]" && !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
      var last = first
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        rest.removeFirst(2)
        last = end
      }
      // A range that ends before it begins is taken the other way round.
      ranges.append(min(first, last)...max(first, last))
    }
    return nil
  }
}
