/// The shape of a Codable type as JSON Schema (draft 2020-12).
package enum JSONShape {
  /// The schema of what `type` decodes, found by decoding dummy values and noting what it asks for.
  ///
  /// Uses `type`, `properties`, `required`, `items`, `enum`, `additionalProperties` and `anyOf`.
  /// `{}` is any value; a type within itself is `{}`, too.
  ///
  /// A type that refuses a dummy is tried with others: some texts and small numbers, true and
  /// false. One that takes none (an enum of texts that is not `CaseIterable`, an enum with
  /// payloads) has the shape that was found until then. No value of it can be made, so where it is
  /// not optional, the types around it end there, too: their members after it are missing.
  package static func schema<T: Decodable>(of type: T.Type) -> JSONValue {
    let node = ShapeNode()
    do {
      _ = try ShapeDecoder(node: node, open: [], isRecording: true).value(type)
    } catch {
      // Refusing dummies is legitimate: what was found until then is the answer.
      return node.schema
    }
    return node.schema
  }
}

/// What is known about one value's shape.
final class ShapeNode {
  enum Kind {
    /// Nothing was asked for yet.
    case unknown
    case any
    case scalar(String)
    case cases(String?, [JSONValue])
    case array
    case object
  }

  var kind = Kind.unknown
  var isNullable = false
  var members: [(name: String, node: ShapeNode, isRequired: Bool)] = []
  /// The shapes of an array's elements, or of a dictionary's values.
  var elements: [ShapeNode] = []

  /// The node of that member, made when it is asked for first.
  func member(_ name: String, isRequired: Bool) -> ShapeNode {
    if let index = members.firstIndex(where: { $0.name == name }) {
      if isRequired { members[index].isRequired = true }
      return members[index].node
    }
    let node = ShapeNode()
    members.append((name, node, isRequired))
    return node
  }

  func element() -> ShapeNode {
    let node = ShapeNode()
    elements.append(node)
    return node
  }

  /// Takes over what was found by another try to make the same value.
  func take(_ other: ShapeNode) {
    kind = other.kind
    isNullable = isNullable || other.isNullable
    members = other.members
    elements = other.elements
  }

  /// The same, if more was found than here.
  func takeIfLarger(_ other: ShapeNode) {
    if case .unknown = kind { return take(other) }
    if other.members.count > members.count { take(other) }
  }

  var schema: JSONValue {
    var schema: [String: JSONValue] = [:]
    switch kind {
    case .unknown, .any: return .object([:])
    case .scalar(let name): schema["type"] = type(name)
    case .cases(let name, let values):
      if let name { schema["type"] = type(name) }
      schema["enum"] = .array(values + (isNullable ? [.null] : []))
    case .array:
      schema["type"] = type("array")
      if let items = merged(elements) { schema["items"] = items }
    case .object:
      schema["type"] = type("object")
      addMembers(to: &schema)
    }
    return .object(schema)
  }

  private func type(_ name: String) -> JSONValue {
    isNullable ? .array([.string(name), "null"]) : .string(name)
  }

  private func addMembers(to schema: inout [String: JSONValue]) {
    if let values = merged(elements) { schema["additionalProperties"] = values }
    guard !members.isEmpty else { return }
    schema["properties"] = .object(
      Dictionary(members.map { ($0.name, $0.node.schema) }) { first, _ in first })
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = .array(required.map(JSONValue.string)) }
  }

  private func merged(_ nodes: [ShapeNode]) -> JSONValue? {
    var schemas: [JSONValue] = []
    for node in nodes where !schemas.contains(node.schema) { schemas.append(node.schema) }
    return schemas.count > 1 ? .object(["anyOf": .array(schemas)]) : schemas.first
  }
}
