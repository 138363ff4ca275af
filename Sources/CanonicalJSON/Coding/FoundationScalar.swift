/// A type of Foundation that is a single string or number in JSON.
///
/// `ViewModelKitFoundation` makes the types conform, so that this module imports no Foundation.
package protocol FoundationScalar: Codable, Sendable {
  /// How an error names what was expected.
  static var jsonName: String { get }
  /// The name of its type in a schema.
  static var schemaType: String { get }

  /// Returns nil if the value is of another type or not acceptable.
  init?(json: JSONValue)

  /// Nil if JSON can't express it.
  var json: JSONValue? { get }

  /// The dummy to try for that number and that text.
  static func dummy(number: Double, text: String) -> Self
}
