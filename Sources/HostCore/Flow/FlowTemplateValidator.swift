import Basics
import CanonicalJSON

/// The schemas of the sources that the placeholders of a template refer to.
struct FlowSources {
  /// The schema of the signal's value; nil if it has none.
  var value: JSONValue?
  /// The schema of the config of the instance that emits the signal; nil if it takes none.
  var config: JSONValue?

  fileprivate subscript(_ placeholder: FlowPlaceholder) -> JSONValue? {
    switch placeholder.source {
    case .value: value
    case .config: config
    }
  }
}

/// Checks templates: JSON in which placeholders stand for parts of a signal.
enum FlowTemplateValidator {
  static func isPlaceholder(_ text: String) -> Bool { FlowPlaceholder(text) != nil }

  /// The schema of the part that a placeholder stands for; nil for other text, and for a part that
  /// no schema announces.
  static func schema(of text: String, _ schemas: FlowSources) -> JSONValue? {
    FlowPlaceholder(text).flatMap { placeholder in
      placeholder.path.reduce(schemas[placeholder]) { part, name in
        part.flatMap { SchemaMembers.schema(of: name, in: $0) }
      }
    }
  }

  /// Throws if a placeholder has a member without a name, if the template of the start has a
  /// placeholder, as no signal leads there, or if a secret stands outside a config, where the
  /// plugin would get its name as text.
  static func checkForm(
    _ template: JSONNode, isStart: Bool, isConfig: Bool
  ) throws(ScriptError) {
    try forEachString(in: template) { text, offset throws(ScriptError) in
      guard isConfig || !text.hasPrefix(Secrets.prefix) else {
        throw ScriptError(
          "a secret can only be in a config, and \"\(text)\" is in the value of an"
            + " input.", at: offset)
      }
      guard let placeholder = FlowPlaceholder(text) else { return }
      let source = placeholder.source
      guard !isStart else {
        throw ScriptError(
          "no signal leads to the start, so there is no \"\(source.rawValue)\".", at: offset)
      }
      guard !placeholder.path.contains("") else {
        throw ScriptError(
          "\"\(text)\" is neither \"\(source.rawValue)\" nor a member of it, as"
            + " \"\(source.example)\" is.", at: offset)
      }
    }
  }

  /// Throws if a placeholder names a source that the signal doesn't have, or a member that the
  /// source's schema doesn't announce.
  static func check(
    _ template: JSONNode, of signal: String, _ schemas: FlowSources
  ) throws(ScriptError) {
    try forEachString(in: template) { text, offset throws(ScriptError) in
      guard let placeholder = FlowPlaceholder(text) else { return }
      guard var part = schemas[placeholder] else {
        let owner = placeholder.source == .value ? "the signal" : "the view model of"
        let kind = placeholder.source == .value ? "value" : "config"
        throw ScriptError(
          "\"\(text)\" can't be used: \(owner) \"\(signal)\" has no \(kind).", at: offset)
      }
      var known = placeholder.source.rawValue
      for name in placeholder.path {
        guard let next = SchemaMembers.schema(of: name, in: part) else {
          let names = SchemaMembers.names(in: part)
          throw ScriptError(
            "\"\(known)\" of the signal \"\(signal)\" has no \"\(name)\"."
              + NearestName.hint(for: name, among: names, prefix: "\(known)."), at: offset)
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
