/// Describes Codable types as JSON Schema (draft 2020-12).
package enum JSONSchema {
  /// What is known about the values of `type`: the schema of what it decodes, found by decoding
  /// dummy values and recording the requests. It need not be what the type encodes.
  ///
  /// Uses `type`, `properties`, `required`, `items`, `enum`, `additionalProperties` and `anyOf`.
  /// `{}` stands for any value, and for a type inside itself.
  ///
  /// If a type refuses a dummy, others are tried: some texts and small numbers, true and false. If
  /// it refuses them all, its schema has what was found until then. That happens with enums that
  /// have payloads or raw values but aren't `CaseIterable`. Where such a type isn't optional,
  /// decoding the types around it ends there too, and their later members are missing.
  package static func schema<T: Decodable>(of type: T.Type) -> JSONValue {
    let node = SchemaNode()
    do {
      _ = try SchemaDecoder(node: node, probe: SchemaProbe()).value(type)
    } catch {
      // A type may refuse dummies. The schema is what was found until then.
      return node.schema
    }
    return node.schema
  }
}

/// What is known about the schema of one value.
final class SchemaNode {
  enum Kind {
    /// Nothing was requested yet.
    case unknown
    case any
    case scalar(String)
    case cases(String?, [JSONValue])
    case array
    case object
  }

  var kind = Kind.unknown
  var isNullable = false
  /// Whether the type decodes in a way that synthesized code doesn't.
  var isUnusual = false
  var members: [(name: String, node: SchemaNode, isRequired: Bool)] = []
  /// The schemas of an array's elements or of a dictionary's values.
  var elements: [SchemaNode] = []

  /// The node of that member, made on first use.
  func member(_ name: String, isRequired: Bool) -> SchemaNode {
    if let index = members.firstIndex(where: { $0.name == name }) {
      if isRequired { members[index].isRequired = true }
      return members[index].node
    }
    let node = SchemaNode()
    members.append((name, node, isRequired))
    return node
  }

  func element() -> SchemaNode {
    let node = SchemaNode()
    elements.append(node)
    return node
  }

  /// Forgets all but that any value may be here.
  func clear() {
    kind = .any
    members = []
    elements = []
  }

  /// Whether a number is anywhere in it.
  var hasNumbers: Bool {
    if case .scalar("number") = kind { return true }
    return elements.contains(where: \.hasNumbers) || members.contains { $0.node.hasNumbers }
  }

  /// Takes over what another attempt to make the same value found.
  func take(_ other: SchemaNode) {
    kind = other.kind
    isNullable = isNullable || other.isNullable
    isUnusual = other.isUnusual
    members = other.members
    elements = other.elements
  }

  /// Takes it over if it is more than what is here.
  func takeIfLarger(_ other: SchemaNode) {
    if case .unknown = kind { return take(other) }
    if other.members.count > members.count { take(other) }
  }

  var schema: JSONValue { schema(isClosed: false) }

  /// - Parameter isClosed: whether objects may have no other members than those that were found.
  func schema(isClosed: Bool) -> JSONValue {
    var schema: [String: JSONValue] = [:]
    switch kind {
    case .unknown, .any: return .object([:])
    case .scalar(let name): schema["type"] = type(name)
    case .cases(let name, let values):
      if let name { schema["type"] = type(name) }
      schema["enum"] = .array(values + (isNullable ? [.null] : []))
    case .array:
      schema["type"] = type("array")
      if let items = merged(elements, isClosed) { schema["items"] = items }
    case .object:
      schema["type"] = type("object")
      addMembers(to: &schema, isClosed)
    }
    return .object(schema)
  }

  private func type(_ name: String) -> JSONValue {
    isNullable ? .array([.string(name), "null"]) : .string(name)
  }

  private func addMembers(to schema: inout [String: JSONValue], _ isClosed: Bool) {
    if let values = merged(elements, isClosed) {
      schema["additionalProperties"] = values
    } else if isClosed {
      schema["additionalProperties"] = false
    }
    guard !members.isEmpty else { return }
    schema["properties"] = .object(
      Dictionary(members.map { ($0.name, $0.node.schema(isClosed: isClosed)) }) { first, _ in first
      })
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = .array(required.map(JSONValue.string)) }
  }

  private func merged(_ nodes: [SchemaNode], _ isClosed: Bool) -> JSONValue? {
    var schemas: [JSONValue] = []
    for node in nodes {
      let schema = node.schema(isClosed: isClosed)
      if !schemas.contains(schema) { schemas.append(schema) }
    }
    return schemas.count > 1 ? .object(["anyOf": .array(schemas)]) : schemas.first
  }
}
