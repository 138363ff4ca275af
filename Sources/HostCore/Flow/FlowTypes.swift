import Basics
import CanonicalJSON

/// Checks whether the values of a flow can have the types that schemas expect.
///
/// It refuses a value only if it is surely wrong, and ignores unknown keywords of a schema.
/// The plugin makes the final check when it gets the value.
struct FlowTypes {
  private struct Problem {
    let description: String
    let offset: Int
  }

  /// The schemas of the parts that placeholders stand for.
  let sources: FlowSources
  /// Whether the value is merged with defaults, as a config is. Its members may be missing or null
  /// then. A member that the schema doesn't have is a mistake, which would otherwise only show when
  /// the plugin opens the instance.
  let isConfig: Bool
  /// The check for a part that replaces its default as a whole.
  private var whole: FlowTypes { FlowTypes(sources: sources, isConfig: false) }

  /// Throws if a schema doesn't allow the template.
  func check(_ template: JSONNode, _ schema: JSONValue) throws(ScriptError) {
    guard let problem = problem(template, schema) else { return }
    throw ScriptError(problem.description, at: problem.offset)
  }

  /// The types that an input takes and that the signal's value has; nil if they are compatible.
  func mismatch(_ schema: JSONValue) -> (wanted: String, found: String)? {
    sources.value.flatMap { Self.mismatch($0, schema) }
  }

  private func problem(_ node: JSONNode, _ schema: JSONValue) -> Problem? {
    let offset = node.range.lowerBound
    if case .string(let text) = node.content, FlowTemplateValidator.isPlaceholder(text) {
      guard let part = FlowTemplateValidator.schema(of: text, sources),
        let mismatch = Self.mismatch(part, schema)
      else { return nil }
      return Problem(
        description: "expected \(mismatch.wanted) here, and \"\(text)\" is \(mismatch.found).",
        offset: offset)
    }
    if isConfig && node.value.isNull { return nil }
    let type = Self.type(of: node.value)
    if let wanted = Self.types(of: schema), !Self.includes(wanted, type) {
      return Problem(
        description: "expected \(Self.description(of: wanted)) here, found"
          + " \(Self.description(of: [type])).",
        offset: offset)
    }
    if let options = schema["anyOf"]?.arrayValue {
      let problems = options.map { problem(node, $0) }
      return problems.contains { $0 == nil } ? nil : problems.compactMap { $0 }.last
    }
    return problem(within: node, schema) ?? problem(ofConstant: node, schema)
  }

  private func problem(within node: JSONNode, _ schema: JSONValue) -> Problem? {
    switch node.content {
    case .object(let members):
      for member in members {
        if let problem = problem(member, of: schema) { return problem }
      }
      let missing = schema["required"]?.arrayValue?.compactMap(\.stringValue).first { name in
        !members.contains { $0.name == name }
      }
      guard let missing, !isConfig else { return nil }
      return Problem(description: "this needs \"\(missing)\".", offset: node.range.lowerBound)
    case .array(let elements):
      guard let items = schema["items"] else { return nil }
      return elements.lazy.compactMap { whole.problem($0, items) }.first
    case .string, .other: return nil
    }
  }

  private func problem(_ member: JSONNode.Member, of schema: JSONValue) -> Problem? {
    if let part = SchemaMembers.schema(of: member.name, in: schema) {
      let isNamed = schema["properties"]?[member.name] != nil
      return (isNamed ? self : whole).problem(member.value, part)
    }
    guard isConfig else { return nil }
    let names = SchemaMembers.names(in: schema)
    return Problem(
      description: "the config has no \"\(member.name)\" here."
        + NearestName.hint(for: member.name, among: names), offset: member.offset)
  }

  private func problem(ofConstant node: JSONNode, _ schema: JSONValue) -> Problem? {
    guard let cases = schema["enum"]?.arrayValue, !cases.contains(node.value) else { return nil }
    switch node.content {
    // It may contain placeholders.
    case .object, .array: return nil
    case .string(let text) where text.hasPrefix(Secrets.prefix): return nil
    case .string, .other:
      let names = cases.map(\.canonicalText).joined(separator: ", ")
      return Problem(description: "expected one of \(names) here.", offset: node.range.lowerBound)
    }
  }

  // MARK: Types

  /// All types, in the order in which messages name them.
  private static let names = [
    "string", "integer", "number", "boolean", "array", "object", "null",
  ]

  private static func mismatch(
    _ schema: JSONValue, _ other: JSONValue
  ) -> (wanted: String, found: String)? {
    guard let found = types(of: schema), let wanted = types(of: other) else { return nil }
    // A number may turn out to be an integer.
    let possible = found.contains("number") ? found.union(["integer"]) : found
    guard !possible.contains(where: { includes(wanted, $0) }) else { return nil }
    return (description(of: wanted), description(of: found))
  }

  /// The types that a schema allows; nil for any.
  private static func types(of schema: JSONValue) -> Set<String>? {
    if let cases = schema["enum"]?.arrayValue { return Set(cases.map(type)) }
    if let options = schema["anyOf"]?.arrayValue {
      let types = options.map(types)
      return types.contains(nil)
        ? nil : types.compactMap { $0 }.reduce(into: []) { $0.formUnion($1) }
    }
    switch schema["type"] {
    case .string(let type): return [type]
    case .array(let types): return Set(types.compactMap(\.stringValue))
    default: return nil
    }
  }

  private static func includes(_ types: Set<String>, _ type: String) -> Bool {
    types.contains(type) || type == "integer" && types.contains("number")
  }

  private static func type(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number(let number):
      number.doubleValue.rounded() == number.doubleValue ? "integer" : "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  private static func description(of types: Set<String>) -> String {
    names.filter(types.contains).map { name in
      name == "null" ? name : "\("aio".contains(name.first ?? "x") ? "an" : "a") \(name)"
    }.joined(separator: " or ")
  }
}
