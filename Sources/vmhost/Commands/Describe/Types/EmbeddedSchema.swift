import CanonicalJSON

/// Copies of a plugin's schemas for a document that has many of them.
///
/// Only words of JSON Schema 2020-12 are copied, with values that they can have. So the document is
/// a schema, whatever a plugin says.
enum EmbeddedSchema {
  /// - Parameter place: the reference to the copy, such as `#/$defs/name`. References within the
  ///   schema then lead to the same part of the copy.
  static func copy(of schema: JSONValue, at place: String) -> JSONValue {
    copy(schema, root: schema, place)
  }

  /// What the value of a word must be.
  private enum Shape {
    case any, text, flag, number, positive, count, texts, list, types, reference
    case schema, schemas, schemasByName
  }

  private static let shapes: [String: Shape] = [
    "$ref": .reference, "$defs": .schemasByName, "definitions": .schemasByName,
    "$comment": .text,
    "type": .types, "enum": .list, "const": .any,
    "multipleOf": .positive, "minimum": .number, "maximum": .number, "exclusiveMinimum": .number,
    "exclusiveMaximum": .number,
    "minLength": .count, "maxLength": .count, "pattern": .text, "format": .text,
    "contentEncoding": .text, "contentMediaType": .text, "contentSchema": .schema,
    "prefixItems": .schemas, "items": .schema, "contains": .schema, "minContains": .count,
    "maxContains": .count, "minItems": .count, "maxItems": .count, "uniqueItems": .flag,
    "unevaluatedItems": .schema,
    "properties": .schemasByName, "patternProperties": .schemasByName,
    "additionalProperties": .schema, "propertyNames": .schema, "required": .texts,
    "minProperties": .count, "maxProperties": .count, "dependentSchemas": .schemasByName,
    "unevaluatedProperties": .schema,
    "allOf": .schemas, "anyOf": .schemas, "oneOf": .schemas, "not": .schema, "if": .schema,
    "then": .schema, "else": .schema,
    "title": .text, "description": .text, "default": .any, "examples": .list, "deprecated": .flag,
    "readOnly": .flag, "writeOnly": .flag,
  ]

  private static func copy(_ schema: JSONValue, root: JSONValue, _ place: String) -> JSONValue {
    guard let words = schema.objectValue else {
      return schema.boolValue.map(JSONValue.bool) ?? .object([:])
    }
    var copies: [String: JSONValue] = [:]
    for (word, value) in words {
      guard let shape = shapes[word] else { continue }
      copies[word] = copy(value, shape, root: root, place)
    }
    return .object(copies)
  }

  private static func copy(
    _ value: JSONValue, _ shape: Shape, root: JSONValue, _ place: String
  ) -> JSONValue? {
    switch shape {
    case .any: return value
    case .text: return value.stringValue == nil ? nil : value
    case .flag: return value.boolValue == nil ? nil : value
    case .number: return value.doubleValue == nil ? nil : value
    case .positive: return value.doubleValue.map { $0 > 0 } == true ? value : nil
    case .count: return value.intValue.map { $0 >= 0 } == true ? value : nil
    case .list: return value.arrayValue == nil ? nil : value
    case .texts: return isSet(value) { $0.stringValue != nil } ? value : nil
    case .types:
      if let name = value.stringValue { return typeNames.contains(name) ? value : nil }
      return isSet(value) { $0.stringValue.map(typeNames.contains) == true }
        && value.arrayValue?.isEmpty == false ? value : nil
    case .reference:
      guard let reference = value.stringValue, let path = SchemaPointer.path(of: reference),
        SchemaPointer.target(of: path, in: root) != nil, isCopied(path[...])
      else { return nil }
      return .string(place + reference.dropFirst())
    case .schema: return copy(value, root: root, place)
    case .schemas:
      guard let schemas = value.arrayValue, !schemas.isEmpty else { return nil }
      return .array(schemas.map { copy($0, root: root, place) })
    case .schemasByName:
      return value.objectValue.map { .object($0.mapValues { copy($0, root: root, place) }) }
    }
  }

  /// Whether a path leads to a schema by words that are copied.
  private static func isCopied(_ path: ArraySlice<String>) -> Bool {
    var rest = path
    while let word = rest.popFirst() {
      switch shapes[word] {
      case .schema: continue
      case .schemas, .schemasByName: if rest.popFirst() == nil { return false }
      default: return false
      }
    }
    return true
  }

  private static let typeNames: Set = [
    "null", "boolean", "integer", "number", "string", "array", "object",
  ]

  /// Whether this is an array of different elements that all are right.
  private static func isSet(_ value: JSONValue, _ isRight: (JSONValue) -> Bool) -> Bool {
    guard let elements = value.arrayValue else { return false }
    return elements.allSatisfy(isRight) && Set(elements).count == elements.count
  }
}
