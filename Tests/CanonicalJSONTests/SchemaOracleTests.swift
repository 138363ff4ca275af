import Basics
import CanonicalJSON
import Testing

/// The validator beside a simple one, on random schemas and values.
struct SchemaOracleTests {
  /// Says by parsed values whether one fits, in the words of the specification.
  private struct Oracle {
    let document: JSONValue

    func allows(_ value: JSONValue, _ schema: JSONValue) -> Bool {
      guard let words = schema.objectValue else { return schema.boolValue ?? false }
      return words.allSatisfy { allows(value, $0.key, $0.value, words) }
    }

    private func allows(
      _ value: JSONValue, _ word: String, _ rule: JSONValue, _ words: [String: JSONValue]
    ) -> Bool {
      let rules = rule.arrayValue ?? []
      switch word {
      case "type": return (rule.arrayValue ?? [rule]).contains { isOf($0.stringValue ?? "", value) }
      case "enum": return rules.contains(value)
      case "const": return value == rule
      case "anyOf": return rules.contains { allows(value, $0) }
      case "allOf": return rules.allSatisfy { allows(value, $0) }
      case "oneOf": return rules.count { allows(value, $0) } == 1
      case "$ref": return allows(value, document["$defs"]?["d"] ?? false)
      case "minimum": return value.doubleValue.map { $0 >= rule.doubleValue ?? 0 } ?? true
      case "maximum": return value.doubleValue.map { $0 <= rule.doubleValue ?? 0 } ?? true
      case "minLength":
        return (value.stringValue?.unicodeScalars.count ?? .max) >= rule.intValue ?? 0
      case "maxLength": return (value.stringValue?.unicodeScalars.count ?? 0) <= rule.intValue ?? 0
      case "minItems": return (value.arrayValue?.count ?? .max) >= rule.intValue ?? 0
      case "maxItems": return (value.arrayValue?.count ?? 0) <= rule.intValue ?? 0
      case "items": return (value.arrayValue ?? []).allSatisfy { allows($0, rule) }
      case "required":
        guard let members = value.objectValue else { return true }
        return rules.allSatisfy { members[$0.stringValue ?? ""] != nil }
      case "properties":
        return (rule.objectValue ?? [:]).allSatisfy { name, rule in
          value[name].map { allows($0, rule) } ?? true
        }
      case "additionalProperties":
        return (value.objectValue ?? [:]).allSatisfy { name, member in
          words["properties"]?[name] != nil || allows(member, rule)
        }
      default: return true
      }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
      switch value {
      case .null: type == "null"
      case .bool: type == "boolean"
      case .number(let number):
        type == "number" || type == "integer" && number.doubleValue.rounded() == number.doubleValue
      case .string: type == "string"
      case .array: type == "array"
      case .object: type == "object"
      }
    }
  }

  private static let names = ["a", "b", "é", "\n", ""]
  private static let scalars: [JSONValue] = [
    .null, true, false, 0, 1, -1, 2, 1.5, 1e21, "", "a", "ab", "\u{1F600}\n",
  ]

  private static func value(
    _ depth: Int, _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &random) {
    case 2:
      return .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, &random) })
    case 3:
      var members: [String: JSONValue] = [:]
      for name in names where Bool.random(using: &random) {
        members[name] = value(depth - 1, &random)
      }
      return .object(members)
    default: return scalars.randomElement(using: &random) ?? .null
    }
  }

  private static func schema(
    _ depth: Int, _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    guard depth > 0, Int.random(in: 0..<6, using: &random) > 0 else {
      return .bool(Int.random(in: 0..<4, using: &random) > 0)
    }
    var words: [String: JSONValue] = [:]
    let types = ["null", "boolean", "integer", "number", "string", "array", "object"]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let number = JSONValue.number(JSONNumber(Int.random(in: 0...2, using: &random)))
      let parts = (0...Int.random(in: 0...1, using: &random)).map { _ in schema(depth - 1, &random)
      }
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1:
        words["type"] = .array(
          types.filter { _ in Int.random(in: 0..<2, using: &random) > 0 }.map(JSONValue.string))
      case 2: words["enum"] = .array((0..<4).map { _ in value(1, &random) })
      case 3: words["const"] = value(0, &random)
      case 4: words["anyOf"] = .array(parts)
      case 5: words["allOf"] = .array(parts)
      case 6: words["oneOf"] = .array(parts)
      case 7: words["$ref"] = "#/$defs/d"
      case 8: words[["minimum", "maximum"].randomElement(using: &random) ?? ""] = number
      case 9: words[["minLength", "maxLength"].randomElement(using: &random) ?? ""] = number
      case 10: words[["minItems", "maxItems"].randomElement(using: &random) ?? ""] = number
      case 11: words["items"] = parts[0]
      case 12:
        words["required"] = .array(
          names.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map(JSONValue.string))
      case 13: words["additionalProperties"] = parts[0]
      default:
        var members: [String: JSONValue] = [:]
        for name in names where Bool.random(using: &random) {
          members[name] = schema(depth - 1, &random)
        }
        words["properties"] = .object(members)
      }
    }
    return .object(words)
  }

  @Test(arguments: 0..<8) func `agrees with a simple validator on random schemas`(
    _ seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var fitting = 0
    for _ in 0..<2000 {
      guard case .object(var words) = Self.schema(4, &random) else { continue }
      words["$defs"] = ["d": Self.schema(2, &random)]
      let document = JSONValue.object(words)
      // A definition that is its own is no schema.
      guard let validator = try? SchemaValidator(document) else { continue }
      for _ in 0..<8 {
        let value = Self.value(3, &random)
        let json = Array(value.canonicalText.utf8)
        let isAllowed = Oracle(document: document).allows(value, document)
        let verdicts = [validator.accepts(json.span), validator.accepts(canonical: json.span)]
        let mismatch = try validator.mismatch(of: json.span)
        #expect(
          verdicts == [isAllowed, isAllowed] && (mismatch == nil) == isAllowed,
          "\(document) \(value) \(mismatch?.description ?? "fits")")
        if isAllowed { fitting += 1 }
      }
    }
    #expect(fitting > 2000)
  }
}
