package import CanonicalJSON

/// A JSON value that knows where it was written, so that an error can point at it.
package struct JSONNode: Sendable {
  struct Member: Sendable {
    let name: String
    /// Where the quote before the name is.
    let place: Int
    let value: JSONNode
  }

  enum Content: Sendable {
    /// In the order of the document.
    case object([Member])
    case array([JSONNode])
    case string(String)
    case other
  }

  let content: Content
  /// Its place in the document.
  let range: Range<Int>
  package let value: JSONValue

  /// Reads a whole document.
  init(_ bytes: [UInt8]) throws(ScriptError) {
    do throws(JSONError) {
      // This refuses all that is not JSON; what follows only looks for the places.
      _ = try JSONValue(parsing: bytes.span)
      var offset = 0
      try self.init(bytes.span, at: &offset)
    } catch {
      throw ScriptError("this is not JSON: \(error.detail).", at: error.offset)
    }
  }

  private init(_ bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) {
    JSONScanner.skipWhitespace(in: bytes, at: &offset)
    let start = offset
    switch bytes[offset] {
    case UInt8(ascii: "{"): content = .object(try Self.members(bytes, at: &offset))
    case UInt8(ascii: "["): content = .array(try Self.elements(bytes, at: &offset))
    case UInt8(ascii: "\""):
      _ = try JSONScanner.skipString(in: bytes, at: &offset)
      content = .string(try Self.text(bytes.extracting(start..<offset)))
    default:
      _ = try JSONScanner.skipValue(in: bytes, at: &offset)
      content = .other
    }
    range = start..<offset
    value = try JSONValue(parsing: bytes.extracting(start..<offset))
  }

  private static func text(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    try JSONValue(parsing: bytes).stringValue ?? ""
  }

  private static func members(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> [Member] {
    var members: [Member] = []
    try forEach(in: bytes, at: &offset) { offset throws(JSONError) in
      let place = offset
      _ = try JSONScanner.skipString(in: bytes, at: &offset)
      let name = try text(bytes.extracting(place..<offset))
      JSONScanner.skipWhitespace(in: bytes, at: &offset)
      // The colon.
      offset += 1
      members.append(
        Member(name: name, place: place, value: try JSONNode(bytes, at: &offset)))
    }
    return members
  }

  private static func elements(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> [JSONNode] {
    var elements: [JSONNode] = []
    try forEach(in: bytes, at: &offset) { offset throws(JSONError) in
      elements.append(try JSONNode(bytes, at: &offset))
    }
    return elements
  }

  /// Reads all that is between two brackets and separated by commas.
  private static func forEach(
    in bytes: Span<UInt8>, at offset: inout Int,
    _ read: (inout Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    // The closing bracket is two after the opening one, for both kinds.
    let end = bytes[offset] + 2
    offset += 1
    JSONScanner.skipWhitespace(in: bytes, at: &offset)
    while bytes[offset] != end {
      try read(&offset)
      JSONScanner.skipWhitespace(in: bytes, at: &offset)
      guard bytes[offset] == UInt8(ascii: ",") else { continue }
      offset += 1
      JSONScanner.skipWhitespace(in: bytes, at: &offset)
    }
    offset += 1
  }
}
