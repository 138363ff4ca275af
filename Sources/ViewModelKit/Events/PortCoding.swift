import Basics
import CanonicalJSON

/// Codes the values of ports. Strings, integers and flags, which most ports have, don't take the
/// detour through Codable.
enum PortCoding {
  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)

  static func decode<Value: Decodable>(_ type: Value.Type, from json: Span<UInt8>) throws -> Value {
    // Each cast is between equal types, as the comparison before it shows.
    if type == String.self, json[0] == UInt8(ascii: "\"") {
      var end = 0
      let (content, hasEscapes) = try JSONScanner.skipString(in: json, at: &end)
      if end == json.count, !hasEscapes {
        return unsafe unsafeBitCast(String(repairing: json.extracting(content)), to: type)
      }
    }
    if type == Bool.self, let flag = flag(json) { return unsafe unsafeBitCast(flag, to: type) }
    if type == Int.self, let int = smallInteger(json) { return unsafe unsafeBitCast(int, to: type) }
    return try JSONCoding.decode(type, from: json)
  }

  private static func flag(_ json: Span<UInt8>) -> Bool? {
    if yes.equals(json) { return true }
    return no.equals(json) ? false : nil
  }

  /// The value of digits that can't overflow, or nil for anything else, which may still be an
  /// integer.
  private static func smallInteger(_ json: Span<UInt8>) -> Int? {
    guard 1...18 ~= json.count, json[0] != UInt8(ascii: "0") else { return nil }
    var value = 0
    for index in 0..<json.count {
      guard 0x30...0x39 ~= json[index] else { return nil }
      value = value * 10 + Int(json[index] - 0x30)
    }
    return value
  }

  static func encode<Value: Encodable>(_ value: Value, appendingTo json: inout [UInt8]) throws {
    if Value.self == String.self {
      CanonicalJSON.appendString(unsafe unsafeBitCast(value, to: String.self), to: &json)
    } else if Value.self == Bool.self {
      json.append(contentsOf: unsafe unsafeBitCast(value, to: Bool.self) ? yes : no)
    } else {
      try JSONCoding.encode(value, appendingTo: &json)
    }
  }
}
