import Basics

/// Reads a schema into the tables of a validator.
struct SchemaCompiler {
  private let document: JSONValue
  private let ignored: ((_ path: String, _ reason: String) -> Void)?
  var rules = [SchemaRule(), SchemaRule(types: [])]
  private(set) var members: [SchemaMember] = []
  private(set) var constants: [Range<Int>] = []
  private(set) var limits: [SchemaLimits] = []
  private(set) var groups: [SchemaGroup] = []
  private(set) var branches: [Int] = []
  private(set) var texts: [UInt8] = []
  /// The path of what is being read.
  private(set) var path: [any CodingKey] = []
  /// The rules that references may lead to, by the references. They are the first after the two of
  /// `rules`.
  private(set) var targets: [String: Int] = [:]

  init(document: JSONValue, ignored: ((_ path: String, _ reason: String) -> Void)?) {
    self.document = document
    self.ignored = ignored
  }

  /// Compiles the document and returns the index of its rule.
  mutating func compile() throws(SchemaError) -> Int {
    // A definition may refer to any other, so all have their rules before the first is read.
    addTarget("#")
    var definitions: [(key: String, value: JSONValue)] = []
    if let value = document[SchemaWord.definitions.rawValue] {
      path = [key(SchemaWord.definitions.rawValue)]
      definitions = try object(value, of: "schemas").sorted { $0.key < $1.key }
      for (name, _) in definitions { addTarget("#/$defs/\(name)") }
    }
    for (name, value) in definitions {
      path = [key(SchemaWord.definitions.rawValue), key(name)]
      try define("#/$defs/\(name)", value)
    }
    path = []
    try define("#", document)
    try checkChains()
    return targets["#"] ?? SchemaRule.any
  }

  private mutating func addTarget(_ reference: String) {
    targets[reference] = rules.count
    rules.append(SchemaRule())
  }

  private mutating func define(_ reference: String, _ value: JSONValue) throws(SchemaError) {
    let rule = try schema(value)
    guard let index = targets[reference] else { return }
    // The rule of a bare reference is that of its target, which may not have been read yet.
    let isTarget = rule > SchemaRule.none && rule <= targets.count + SchemaRule.none
    rules[index] = isTarget ? SchemaRule(groups: add(group(.all, [rule]))) : rules[rule]
  }

  // MARK: Schemas

  /// Reads a schema and returns the index of its rule.
  private mutating func schema(_ value: JSONValue) throws(SchemaError) -> Int {
    switch value {
    case .bool(let isAllowed): return isAllowed ? SchemaRule.any : SchemaRule.none
    case .object(let words): return try rule(words)
    case .null, .number, .string, .array:
      throw mistake("a schema, which is an object, true or false", value)
    }
  }

  private mutating func rule(_ words: [String: JSONValue]) throws(SchemaError) -> Int {
    var rule = SchemaRule()
    var limits = SchemaLimits()
    var values: [[JSONValue]] = []
    var groups: [SchemaGroup] = []
    // In order, so that of several mistakes the same one is reported each time.
    for (name, value) in words.count < 2 ? Array(words) : words.sorted(by: { $0.key < $1.key }) {
      path.append(key(name))
      defer { path.removeLast() }
      guard let word = SchemaWord(rawValue: name) else {
        if let ignored, let reason = SchemaWord.reasonToIgnore(name) {
          ignored(pathText(path), reason)
        }
        continue
      }
      switch word {
      case .type: rule.types = try types(value)
      case .enum: values.append(try array(value, of: "values"))
      case .const: values.append([value])
      // They depend on each other.
      case .properties, .required, .additionalProperties: break
      case .items:
        let items = try schema(value)
        if !isOverruled(by: "prefixItems", in: words) { rule.items = items }
      case .minItems: limits.minElements = try count(value)
      case .maxItems: limits.maxElements = try count(value)
      case .minLength: limits.minCharacters = try count(value)
      case .maxLength: limits.maxCharacters = try count(value)
      case .minimum: limits.minimum = try number(value)
      case .maximum: limits.maximum = try number(value)
      case .anyOf: groups.append(try group(.any, value))
      case .oneOf: groups.append(try group(.one, value))
      case .allOf: groups.append(try group(.all, value))
      case .reference:
        if let target = try target(value) { groups.append(group(.all, [target])) }
      case .definitions:
        if path.count > 1 {
          ignored?(pathText(path), "only the definitions of the whole schema count.")
        }
      }
    }
    try readMembers(words, into: &rule)
    if limits.isLimiting {
      rule.limits = self.limits.count
      self.limits.append(limits)
    }
    if let first = values.first {
      rule.constants = add(values.dropFirst().reduce(first) { $0.filter($1.contains) })
    }
    if rule.hasOnlyGroups, groups.count == 1, groups[0].kind == .all, groups[0].branches.count == 1
    {
      return branches[groups[0].branches.lowerBound]
    }
    rule.groups = self.groups.count..<(self.groups.count + groups.count)
    self.groups += groups
    if rule.hasOnlyTypes && rule.types == .all { return SchemaRule.any }
    rules.append(rule)
    return rules.count - 1
  }

  private mutating func readMembers(
    _ words: [String: JSONValue], into rule: inout SchemaRule
  ) throws(SchemaError) {
    if let value = words[SchemaWord.additionalProperties.rawValue] {
      rule.others = try inside(.additionalProperties) { compiler throws(SchemaError) in
        let others = try compiler.schema(value)
        return compiler.isOverruled(by: "patternProperties", in: words) ? SchemaRule.any : others
      }
    }
    var found: [String: Int] = [:]
    if let value = words[SchemaWord.properties.rawValue] {
      found = try inside(.properties) { compiler throws(SchemaError) in
        try compiler.properties(value)
      }
    }
    var required: Set<String> = []
    if let value = words[SchemaWord.required.rawValue] {
      required = try inside(.required) { compiler throws(SchemaError) in
        try compiler.names(value)
      }
      for name in required where found[name] == nil { found[name] = rule.others }
    }
    rule.requiredCount = required.count
    rule.members = add(found, required: required)
  }

  private mutating func properties(_ value: JSONValue) throws(SchemaError) -> [String: Int] {
    var found: [String: Int] = [:]
    for (name, schema) in try object(value, of: "schemas").sorted(by: { $0.key < $1.key }) {
      path.append(key(name))
      defer { path.removeLast() }
      found[name] = try self.schema(schema)
    }
    return found
  }

  private mutating func add(_ found: [String: Int], required: Set<String>) -> Range<Int> {
    let first = members.count
    let sorted = found.sorted { KeyOrder.precedes($0.key, $1.key) }
    for (name, rule) in sorted {
      let start = texts.count
      CanonicalJSON.appendString(name, to: &texts)
      texts.append(0x3A)
      members.append(
        SchemaMember(
          key: start..<texts.count, in: texts, rule: rule, isRequired: required.contains(name)))
    }
    return first..<members.count
  }

  private mutating func inside<Part>(
    _ word: SchemaWord, _ read: (inout Self) throws(SchemaError) -> Part
  ) throws(SchemaError) -> Part {
    path.append(key(word.rawValue))
    defer { path.removeLast() }
    return try read(&self)
  }

  /// Whether a word that isn't checked says which parts another word is about. Then that one can't
  /// be checked either.
  private func isOverruled(by other: String, in words: [String: JSONValue]) -> Bool {
    guard words[other] != nil else { return false }
    ignored?(pathText(path), "vmhost doesn't check it beside \"\(other)\".")
    return true
  }

  private mutating func add(_ values: [JSONValue]) -> Range<Int> {
    let first = constants.count
    let sorted = Set(values).map { Array($0.canonicalText.utf8) }.sorted {
      SchemaValidator.order($0.span, $1.span) < 0
    }
    for value in sorted {
      constants.append(texts.count..<(texts.count + value.count))
      texts += value
    }
    return first..<constants.count
  }

  // MARK: Groups and references

  private mutating func group(
    _ kind: SchemaGroup.Kind, _ value: JSONValue
  ) throws(SchemaError) -> SchemaGroup {
    let schemas = try array(value, of: "schemas")
    guard !schemas.isEmpty else { throw mistake("at least one schema", value) }
    var rules: [Int] = []
    for (index, schema) in schemas.enumerated() {
      path.append(JSONCodingKey(index: index))
      defer { path.removeLast() }
      rules.append(try self.schema(schema))
    }
    return group(kind, rules)
  }

  private mutating func group(_ kind: SchemaGroup.Kind, _ rules: [Int]) -> SchemaGroup {
    branches += rules
    return SchemaGroup(kind: kind, branches: (branches.count - rules.count)..<branches.count)
  }

  private mutating func add(_ group: SchemaGroup) -> Range<Int> {
    groups.append(group)
    return (groups.count - 1)..<groups.count
  }

  /// The rule that a reference leads to; nil if it isn't followed.
  private func target(_ value: JSONValue) throws(SchemaError) -> Int? {
    guard let text = value.stringValue else { throw mistake("a reference", value) }
    if let index = targets[text] { return index }
    let prefix = "#/$defs/"
    guard text.hasPrefix(prefix) else {
      ignored?(pathText(path), "only \"#\" and \"#/$defs/NAME\" are followed.")
      return nil
    }
    let names = targets.keys.filter { $0 != "#" }
    throw SchemaError(
      path: pathText(path),
      detail: "there is no \"\(text)\"." + NearestName.hint(for: text, among: names))
  }
}
