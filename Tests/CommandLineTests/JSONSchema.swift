import CanonicalJSON
import Foundation

@testable import vmhost

/// Checks values against a JSON Schema of just those keywords that the schemas of this repository
/// use. An unknown keyword is an error: it would say something that nobody checks.
struct JSONSchema {
  struct UnknownKeyword: Error { let name: String }

  private let root: JSONValue

  private let schema: JSONValue

  /// - Parameter definition: the name of the part to check against; nil for the whole.
  init(_ text: String, definition: String? = nil) throws {
    root = try JSONValue(parsing: Array(text.utf8).span)
    schema = definition.map { .object(["$ref": .string("#/$defs/\($0)")]) } ?? root
  }

  func allows(_ value: JSONValue) throws -> Bool { try allows(value, schema) }

  private func allows(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    if let isAllowed = schema.boolValue { return isAllowed }
    for (keyword, rule) in schema.objectValue ?? [:] {
      guard try allows(value, keyword, rule, schema) else { return false }
    }
    return true
  }

  private func allows(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$defs", "title", "description": return true
    case "$ref": return try allows(value, definition(rule.stringValue ?? ""))
    case "type":
      let type = JSONValue.string(Self.type(of: value))
      let types = rule.arrayValue ?? [rule]
      return types.contains(type) || (type == "integer" && types.contains("number"))
    case "const": return value == rule
    case "enum": return (rule.arrayValue ?? []).contains(value)
    case "minimum":
      return Self.number(value).map { $0 >= Self.number(rule) ?? .nan } ?? true
    case "maximum":
      return Self.number(value).map { $0 <= Self.number(rule) ?? .nan } ?? true
    case "allOf": return try (rule.arrayValue ?? []).allSatisfy { try allows(value, $0) }
    case "oneOf": return try (rule.arrayValue ?? []).count { try allows(value, $0) } == 1
    case "anyOf": return try (rule.arrayValue ?? []).contains { try allows(value, $0) }
    case "pattern":
      guard let text = value.stringValue else { return true }
      return try text.contains(Regex(rule.stringValue ?? ""))
    case "minItems": return (value.arrayValue?.count ?? .max) >= rule.intValue ?? .max
    case "prefixItems":
      return try zip(value.arrayValue ?? [], rule.arrayValue ?? []).allSatisfy(allows)
    case "items":
      let others = (value.arrayValue ?? []).dropFirst(schema["prefixItems"]?.arrayValue?.count ?? 0)
      return try others.allSatisfy { try allows($0, rule) }
    case "required":
      guard let members = value.objectValue else { return true }
      return (rule.arrayValue ?? []).allSatisfy { members[$0.stringValue ?? ""] != nil }
    case "propertyNames":
      return try (value.objectValue ?? [:]).keys.allSatisfy { try allows(.string($0), rule) }
    case "properties":
      return try (rule.objectValue ?? [:]).allSatisfy { name, rule in
        try value[name].map { try allows($0, rule) } ?? true
      }
    case "additionalProperties":
      let others = (value.objectValue ?? [:]).filter { schema["properties"]?[$0.key] == nil }
      if let isAllowed = rule.boolValue { return isAllowed || others.isEmpty }
      return try others.values.allSatisfy { try allows($0, rule) }
    default: throw UnknownKeyword(name: keyword)
    }
  }

  private func definition(_ reference: String) throws -> JSONValue {
    guard let path = SchemaPointer.path(of: reference),
      let definition = SchemaPointer.target(of: path, in: root)
    else { throw UnknownKeyword(name: reference) }
    return definition
  }

  private static func number(_ value: JSONValue) -> Double? {
    guard case .number(let number) = value else { return nil }
    return number.doubleValue
  }

  private static func type(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number(let number):
      number.description.contains { ".e".contains($0) } ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
