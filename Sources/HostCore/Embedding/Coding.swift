import Basics
import CanonicalJSON

/// Values between Swift and the canonical JSON that plugins speak, with errors in sentences.
enum Coding {
  /// - Parameter subject: the value in words, for errors.
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

  static func text(_ bytes: [UInt8]) -> String? {
    bytes.isEmpty ? nil : String(repairing: bytes.span)
  }
}
