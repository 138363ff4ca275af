import Basics

/// The words of JSON Schema that this module understands.
package enum SchemaWord: String, CaseIterable {
  case type, `enum`, const
  case properties, required, additionalProperties
  case items, minItems, maxItems
  case minLength, maxLength, minimum, maximum
  case anyOf, oneOf, allOf
  case reference = "$ref"
  case definitions = "$defs"

  /// Words that restrict no value.
  static let annotations: Set<String> = [
    "$comment", "$id", "$schema", "contentEncoding", "contentMediaType", "default", "deprecated",
    "description", "examples", "format", "readOnly", "title", "writeOnly",
  ]

  /// Words of draft 2020-12 that this module doesn't check.
  static let unchecked: Set<String> = [
    "$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary", "contains", "contentSchema",
    "dependentRequired", "dependentSchemas", "else", "exclusiveMaximum", "exclusiveMinimum", "if",
    "maxContains", "maxProperties", "minContains", "minProperties", "multipleOf", "not", "pattern",
    "patternProperties", "prefixItems", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems",
  ]

  /// Why a word that isn't one of the cases has no effect; nil for annotations, which have none.
  static func reasonToIgnore(_ word: String) -> String? {
    if annotations.contains(word) { return nil }
    if unchecked.contains(word) { return "vmhost doesn't check this keyword." }
    return "this keyword is unknown."
      + NearestName.hint(for: word, among: allCases.map(\.rawValue) + annotations + unchecked)
  }
}
