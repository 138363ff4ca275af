import Basics
import CanonicalJSON

/// Codes the values of ports. Strings, integers and flags, which most ports have, don't take the
/// detour through Codable.
@ViewModelActor enum PortCoding {
  /// A builder that nobody uses.
  private static var spareBuilder: JSONBuilder?
  /// A writer that nobody uses.
  private static var spareWriter: MemberWriter?
  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)

  static func decode<Value: Decodable>(_ type: Value.Type, from json: Span<UInt8>) throws -> Value {
    if type == String.self, json[0] == UInt8(ascii: "\"") {
      var end = 0
      let (content, hasEscapes) = try JSONScanner.skipString(in: json, at: &end)
      if end == json.count, !hasEscapes {
        return sameType(String(repairing: json.extracting(content)), as: type)
      }
    }
    if type == Bool.self, let flag = flag(json) { return sameType(flag, as: type) }
    if type == Int.self, let int = smallInteger(json) { return sameType(int, as: type) }
    return try JSONCoding.decode(type, from: json)
  }

  /// Whether values of that type have a way of their own here.
  nonisolated static func knows(_ type: any Any.Type) -> Bool {
    type == String.self || type == Bool.self || type == Int.self
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

  static func encode<Value: DirectJSON>(
    directly value: Value, appendingTo json: inout [UInt8]
  ) throws {
    // Taken out, because code of the author runs that may come here again.
    var writer = spareWriter.take()
    defer { spareWriter = writer }
    try JSONCoding.encode(directly: value, appendingTo: &json, with: &writer)
  }

  static func encode<Value: Encodable>(_ value: Value, appendingTo json: inout [UInt8]) throws {
    if Value.self == String.self {
      CanonicalJSON.appendString(sameType(value, as: String.self), to: &json)
    } else if Value.self == Bool.self {
      json.append(contentsOf: sameType(value, as: Bool.self) ? yes : no)
    } else {
      var builder = spareBuilder.take()
      defer { spareBuilder = builder }
      try JSONCoding.encode(value, appendingTo: &json, with: &builder)
    }
  }
}
