import Basics
import CanonicalJSON

/// Puts the parts of a signal that has come in place of the markers of a template.
///
/// They go from bytes to bytes: what a signal brings may be large, and was checked when it came.
struct FlowTemplateRenderer {
  /// Canonical JSON; empty for a signal without a value.
  let value: [UInt8]
  /// The config of the signal's instance, as canonical JSON; empty if it has none.
  let config: [UInt8]

  /// The template without the members that stand for what the config doesn't have, so that they
  /// have their own defaults.
  func withoutMissing(_ template: JSONValue) -> JSONValue {
    switch template {
    case .array(let elements): .array(elements.map(withoutMissing))
    case .object(let members):
      .object(members.filter { !isMissing($0.value) }.mapValues(withoutMissing))
    case .null, .bool, .number, .string: template
    }
  }

  private func isMissing(_ template: JSONValue) -> Bool {
    guard let marker = template.stringValue.flatMap(FlowPlaceholder.init), marker.source == .config
    else { return false }
    return part(marker) == nil
  }

  /// The value that a template stands for, as canonical JSON. What isn't there counts as null.
  ///
  /// Markers and secrets are put in place in one walk, so that what was put in is not looked at
  /// again: neither a signal's value that names a secret nor a secret that looks like a marker.
  ///
  /// - Parameters:
  ///   - what: it is for, in an error.
  ///   - secrets: nil where text that names a secret stands for itself.
  func filled(
    _ template: JSONValue, for what: @autoclosure () -> String, secrets: Secrets?,
    _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    var bytes: [UInt8] = []
    try template.append(to: &bytes) { text, bytes throws(SessionError) in
      guard let marker = FlowPlaceholder(text) else {
        return CanonicalJSON.appendString(secrets?.value(for: text) ?? text, to: &bytes)
      }
      guard let part = part(marker) else { return bytes.append(contentsOf: "null".utf8) }
      try budget.check(bytes: bytes.count + part.count)
      bytes.append(source(of: marker).span.extracting(part))
    }
    try budget.take(bytes: bytes.count)
    var end = 0
    do throws(JSONError) {
      _ = try JSONScanner.skipValue(in: bytes.span, at: &end)
    } catch {
      // All parts are JSON, which can only be too deep within the template.
      throw SessionError(.refused, "\(what()) can't be: \(error.detail)")
    }
    return bytes
  }

  private func source(of marker: FlowPlaceholder) -> [UInt8] {
    marker.source == .value ? value : config
  }

  /// Where the part that a marker stands for lies in its source; nil if it isn't there.
  private func part(_ marker: FlowPlaceholder) -> Range<Int>? {
    let source = source(of: marker)
    guard !source.isEmpty else { return nil }
    return marker.path.reduce(0..<source.count) { part, name in
      part.flatMap { Self.member(name, of: source.span, $0) }
    }
  }

  /// Where a member of an object lies in canonical JSON; nil if there is none, or no object.
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
