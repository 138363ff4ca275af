import Basics
import CanonicalJSON

/// Converts Swift values to and from the canonical JSON that plugins speak.
enum Coding {
  /// - Parameter subject: what the value is called in errors.
  /// - Throws: `invalid` if the value can't be written as JSON.
  static func encode(
    _ value: some Encodable, as subject: String
  ) throws(HostError) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try JSONCoding.encode(value, appendingTo: &bytes)
    } catch {
      throw HostError(
        .invalid, "could not write \(subject) as JSON: \(JSONCoding.message(for: error)).")
    }
    return bytes
  }

  /// - Parameter subject: what the value belongs to, for errors.
  /// - Throws: `invalid` if there is no value, or if it doesn't fit the type.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], of subject: String
  ) throws(HostError) -> Value {
    guard !bytes.isEmpty else { throw HostError(.invalid, "\(subject) has no value.") }
    do {
      return try JSONCoding.decode(type, from: bytes.span)
    } catch {
      throw HostError(
        .invalid,
        "could not read the value of \(subject) as \(type): \(JSONCoding.message(for: error)).")
    }
  }

  /// The bytes as text; nil if there are none.
  static func text(_ bytes: [UInt8]) -> String? {
    bytes.isEmpty ? nil : String(repairing: bytes.span)
  }
}
