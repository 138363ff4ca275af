import CanonicalJSON

/// Reads the type of a JSON Schema, and of the parts that it refers to.
///
/// It knows the words that say something about types, and ignores the others. A reference must stay
/// in the schema; one that leads elsewhere, or nowhere, is any value.
struct SchemaTypeReader {
  /// A part of a schema that has a name, because something refers to it.
  struct Part: Equatable {
    let name: String
    let type: ValueType
    let description: String?
  }

  private let schema: JSONValue
  /// What the names of parts begin with.
  private let prefix: [String]
  private var names: [[String]: String] = [:]
  /// Parts that have a name but no type yet. They wait, so that long chains need no stack.
  private var waiting: [[String]] = []

  private init(_ schema: JSONValue, prefix: [String]) {
    self.schema = schema
    self.prefix = prefix
  }

  /// The type of a schema, and the parts that it refers to.
  static func read(
    _ schema: JSONValue, prefix: [String], _ typeNames: inout TypeNames
  ) -> (type: ValueType, parts: [Part]) {
    var reader = SchemaTypeReader(schema, prefix: prefix)
    let type = reader.type(of: schema, at: [], &typeNames)
    let parts = reader.readParts(&typeNames)
    return (reader.names[[]].map(ValueType.named) ?? type, parts)
  }

  /// The types of some definitions of a schema, which refer to other ones.
  static func read(
    definitions: [String], of schema: JSONValue, _ typeNames: inout TypeNames
  ) -> (types: [ValueType], parts: [Part]) {
    var reader = SchemaTypeReader(schema, prefix: [])
    let types = definitions.map { name in
      reader.type(of: schema["$defs"]?[name] ?? .bool(true), at: ["$defs", name], &typeNames)
    }
    return (types, reader.readParts(&typeNames))
  }

  private mutating func readParts(_ typeNames: inout TypeNames) -> [Part] {
    var parts: [Part] = []
    while let path = waiting.popLast() {
      guard let name = names[path], let target = SchemaPointer.target(of: path, in: schema)
      else { continue }
      parts.append(
        Part(
          name: name, type: type(of: target, at: path, &typeNames),
          description: Self.description(of: target)))
    }
    return parts.sorted { $0.name < $1.name }
  }

  static func description(of schema: JSONValue) -> String? {
    schema["description"]?.stringValue ?? schema["title"]?.stringValue
  }

  // MARK: Choices

  /// Follows references and choices that lead from one schema to others for the same value, each
  /// only once: a choice that leads back to itself adds nothing.
  ///
  /// - Parameter path: where the schema is, if its type gets a name. The name of another choice
  ///   can't stand in it then, since that may lead back to this one.
  private mutating func type(
    of schema: JSONValue, at path: [String]?, _ typeNames: inout TypeNames
  ) -> ValueType {
    var seen: Set<[String]> = path.map { [$0] } ?? []
    var options = [schema]
    var types: [ValueType] = []
    while let option = options.popLast() {
      if let reference = option["$ref"]?.stringValue, !Self.hasStructure(option) {
        guard let target = SchemaPointer.path(of: reference),
          let found = SchemaPointer.target(of: target, in: self.schema)
        else { return .unknown }
        let hasName = path == nil || Self.hasStructure(found)
        if hasName && !Self.isPlain(found) {
          types.append(.named(name(of: target, &typeNames)))
        } else if seen.insert(target).inserted {
          options.append(found)
        }
      } else if let choices = Self.choices(of: option) {
        options += choices.reversed()
      } else {
        types.append(structure(of: option, &typeNames))
      }
    }
    return types.isEmpty ? .unknown : .union(of: types)
  }

  /// The schemas of `anyOf` or `oneOf`, if nothing beside them says what a value looks like. A
  /// `type` beside them holds for each.
  private static func choices(of schema: JSONValue) -> [JSONValue]? {
    guard let choices = (schema["anyOf"] ?? schema["oneOf"])?.arrayValue,
      !hasStructure(schema, except: ["type"])
    else { return nil }
    guard let type = schema["type"] else { return choices }
    return choices.map { choice in
      guard case .object(var words) = choice, words["type"] == nil else { return choice }
      words["type"] = type
      return .object(words)
    }
  }

  private static let structure = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "items",
    "prefixItems",
  ]

  private static func hasStructure(_ schema: JSONValue, except: [String] = []) -> Bool {
    structure.contains { schema[$0] != nil && !except.contains($0) }
  }

  /// Whether a schema is written where it is used, although others refer to it too.
  private static func isPlain(_ schema: JSONValue) -> Bool {
    guard let type = schema["type"]?.stringValue else { return false }
    return schema["enum"] == nil && type != "object" && type != "array"
  }

  private mutating func name(of path: [String], _ typeNames: inout TypeNames) -> String {
    if let name = names[path] { return name }
    let name = typeNames.unique(prefix + (path.last.map { [$0] } ?? ["value"]))
    names[path] = name
    waiting.append(path)
    return name
  }

  // MARK: Structure

  private mutating func structure(
    of schema: JSONValue, _ typeNames: inout TypeNames
  ) -> ValueType {
    if let isAllowed = schema.boolValue { return isAllowed ? .unknown : .never }
    let allowed = Self.types(schema)
    if let values = schema["const"].map({ [$0] }) ?? schema["enum"]?.arrayValue {
      let possible = values.filter { value in
        allowed.map { $0.contains { Self.type($0, has: value) } } ?? true
      }
      return .union(of: possible.map(ValueType.constant))
    }
    guard let allowed else { return .unknown }
    var types: [ValueType] = []
    for name in allowed {
      switch name {
      case "null": types.append(.null)
      case "boolean": types.append(.boolean)
      case "integer": types.append(.integer)
      case "number": types.append(.number)
      case "string": types.append(.string)
      case "array": types.append(array(schema, &typeNames))
      case "object": types.append(.object(object(schema, &typeNames)))
      default: return .unknown
      }
    }
    return .union(of: types)
  }

  /// The names of the types that a schema allows; nil for all.
  private static func types(_ schema: JSONValue) -> [String]? {
    switch schema["type"] {
    case .string(let name): [name]
    case .array(let names): names.map { $0.stringValue ?? "" }
    default: nil
    }
  }

  private static func type(_ name: String, has value: JSONValue) -> Bool {
    switch value {
    case .null: name == "null"
    case .bool: name == "boolean"
    case .number(let number):
      name == "number"
        || name == "integer" && number.doubleValue.rounded() == number.doubleValue
    case .string: name == "string"
    case .array: name == "array"
    case .object: name == "object"
    }
  }

  private mutating func array(
    _ schema: JSONValue, _ typeNames: inout TypeNames
  ) -> ValueType {
    let items = schema["items"].map { type(of: $0, at: nil, &typeNames) } ?? .unknown
    guard let first = schema["prefixItems"]?.arrayValue, !first.isEmpty else {
      return .array(items)
    }
    let elements = first.map { type(of: $0, at: nil, &typeNames) }
    let hasOthers = items != .never && (schema["maxItems"]?.intValue ?? .max) > first.count
    return .tuple(
      TupleType(
        elements: elements,
        required: min(max(schema["minItems"]?.intValue ?? 0, 0), elements.count),
        others: hasOthers ? items : nil))
  }

  private mutating func object(
    _ schema: JSONValue, _ typeNames: inout TypeNames
  ) -> ObjectType {
    let order = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let required = Set(order)
    let properties = schema["properties"]?.objectValue ?? [:]
    var others = schema["additionalProperties"].map { type(of: $0, at: nil, &typeNames) }
    if Self.announcesMore(schema) { others = .unknown }
    let unnamed = others ?? .unknown
    // The order of "required" is the author's; that of other names is lost in canonical JSON.
    var members: [MemberType] = []
    var seen: Set<String> = []
    for name in order + properties.keys.sorted() where seen.insert(name).inserted {
      let property = properties[name]
      members.append(
        MemberType(
          name: name, type: property.map { type(of: $0, at: nil, &typeNames) } ?? unnamed,
          isRequired: required.contains(name),
          description: property.flatMap(Self.description)))
    }
    if others == .never && !members.isEmpty { others = nil }
    if others == nil && members.isEmpty { others = .unknown }
    return ObjectType(members: members, others: others)
  }

  /// Whether words that no type is made of may announce further members.
  private static func announcesMore(_ schema: JSONValue) -> Bool {
    let words = [
      "$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas",
      "patternProperties",
    ]
    return words.contains { word in
      switch schema[word] {
      case nil: false
      case .array(let parts):
        parts.contains { $0.objectValue?.keys.elementsEqual(["required"]) != true }
      default: true
      }
    }
  }
}
