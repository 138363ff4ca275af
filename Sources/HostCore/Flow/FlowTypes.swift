import Basics
import CanonicalJSON

/// Whether what a flow gives can be of the type that is wanted, as far as schemas tell.
///
/// Only what is surely wrong is refused, and a keyword that isn't known here says nothing: the
/// plugin has the last word when it gets the value.
struct FlowTypes {
  private struct Problem {
    let words: String
    let place: Int
  }

  /// The schemas of what markers stand for.
  let sources: FlowSources
  /// Whether what is given is laid over defaults, as a config is: members may be missing or null.
  /// One that the schema doesn't have is a mistake, which the plugin would tell only when it opens
  /// the instance.
  let isConfig: Bool
  /// The same for a part that replaces its default as a whole.
  private var whole: FlowTypes { FlowTypes(sources: sources, isConfig: false) }

  /// Refuses a template that a schema doesn't allow.
  func check(_ template: JSONNode, _ schema: JSONValue) throws(ScriptError) {
    guard let problem = problem(template, schema) else { return }
    throw ScriptError(problem.words, at: problem.place)
  }

  /// How the value of the signal differs from what an input takes; nil if it may be that.
  func mismatch(_ schema: JSONValue) -> (wanted: String, found: String)? {
    sources.value.flatMap { Self.mismatch($0, schema) }
  }

  private func problem(_ node: JSONNode, _ schema: JSONValue) -> Problem? {
    let place = node.range.lowerBound
    if case .string(let text) = node.content, FlowTemplateValidator.isMarker(text) {
      guard let part = FlowTemplateValidator.schema(of: text, sources),
        let mismatch = Self.mismatch(part, schema)
      else { return nil }
      return Problem(
        words: "expected \(mismatch.wanted) here, and \"\(text)\" is \(mismatch.found).",
        place: place)
    }
    if isConfig && node.value.isNull { return nil }
    let type = Self.type(of: node.value)
    if let wanted = Self.types(of: schema), !Self.includes(wanted, type) {
      return Problem(
        words: "expected \(Self.words(wanted)) here, and this is \(Self.words([type])).",
        place: place)
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
      return Problem(words: "this needs \"\(missing)\".", place: node.range.lowerBound)
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
      words: "the config has no \"\(member.name)\" here."
        + NearestName.hint(for: member.name, among: names), place: member.place)
  }

  private func problem(ofConstant node: JSONNode, _ schema: JSONValue) -> Problem? {
    guard let cases = schema["enum"]?.arrayValue, !cases.contains(node.value) else { return nil }
    switch node.content {
    // What is in it may stand for something else.
    case .object, .array: return nil
    case .string(let text) where text.hasPrefix(Secrets.marker): return nil
    case .string, .other:
      let names = cases.map(\.canonicalText).joined(separator: ", ")
      return Problem(words: "expected one of \(names) here.", place: node.range.lowerBound)
    }
  }

  // MARK: Types

  /// In the order in which they are named.
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
    return (words(wanted), words(found))
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

  private static func words(_ types: Set<String>) -> String {
    names.filter(types.contains).map { name in
      name == "null" ? name : "\("aio".contains(name.first ?? "x") ? "an" : "a") \(name)"
    }.joined(separator: " or ")
  }
}
