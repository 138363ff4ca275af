import CanonicalJSON

/// JSON in which `"$value"` stands for the value of a signal.
enum FlowTemplate {
  private static let marker = "$value"

  /// The value that a template stands for.
  static func filled(_ template: JSONValue, with value: JSONValue) -> JSONValue {
    switch template {
    case .string(marker): value
    case .array(let elements): .array(elements.map { filled($0, with: value) })
    case .object(let members): .object(members.mapValues { filled($0, with: value) })
    default: template
    }
  }

  /// Refuses a template that asks for a value which the signal doesn't have.
  ///
  /// - Parameter signal: nil for the start, which no signal leads to.
  static func check(
    _ template: JSONNode, signal: String?, hasValue: Bool
  ) throws(ScriptError) {
    switch template.content {
    case .object(let members):
      for member in members {
        try check(member.value, signal: signal, hasValue: hasValue)
      }
    case .array(let elements):
      for element in elements { try check(element, signal: signal, hasValue: hasValue) }
    case .string(let text) where text.hasPrefix(marker):
      guard text == marker else {
        throw ScriptError(
          "\"$value\" stands for the whole value of the signal, and nothing may follow it.",
          at: template.range.lowerBound)
      }
      guard !hasValue else { return }
      throw ScriptError(
        signal.map { "the signal \"\($0)\" has no value that \"$value\" could stand for." }
          ?? "no signal leads to the start, so there is no \"$value\".",
        at: template.range.lowerBound)
    case .string, .other: break
    }
  }
}
