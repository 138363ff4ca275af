import Basics
package import CanonicalJSON

/// A JSON value with its range in the document, so that an error can point at it.
package struct JSONNode: Sendable {
  struct Member: Sendable {
    let name: String
    /// The offset of the quote before the name.
    let offset: Int
    let value: JSONNode
  }

  enum Content: Sendable {
    /// The members, in the order of the document.
    case object([Member])
    case array([JSONNode])
    case string(String)
    case other
  }

  let content: Content
  /// The offsets of the value in the document.
  let range: Range<Int>
  package let value: JSONValue

  /// Reads a whole document.
  init(_ bytes: [UInt8]) throws(ScriptError) {
    do throws(JSONError) {
      // Parsing refuses everything that isn't JSON. The walk below only finds the ranges.
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
      let text = try JSONScanner.skipString(in: bytes, at: &offset).content
      content = .string(try CanonicalJSON.unescape(bytes.extracting(text)))
    default:
      _ = try JSONScanner.skipValue(in: bytes, at: &offset)
      content = .other
    }
    range = start..<offset
    value = try JSONValue(parsing: bytes.extracting(start..<offset))
  }

  /// The members of an object that may have just these.
  ///
  /// - Parameter what: names the object in an error.
  func members(what: String, known: [String]) throws(ScriptError) -> [Member] {
    guard case .object(let members) = content else {
      throw ScriptError("\(what) is an object.", at: range.lowerBound)
    }
    for member in members where !known.contains(member.name) {
      throw ScriptError(
        "\(what) has no \"\(member.name)\" here."
          + NearestName.hint(for: member.name, among: known),
        at: member.offset)
    }
    return members
  }

  private static func members(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> [Member] {
    var members: [Member] = []
    while let key = try JSONScanner.nextKey(in: bytes, at: &offset) {
      let name = try CanonicalJSON.unescape(bytes.extracting(key.content))
      members.append(
        Member(
          name: name, offset: key.quoted.lowerBound, value: try JSONNode(bytes, at: &offset)))
    }
    return members
  }

  private static func elements(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> [JSONNode] {
    var elements: [JSONNode] = []
    while try JSONScanner.nextElement(in: bytes, at: &offset) {
      elements.append(try JSONNode(bytes, at: &offset))
    }
    return elements
  }
}
