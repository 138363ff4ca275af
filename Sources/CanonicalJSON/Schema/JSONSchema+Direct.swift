import Basics

extension JSONSchema {
  /// How what a type reads and writes itself differs from Codable; nil if no dummy shows that.
  package static func directDifference<T: DirectJSON>(of type: T.Type) -> String? {
    for (attempt, isShort) in [(0, true), (1, false), (SchemaScalar.largest, false)] {
      let probe = SchemaProbe(attempt: attempt, isShort: isShort)
      guard let value = try? SchemaDecoder(node: SchemaNode(), probe: probe).value(type),
        let json = encoded(value)
      else { return nil }
      if let difference = directDifference(value, json) { return difference }
    }
    return nil
  }

  private static func directDifference<T: DirectJSON>(_ value: T, _ json: [UInt8]) -> String? {
    var writer = MemberWriter()
    do {
      try value.write(to: &writer)
    } catch {
      return "\(T.self) doesn't write \(text(json)) itself: \(reason(error))"
    }
    guard writer.output == json else {
      return "\(T.self) writes \(text(writer.output)) itself, and \(text(json)) by Codable"
    }
    var reader = MemberReader(canonical: json)
    do {
      let again = try T(from: &reader)
      guard encoded(again) == json else {
        return "\(T.self) reads another value from \(text(json)) itself than by Codable"
      }
    } catch {
      return "\(T.self) doesn't read \(text(json)) itself: \(reason(error))"
    }
    return nil
  }

  /// By Codable; nil if that isn't possible.
  private static func encoded<T: Encodable>(_ value: T) -> [UInt8]? {
    var json: [UInt8] = []
    do { try JSONCoding.encode(value, appendingTo: &json) } catch { return nil }
    return json
  }

  private static func text(_ json: [UInt8]) -> String { String(repairing: json.span) }

  private static func reason(_ error: any Error) -> String {
    error is DirectMismatch ? "a member is missing, or of another type" : "\(error)"
  }
}
