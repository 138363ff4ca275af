import CanonicalJSON

/// What a JSON Schema says of the members of the values that it allows.
enum SchemaMembers {
  /// The schema of a member: an empty one where the schema leaves open what there is, nil where no
  /// value has that member.
  static func schema(of name: String, in schema: JSONValue) -> JSONValue? {
    if let options = schema["anyOf"]?.arrayValue {
      return options.lazy.compactMap { self.schema(of: name, in: $0) }.first
    }
    guard allowsObjects(schema) else { return nil }
    let others = schema["additionalProperties"]
    if let properties = schema["properties"]?.objectValue {
      if let own = properties[name] { return own }
      // What isn't announced may come all the same, but who names it has mostly misspelt it.
      if others == .bool(true) { return .object([:]) }
      return others?.objectValue == nil ? nil : others
    }
    return others == .bool(false) ? nil : others ?? .object([:])
  }

  /// The members that a schema announces.
  static func names(in schema: JSONValue) -> [String] {
    let own = schema["properties"]?.objectValue?.keys.sorted() ?? []
    return own + (schema["anyOf"]?.arrayValue ?? []).flatMap(names)
  }

  private static func allowsObjects(_ schema: JSONValue) -> Bool {
    if let cases = schema["enum"]?.arrayValue { return cases.contains { $0.objectValue != nil } }
    switch schema["type"] {
    case .string(let type): return type == "object"
    case .array(let types): return types.contains(.string("object"))
    default: return true
    }
  }
}
