/// A grammar as a document writes it, in EBNF, which can say whether a text is one of its words.
struct Grammar {
  indirect enum Rule {
    case text([Character])
    case name(String)
    /// What words describe between question marks: the ends that it can have.
    case special(String)
    case sequence([Rule])
    case choice([Rule])
    case optional(Rule)
    case repeated(Rule)
  }

  typealias Special = ([Character], Int) -> [Int]

  struct Mistake: Error { let words: String }

  private(set) var rules: [String: Rule] = [:]
  private let specials: [String: Special]

  /// - Parameter specials: what is between question marks, and how it is read.
  init(_ text: String, specials: [String: Special]) throws {
    self.specials = specials
    var reader = Reader(rest: Array(text)[...])
    while let (name, rule) = try reader.definition() {
      guard rules.updateValue(rule, forKey: name) == nil else {
        throw Mistake(words: "\(name) is defined twice")
      }
    }
    for rule in rules.values { try checkNames(rule) }
  }

  private func checkNames(_ rule: Rule) throws {
    switch rule {
    case .text: break
    case .name(let name):
      if rules[name] == nil { throw Mistake(words: "\(name) is not defined") }
    case .special(let words):
      if specials[words] == nil { throw Mistake(words: "nothing reads \"\(words)\"") }
    case .sequence(let parts), .choice(let parts): for part in parts { try checkNames(part) }
    case .optional(let part), .repeated(let part): try checkNames(part)
    }
  }

  /// Whether the rule `name` describes all of `text`.
  func describes(_ text: String, as name: String) -> Bool {
    let characters = Array(text)
    return ends(of: .name(name), characters, from: [0]).contains(characters.count)
  }

  private func ends(of rule: Rule, _ text: [Character], from starts: Set<Int>) -> Set<Int> {
    switch rule {
    case .text(let word):
      return Set(starts.filter { text[$0...].starts(with: word) }.map { $0 + word.count })
    case .name(let name): return rules[name].map { ends(of: $0, text, from: starts) } ?? []
    case .special(let words):
      return Set(starts.flatMap { specials[words]?(text, $0) ?? [] })
    case .sequence(let parts):
      return parts.reduce(starts) { ends(of: $1, text, from: $0) }
    case .choice(let parts):
      return parts.reduce([]) { $0.union(ends(of: $1, text, from: starts)) }
    case .optional(let part): return starts.union(ends(of: part, text, from: starts))
    case .repeated(let part):
      var (all, latest) = (starts, starts)
      while !latest.isEmpty {
        latest = ends(of: part, text, from: latest).subtracting(all)
        all.formUnion(latest)
      }
      return all
    }
  }

  // MARK: Reading

  private struct Reader {
    var rest: ArraySlice<Character>

    private mutating func skip() { rest = rest.drop { $0.isWhitespace } }

    private mutating func take(_ character: Character) -> Bool {
      skip()
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func expect(_ character: Character) throws {
      guard take(character) else {
        throw Mistake(words: "expected \(character) before \"\(String(rest.prefix(20)))\"")
      }
    }

    private mutating func until(_ character: Character) throws -> String {
      let text = String(rest.prefix { $0 != character })
      rest = rest.dropFirst(text.count)
      try expect(character)
      return text
    }

    private mutating func name() -> String? {
      skip()
      let name = String(rest.prefix { $0.isLetter })
      rest = rest.dropFirst(name.count)
      return name.isEmpty ? nil : name
    }

    mutating func definition() throws -> (String, Rule)? {
      guard let name = name() else {
        if rest.isEmpty { return nil }
        throw Mistake(words: "expected a name before \"\(String(rest.prefix(20)))\"")
      }
      try expect("=")
      let rule = try choice()
      try expect(";")
      return (name, rule)
    }

    private mutating func choice() throws -> Rule {
      var parts = [try sequence()]
      while take("|") { parts.append(try sequence()) }
      return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws -> Rule {
      var parts: [Rule] = []
      while let part = try part() { parts.append(part) }
      return .sequence(parts)
    }

    private mutating func part() throws -> Rule? {
      if take("\"") { return .text(Array(try until("\""))) }
      if take("?") {
        let words = try until("?")
        return .special(String(words.dropFirst().dropLast()))
      }
      if take("[") { return .optional(try inside("]")) }
      if take("{") { return .repeated(try inside("}")) }
      if take("(") { return try inside(")") }
      return name().map(Rule.name)
    }

    private mutating func inside(_ end: Character) throws -> Rule {
      let rule = try choice()
      try expect(end)
      return rule
    }
  }
}
