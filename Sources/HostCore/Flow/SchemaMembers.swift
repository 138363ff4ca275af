import CanonicalJSON

/// Finds the members that a JSON Schema allows objects to have.
enum SchemaMembers {
  /// The schema of a member. It is empty if any value is allowed there, and nil if no value has the
  /// member.
  static func schema(of name: String, in schema: JSONValue) -> JSONValue? {
    if let options = schema["anyOf"]?.arrayValue {
      return options.lazy.compactMap { self.schema(of: name, in: $0) }.first
    }
    guard allowsObjects(schema) else { return nil }
    let others = schema["additionalProperties"]
    if let properties = schema["properties"]?.objectValue {
      if let own = properties[name] { return own }
      // Values may have members that the schema doesn't announce. But a flow that names one has
      // most likely misspelt it.
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
