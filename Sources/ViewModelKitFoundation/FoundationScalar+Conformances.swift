package import CanonicalJSON
package import FoundationEssentials

// The JSON of Foundation's types, as JSONEncoder writes and JSONDecoder reads it by default. The
// kit finds the conformances at run time.

/// A number.
extension Decimal: FoundationScalar {
  package static var jsonName: String { "a number of at most 38 digits" }
  package static var schemaType: String { "number" }

  package init?(json: JSONValue) {
    guard case .number(let number) = json, let value = Decimal(string: number.description) else {
      return nil
    }
    self = value
  }

  package var json: JSONValue? { isFinite ? try? JSONValue(parsing: description.utf8.span) : nil }

  package static func dummy(number: Double, text: String) -> Decimal { Decimal(number) }
}

/// The seconds since 2001, a number.
extension Date: FoundationScalar {
  package static var jsonName: String { "a number of seconds since 2001" }
  package static var schemaType: String { "number" }

  package init?(json: JSONValue) {
    guard case .number(let number) = json, number.doubleValue.isFinite else { return nil }
    self.init(timeIntervalSinceReferenceDate: number.doubleValue)
  }

  package var json: JSONValue? { JSONNumber(timeIntervalSinceReferenceDate).map(JSONValue.number) }

  package static func dummy(number: Double, text: String) -> Date {
    Date(timeIntervalSinceReferenceDate: number)
  }
}

/// The absolute string.
extension URL: FoundationScalar {
  package static var jsonName: String { "the text of a URL" }
  package static var schemaType: String { "string" }

  package init?(json: JSONValue) {
    guard let text = json.stringValue, let url = URL(string: text) else { return nil }
    self = url
  }

  package var json: JSONValue? { .string(absoluteString) }

  package static func dummy(number: Double, text: String) -> URL {
    URL(string: text) ?? URL(filePath: "/")
  }
}

/// Base64.
extension Data: FoundationScalar {
  package static var jsonName: String { "text in Base64" }
  package static var schemaType: String { "string" }

  package init?(json: JSONValue) {
    guard let text = json.stringValue, let data = Data(base64Encoded: text) else { return nil }
    self = data
  }

  package var json: JSONValue? { .string(base64EncodedString()) }

  package static func dummy(number: Double, text: String) -> Data { Data(text.utf8) }
}

/// The text in upper case.
extension UUID: FoundationScalar {
  package static var jsonName: String { "the text of a UUID" }
  package static var schemaType: String { "string" }

  package init?(json: JSONValue) {
    guard let text = json.stringValue, let id = UUID(uuidString: text) else { return nil }
    self = id
  }

  package var json: JSONValue? { .string(uuidString) }

  package static func dummy(number: Double, text: String) -> UUID {
    let zero: UInt8 = 0
    return UUID(
      uuid: (
        zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero,
        UInt8(text.utf8.count)
      ))
  }
}
