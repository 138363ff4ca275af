import Basics
import CanonicalJSON

/// The schemas of what the markers of a template stand for.
struct FlowSources {
  /// Of the signal's value; nil if it has none.
  var value: JSONValue?
  /// Of the config of the instance that emits the signal; nil if it takes none.
  var config: JSONValue?

  fileprivate subscript(_ marker: FlowPlaceholder) -> JSONValue? {
    switch marker.source {
    case .value: value
    case .config: config
    }
  }
}

/// JSON in which markers stand for parts of a signal.
enum FlowTemplateValidator {
  /// Whether text stands for something else.
  static func isMarker(_ text: String) -> Bool { FlowPlaceholder(text) != nil }

  /// The schema of what a marker stands for; nil for other text, and for what isn't announced.
  static func schema(of text: String, _ schemas: FlowSources) -> JSONValue? {
    FlowPlaceholder(text).flatMap { marker in
      marker.path.reduce(schemas[marker]) { part, name in
        part.flatMap { SchemaMembers.schema(of: name, in: $0) }
      }
    }
  }

  /// Refuses a marker with a nameless member, any marker where no signal leads, and a secret
  /// outside a config, where the plugin would get its name as text.
  static func checkForm(
    _ template: JSONNode, isStart: Bool, isConfig: Bool
  ) throws(ScriptError) {
    try forEachString(in: template) { text, place throws(ScriptError) in
      guard isConfig || !text.hasPrefix(Secrets.marker) else {
        throw ScriptError(
          "secrets are for configs, and \"\(text)\" stands in the value of an input.", at: place)
      }
      guard let marker = FlowPlaceholder(text) else { return }
      let source = marker.source
      guard !isStart else {
        throw ScriptError(
          "no signal leads to the start, so there is no \"\(source.rawValue)\".", at: place)
      }
      guard !marker.path.contains("") else {
        throw ScriptError(
          "\"\(text)\" is neither \"\(source.rawValue)\" nor a member of it, as"
            + " \"\(source.example)\" is.", at: place)
      }
    }
  }

  /// Refuses a marker for something that the signal doesn't have, or for a member that its schema
  /// doesn't announce.
  static func check(
    _ template: JSONNode, of signal: String, _ schemas: FlowSources
  ) throws(ScriptError) {
    try forEachString(in: template) { text, place throws(ScriptError) in
      guard let marker = FlowPlaceholder(text) else { return }
      guard var part = schemas[marker] else {
        let owner = marker.source == .value ? "the signal" : "the view model of"
        let kind = marker.source == .value ? "value" : "config"
        throw ScriptError(
          "\(owner) \"\(signal)\" has no \(kind) that \"\(text)\" could stand for.", at: place)
      }
      var known = marker.source.rawValue
      for name in marker.path {
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
