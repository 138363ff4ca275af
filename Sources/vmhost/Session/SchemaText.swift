import CanonicalJSON

/// Summaries of JSON Schemas for people.
enum SchemaText {
  /// A summary such as `string`, `"none"|"fullScreen"`, `{"title":string,"year"?:integer}` or
  /// `[string]`.
  static func summary(_ schema: JSONValue) -> String {
    if let cases = schema["enum"]?.arrayValue {
      return cases.map(\.canonicalText).joined(separator: "|")
    }
    if let options = schema["anyOf"]?.arrayValue {
      return options.map(summary).joined(separator: "|")
    }
    let types =
      schema["type"]?.arrayValue?.compactMap(\.stringValue)
      ?? [schema["type"]?.stringValue].compactMap { $0 }
    guard !types.isEmpty else { return "any" }
    return types.map { summary(ofType: $0, schema) }.joined(separator: "|")
  }

  private static func summary(ofType type: String, _ schema: JSONValue) -> String {
    switch type {
    case "array":
      return "[\(schema["items"].map(summary) ?? "any")]"
    case "object":
      let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
      guard let properties = schema["properties"]?.objectValue, !properties.isEmpty else {
        guard let values = schema["additionalProperties"], values.objectValue != nil else {
          return "object"
        }
        return "{string:\(summary(values))}"
      }
      let members = properties.sorted { $0.key < $1.key }.map { name, value in
        JSONValue.string(name).canonicalText + (required.contains(name) ? "" : "?")
          + ":\(summary(value))"
      }
      return "{\(members.joined(separator: ","))}"
    default:
      return type
    }
  }
}
