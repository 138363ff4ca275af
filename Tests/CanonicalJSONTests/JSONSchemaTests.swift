import CanonicalJSON
import Testing

/// A type to look at, in a form that may be a test's argument.
typealias AnyDecodable = any (Decodable & SendableMetatype).Type

struct JSONSchemaTests {
  enum Kind: String, Codable, CaseIterable { case movie, series }
  enum Level: Int, Codable, CaseIterable {
    case low = 1
    case high = 3
  }
  enum Free: String, Codable { case only }
  enum Event: Codable {
    case opened(id: Int)
    case closed
  }
  struct Item: Codable {
    var title: String
    var year: Int?
    var score: Double
    var kind: Kind
    var level: Level?
  }
  struct Page: Codable {
    var items: [Item]
    var names: [String: [Int]]
    var any: JSONValue
    var best: Item?
    var isLast: Bool
  }
  struct Tree: Codable {
    var name: String
    var children: [Tree]
    var parent: [String: Tree]?
    var depth: Int
  }
  final class Chain: Codable {
    var next: Chain?
    var value = 1
  }
  final class Endless: Codable {
    var next: Endless
    init(next: Endless) { self.next = next }
  }
  struct Strict: Codable {
    var first: String
    var second: Int
    init(from decoder: any Decoder) throws {
      let keyed = try decoder.container(keyedBy: CodingKeys.self)
      first = try keyed.decode(String.self, forKey: .first)
      guard !first.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .first, in: keyed, debugDescription: "must not be empty")
      }
      second = try keyed.decode(Int.self, forKey: .second)
    }
  }
  struct Around: Codable {
    var free: Free?
    var strict: Strict?
    var last: Bool
  }
  struct Empty: Codable {}
  enum Grade: Int, Codable {
    case good = 1
    case bad = 3
  }
  /// Takes only a number in a text.
  struct Digits: Codable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard Int(text) != nil else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no number"))
      }
    }
  }
  struct Checked: Codable {
    var grades: [Grade]
    var digits: [String: Digits]
    var strict: Strict
    var last: Bool
  }
  /// Its third member takes no dummy, so that the fourth isn't found.
  struct Blocked: Codable {
    var grade: Grade
    var around: Around
    var free: Free
    var last: Bool
  }

  static let item = #"""
    {"properties":{"kind":{"enum":["movie","series"],"type":"string"},
    "level":{"enum":[1,3,null],"type":["integer","null"]},"score":{"type":"number"},
    "title":{"type":"string"},"year":{"type":["integer","null"]}},
    "required":["title","score","kind"],"type":
    """#

  @Test(
    arguments: [
      (String.self, #"{"type":"string"}"#), (Int8.self, #"{"type":"integer"}"#),
      (Bool?.self, #"{"type":["boolean","null"]}"#), (JSONValue.self, "{}"),
      (JSONValue?.self, "{}"),
      ([Float].self, #"{"type":"array","items":{"type":"number"}}"#),
      ([String: Bool].self, #"{"type":"object","additionalProperties":{"type":"boolean"}}"#),
      (Set<UInt>.self, #"{"type":"array","items":{"type":"integer"}}"#),
      (Empty.self, #"{"type":"object"}"#),
      (WideElements.self, #"{"type":"array","items":{"type":"integer"}}"#),
      (
        WideMembers.self,
        #"{"type":"object","required":["min","max"],"properties":{"#
          + #""min":{"type":"integer"},"max":{"type":"integer"}}}"#
      ),
      (Kind.self, #"{"type":"string","enum":["movie","series"]}"#),
      (Free.self, #"{"type":"string"}"#), (Event.self, #"{"type":"object"}"#),
      (Item.self, item + #""object"}"#),
      (
        Page.self,
        #"{"type":"object","required":["items","names","any","isLast"],"properties":{"any":{},"#
          + #""best":\#(item)["object","null"]},"isLast":{"type":"boolean"},"#
          + #""items":{"type":"array","items":\#(item)"object"}},"#
          + #""names":{"type":"object","additionalProperties":"#
          + #"{"type":"array","items":{"type":"integer"}}}}}"#
      ),
      (
        Tree.self,
        #"{"type":"object","required":["name","children","depth"],"properties":{"#
          + #""children":{"type":"array","items":{}},"depth":{"type":"integer"},"#
          + #""name":{"type":"string"},"parent":{"additionalProperties":{},"#
          + #""type":["object","null"]}}}"#
      ),
      (
        Chain.self,
        #"{"type":"object","required":["value"],"properties":{"next":{},"#
          + #""value":{"type":"integer"}}}"#
      ),
      (Endless.self, #"{"type":"object","required":["next"],"properties":{"next":{}}}"#),
      (
        Strict.self,
        #"{"type":"object","required":["first","second"],"properties":"#
          + #"{"first":{"type":"string"},"second":{"type":"integer"}}}"#
      ),
      (
        Around.self,
        #"{"type":"object","required":["last"],"properties":{"#
          + #""free":{"type":["string","null"]},"#
          + #""last":{"type":"boolean"},"strict":{"type":["object","null"],"#
          + #""required":["first","second"],"#
          + #""properties":{"first":{"type":"string"},"second":{"type":"integer"}}}}}"#
      ),
      (Grade.self, #"{"type":"integer"}"#), (Digits?.self, #"{"type":["string","null"]}"#),
      (
        Checked.self,
        #"{"type":"object","required":["grades","digits","strict","last"],"properties":{"#
          + #""digits":{"type":"object","additionalProperties":{"type":"string"}},"#
          + #""grades":{"type":"array","items":{"type":"integer"}},"last":{"type":"boolean"},"#
          + #""strict":{"type":"object","required":["first","second"],"#
          + #""properties":{"first":{"type":"string"},"second":{"type":"integer"}}}}}"#
      ),
      (
        Blocked.self,
        #"{"type":"object","required":["grade","around","free"],"properties":{"around":"#
          + #"{"type":"object","required":["last"],"properties":{"#
          + #""free":{"type":["string","null"]},"#
          + #""last":{"type":"boolean"},"strict":{"type":["object","null"],"#
          + #""required":["first","second"],"#
          + #""properties":{"first":{"type":"string"},"second":{"type":"integer"}}}}},"#
          + #""free":{"type":"string"},"grade":{"type":"integer"}}}"#
      ),
    ] as [(AnyDecodable, String)])
  func `finds the schema of a type`(
    _ type: AnyDecodable, _ expected: String
  ) throws {
    #expect(JSONSchema.schema(of: type).canonicalText == (try canonical(expected)))
  }
}
