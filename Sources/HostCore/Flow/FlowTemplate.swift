import CanonicalJSON

/// JSON in which `"$value"` stands for the value of a signal, and `"$value.user.name"` for a part
/// of it.
enum FlowTemplate {
  private static let marker = "$value"

  /// The value that a template stands for. A member that isn't there counts as null.
  static func filled(_ template: JSONValue, with value: JSONValue) -> JSONValue {
    switch template {
    case .string(let text):
      guard let path = path(in: text) else { return template }
      return path.reduce(value) { part, name in part[name] ?? .null }
    case .array(let elements): return .array(elements.map { filled($0, with: value) })
    case .object(let members): return .object(members.mapValues { filled($0, with: value) })
    default: return template
    }
  }

  /// The members that a marker goes through, from the signal's value on; nil for other text.
  private static func path(in text: String) -> [String]? {
    if text == marker { return [] }
    guard text.hasPrefix("\(marker).") else { return nil }
    return text.dropFirst(marker.count + 1).split(separator: ".", omittingEmptySubsequences: false)
      .map { String($0) }
  }

  /// Whether text stands for a value.
  static func isMarker(_ text: String) -> Bool { path(in: text) != nil }

  /// The schema of what a marker stands for; nil for other text, and for what isn't announced.
  static func schema(of text: String, _ schema: JSONValue) -> JSONValue? {
    path(in: text)?.reduce(schema) { part, name in
      part.flatMap { SchemaMembers.schema(of: name, in: $0) }
    }
  }

  /// Refuses what begins as a marker does and is none, and any marker where no signal leads.
  static func checkForm(_ template: JSONNode, isStart: Bool) throws(ScriptError) {
    try forEachString(in: template) { text, place throws(ScriptError) in
      guard text.hasPrefix(marker) else { return }
      guard !isStart else {
        throw ScriptError("no signal leads to the start, so there is no \"$value\".", at: place)
      }
      guard let path = path(in: text), !path.contains("") else {
        throw ScriptError(
          "\"\(text)\" is neither \"$value\" nor a member of it, as \"$value.user.name\" is.",
          at: place)
      }
    }
  }

  /// Refuses a marker for a value that the signal doesn't have, or for a member that its schema
  /// doesn't announce.
  static func check(
    _ template: JSONNode, of signal: String, _ schema: JSONValue?
  ) throws(ScriptError) {
    try forEachString(in: template) { text, place throws(ScriptError) in
      guard let path = path(in: text) else { return }
      guard var part = schema else {
        throw ScriptError(
          "the signal \"\(signal)\" has no value that \"\(text)\" could stand for.", at: place)
      }
      var known = marker
      for name in path {
        guard let next = SchemaMembers.schema(of: name, in: part) else {
          let names = SchemaMembers.names(in: part)
          throw ScriptError(
            "\"\(known)\" of the signal \"\(signal)\" has no \"\(name)\"."
              + NearestName.hint(for: name, among: names, prefix: "\(known)."), at: place)
        }
        part = next
        known += ".\(name)"
      }
    }
  }

  private static func forEachString(
    in node: JSONNode, _ body: (String, Int) throws(ScriptError) -> Void
  ) throws(ScriptError) {
    switch node.content {
    case .object(let members):
      for member in members { try forEachString(in: member.value, body) }
    case .array(let elements):
      for element in elements { try forEachString(in: element, body) }
    case .string(let text): try body(text, node.range.lowerBound)
    case .other: break
    }
  }
}
