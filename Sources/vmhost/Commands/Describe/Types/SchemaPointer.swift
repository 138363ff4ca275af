import Basics
import CanonicalJSON

/// References within a schema, such as `#/$defs/node`.
enum SchemaPointer {
  /// The path of a reference to a part of the same schema; nil for any other reference.
  static func path(of reference: String) -> [String]? {
    guard reference.utf8.first == UInt8(ascii: "#"),
      let pointer = decoded(reference.utf8.dropFirst())
    else {
      return nil
    }
    guard !pointer.isEmpty else { return [] }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    return pointer.byteSplit(separator: "/").dropFirst().map {
      $0.byteReplacing("~1", with: "/").byteReplacing("~0", with: "~")
    }
  }

  /// The part of a schema that a path leads to, if it can be a schema.
  static func target(of path: [String], in schema: JSONValue) -> JSONValue? {
    var target = schema
    for name in path {
      guard let next = target[name] ?? Int(name).flatMap({ target[$0] }) else { return nil }
      target = next
    }
    return target.objectValue != nil || target.boolValue != nil ? target : nil
  }

  /// Decodes what is written in percent: the reference is a part of a URI.
  private static func decoded(_ text: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
