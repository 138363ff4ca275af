// What the words of a schema have as values, and what their references amount to.
extension SchemaCompiler {
  /// How many schemas may apply to one value, each because the one before says so.
  private static let maxChain = 64

  func key(_ name: String) -> JSONCodingKey { JSONCodingKey(stringValue: name) }

  /// The error for a value of another kind than `expected`.
  func mistake(_ expected: String, _ found: JSONValue) -> SchemaError {
    let text: String
    switch found {
    case .object: text = "an object"
    case .array(let elements): text = elements.isEmpty ? "an empty array" : "an array"
    case .null, .bool, .number, .string: text = String(found.canonicalText.prefix(60))
    }
    return SchemaError(path: pathText(path), detail: "expected \(expected), found \(text)")
  }

  func object(
    _ value: JSONValue, of what: String
  ) throws(SchemaError) -> [String: JSONValue] {
    guard let members = value.objectValue else { throw mistake("an object of \(what)", value) }
    return members
  }

  func array(_ value: JSONValue, of what: String) throws(SchemaError) -> [JSONValue] {
    guard let elements = value.arrayValue else { throw mistake("an array of \(what)", value) }
    return elements
  }

  func names(_ value: JSONValue) throws(SchemaError) -> Set<String> {
    var names: Set<String> = []
    for element in try array(value, of: "names") {
      guard let name = element.stringValue else { throw mistake("an array of names", value) }
      names.insert(name)
    }
    return names
  }

  func types(_ value: JSONValue) throws(SchemaError) -> SchemaTypes {
    var types: SchemaTypes = []
    for element in value.arrayValue ?? [value] {
      guard let named = SchemaTypes.names.first(where: { element == .string($0.name) }) else {
        let names = SchemaTypes.names.map { "\"\($0.name)\"" }
        throw mistake("one of \(names.joined(separator: ", ")), or an array of them", element)
      }
      types.formUnion(named.types)
    }
    return types
  }

  func count(_ value: JSONValue) throws(SchemaError) -> Int {
    guard let count = value.intValue, count >= 0 else {
      throw mistake("a whole number that isn't negative", value)
    }
    return count
  }

  func number(_ value: JSONValue) throws(SchemaError) -> [UInt8] {
    guard case .number(let number) = value else { throw mistake("a number", value) }
    return Array(number.description.utf8)
  }

  // MARK: Chains

  /// Refuses schemas that apply to a value because they apply to it, and chains too long to follow.
  func checkChains() throws(SchemaError) {
    var lengths: [Int: Int] = [:]
    var chain: [Int] = []
    for index in rules.indices { _ = try length(of: index, &chain, &lengths) }
  }

  /// The length of the longest chain of schemas, from this one on, that apply to one value.
  private func length(
    of index: Int, _ chain: inout [Int], _ lengths: inout [Int: Int]
  ) throws(SchemaError) -> Int {
    if rules[index].groups.isEmpty { return 0 }
    if let length = lengths[index] { return length }
    guard !chain.contains(index) else {
      throw chainError(chain, "it refers to itself for the same value, so it says nothing")
    }
    chain.append(index)
    defer { chain.removeLast() }
    var longest = 0
    for group in groups[rules[index].groups] {
      for branch in branches[group.branches] {
        guard chain.count + longest <= Self.maxChain else { break }
        longest = max(longest, try length(of: branch, &chain, &lengths) + 1)
      }
    }
    guard chain.count + longest <= Self.maxChain else {
      throw chainError(chain, "more than \(Self.maxChain) schemas apply to one value")
    }
    lengths[index] = longest
    return longest
  }

  /// The error for a chain. Its place is the definition that the chain goes through last.
  private func chainError(_ chain: [Int], _ detail: String) -> SchemaError {
    let names = chain.compactMap { rule in targets.first { $0.value == rule }?.key }
    let path = names.last.map { $0.dropFirst(2).split(separator: "/", maxSplits: 1) } ?? []
    return SchemaError(path: pathText(path.map { key(String($0)) }), detail: detail)
  }
}
