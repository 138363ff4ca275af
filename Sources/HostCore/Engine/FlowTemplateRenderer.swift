import Basics
import CanonicalJSON

/// Replaces the placeholders of a template by parts of a signal's value and config.
///
/// It copies bytes and parses nothing: a signal's value may be large, and the engine checked it
/// when the plugin emitted it.
struct FlowTemplateRenderer {
  /// The signal's value, as canonical JSON; empty if it has none.
  let value: [UInt8]
  /// The config of the signal's instance, as canonical JSON; empty if it has none.
  let config: [UInt8]

  /// The template without the members whose placeholder names a part that the config doesn't have,
  /// so that these members get their own defaults.
  func withoutMissing(_ template: JSONValue) -> JSONValue {
    switch template {
    case .array(let elements): .array(elements.map(withoutMissing))
    case .object(let members):
      .object(members.filter { !isMissing($0.value) }.mapValues(withoutMissing))
    case .null, .bool, .number, .string: template
    }
  }

  private func isMissing(_ template: JSONValue) -> Bool {
    guard let placeholder = template.stringValue.flatMap(FlowPlaceholder.init),
      placeholder.source == .config
    else { return false }
    return part(placeholder) == nil
  }

  /// Renders a template as canonical JSON. A missing part becomes null.
  ///
  /// One walk replaces both placeholders and secrets, so that it never looks at what it inserted:
  /// a signal's value may name a secret, and a secret may look like a placeholder.
  ///
  /// - Parameters:
  ///   - what: names the value in an error.
  ///   - secret: the secret that a text names; nil for other text.
  /// - Throws: `refused`, if the budget is spent or the value is nested too deeply.
  func render(
    _ template: JSONValue, for what: @autoclosure () -> String, secret: (String) -> String?,
    _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    var bytes: [UInt8] = []
    try template.append(to: &bytes) { text, bytes throws(SessionError) in
      guard let placeholder = FlowPlaceholder(text) else {
        return CanonicalJSON.appendString(secret(text) ?? text, to: &bytes)
      }
      guard let part = part(placeholder) else { return bytes.append(contentsOf: "null".utf8) }
      try budget.check(bytes: bytes.count + part.count)
      bytes.append(source(of: placeholder).span.extracting(part))
    }
    try budget.take(bytes: bytes.count)
    var end = 0
    do throws(JSONError) {
      _ = try JSONScanner.skipValue(in: bytes.span, at: &end)
    } catch {
      // All parts are JSON. Within the template they can only be nested too deeply.
      throw SessionError(.mistake(.value), "\(what()) is impossible: \(error.detail)")
    }
    return bytes
  }

  private func source(of placeholder: FlowPlaceholder) -> [UInt8] {
    placeholder.source == .value ? value : config
  }

  /// The bytes of the source that a placeholder stands for; nil if there are none.
  private func part(_ placeholder: FlowPlaceholder) -> Range<Int>? {
    let source = source(of: placeholder)
    guard !source.isEmpty else { return nil }
    return placeholder.path.reduce(0..<source.count) { part, name in
      part.flatMap { Self.member(name, of: source.span, $0) }
    }
  }

  /// The bytes of a member of an object in canonical JSON; nil if it has none or is no object.
  private static func member(
    _ name: String, of json: Span<UInt8>, _ object: Range<Int>
  ) -> Range<Int>? {
    guard json[object.lowerBound] == UInt8(ascii: "{") else { return nil }
    var wanted: [UInt8] = []
    CanonicalJSON.appendString(name, to: &wanted)
    var offset = object.lowerBound
    while let member = try? JSONScanner.nextMember(in: json, at: &offset) {
      if json.extracting(member.key.quoted).equals(wanted.span) { return member.value }
    }
    return nil
  }
}
