import CanonicalJSON
import Foundation
import Testing

/// A type to look at, in a form that may be a test's argument.
typealias AnyCodable = any (Codable & SendableMetatype).Type

/// Which types have a schema that is certain.
struct ExactSchemaTests {
  private static func encoded<T: Codable>(_ type: T.Type) -> String {
    TypeTrials().schema(ofEncoded: type).canonicalText
  }
  private static func decoded<T: Codable>(_ type: T.Type) -> String {
    TypeTrials().schema(ofDecoded: type).canonicalText
  }

  // MARK: Types that are as they seem

  struct Renamed: Codable {
    enum CodingKeys: String, CodingKey {
      case title = "movie_title"
      case year, isNew
    }
    var title: String
    var year: Int?
    var isNew = false
  }
  enum Kind: String, Codable, CaseIterable { case movie, series }
  /// Writes null for nil, which the synthesized code leaves out.
  struct WritesNull: Codable {
    var a: Int?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(a, forKey: .a)
    }
  }
  /// Has the members of another type beside its own.
  struct Flat: Codable {
    enum CodingKeys: String, CodingKey { case own }
    var other: Renamed
    var own: Int
    init(from decoder: any Decoder) throws {
      other = try Renamed(from: decoder)
      own = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
    }
    func encode(to encoder: any Encoder) throws {
      try other.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(own, forKey: .own)
    }
  }
  @propertyWrapper struct Clamped: Codable {
    var wrappedValue: Int
  }
  struct Wrapping: Codable { @Clamped var level: Int }
  struct Pair<First: Codable, Second: Codable>: Codable {
    var first: First
    var second: Second
  }
  struct ID: RawRepresentable, Codable { var rawValue: String }
  class Base: Codable { var base = 1 }
  final class Inheriting: Base {}
  struct Tree: Codable {
    var name: String
    var children: [Tree]
  }
  struct Wide: Codable {
    var all: UInt64
    var ratio: Double
    var list: [Int?]
  }

  private static let renamed =
    #"{"properties":{"isNew":{"type":"boolean"},"movie_title":{"type":"string"},"#
    + #""year":{"type":["integer","null"]}},"required":["movie_title","isNew"],"type":"object"}"#

  private static let certain: [(AnyCodable, String)] = [
    (String.self, #"{"type":"string"}"#), (Double.self, #"{"type":"number"}"#),
    (UInt64.self, #"{"type":"integer"}"#), (JSONValue.self, "{}"),
    (Bool?.self, #"{"type":["boolean","null"]}"#),
    ([Int?].self, #"{"items":{"type":["integer","null"]},"type":"array"}"#),
    (
      [String: [Kind]].self,
      #"{"additionalProperties":{"items":{"enum":["movie","series"],"type":"string"},"#
        + #""type":"array"},"type":"object"}"#
    ),
    (Set<String>.self, #"{"items":{"type":"string"},"type":"array"}"#),
    (Range<Int>.self, #"{"items":{"type":"integer"},"type":"array"}"#),
    (Kind.self, #"{"enum":["movie","series"],"type":"string"}"#), (Renamed.self, renamed),
    (WritesNull.self, #"{"properties":{"a":{"type":["integer","null"]}},"type":"object"}"#),
    (
      Flat.self,
      #"{"properties":{"isNew":{"type":"boolean"},"movie_title":{"type":"string"},"#
        + #""own":{"type":"integer"},"year":{"type":["integer","null"]}},"#
        + #""required":["movie_title","isNew","own"],"type":"object"}"#
    ),
    (
      Wrapping.self,
      #"{"properties":{"level":{"properties":{"wrappedValue":{"type":"integer"}},"#
        + #""required":["wrappedValue"],"type":"object"}},"required":["level"],"type":"object"}"#
    ),
    (
      Pair<Int, [Kind]>.self,
      #"{"properties":{"first":{"type":"integer"},"second":{"items":{"enum":["movie","series"],"#
        + #""type":"string"},"type":"array"}},"required":["first","second"],"type":"object"}"#
    ),
    (ID.self, #"{"type":"string"}"#),
    (Base.self, #"{"properties":{"base":{"type":"integer"}},"required":["base"],"type":"object"}"#),
    (
      Inheriting.self,
      #"{"properties":{"base":{"type":"integer"}},"required":["base"],"type":"object"}"#
    ),
    (
      URL.self,
      #"{"properties":{"base":{},"relative":{"type":"string"}},"required":["relative"],"#
        + #""type":"object"}"#
    ),
    (
      Tree.self,
      #"{"properties":{"children":{"items":{},"type":"array"},"name":{"type":"string"}},"#
        + #""required":["name","children"],"type":"object"}"#
    ),
    (
      Wide.self,
      #"{"properties":{"all":{"type":"integer"},"list":{"items":{"type":["integer","null"]},"#
        + #""type":"array"},"ratio":{"type":"number"}},"required":["all","ratio","list"],"#
        + #""type":"object"}"#
    ),
  ]

  @Test(arguments: certain) func `a type has a schema that says what is coded`(
    _ type: AnyCodable, _ schema: String
  ) {
    #expect(Self.encoded(type) == schema)
    #expect(Self.decoded(type) == schema)
  }

  // MARK: Types that encode something else

  struct OtherKeys: Codable {
    enum Keys: String, CodingKey { case b }
    var a: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(a, forKey: .b)
    }
  }
  struct OtherType: Codable {
    var a: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode("\(a)", forKey: .a)
    }
  }
  struct OneMore: Codable {
    enum Keys: String, CodingKey { case a, b }
    var a: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(a, forKey: .a)
      try container.encode(a, forKey: .b)
    }
  }
  struct LeavesOutEmpty: Codable {
    var tags: [String]
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    }
  }
  struct LeavesOutZero: Codable {
    var a: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if a != 0 { try container.encode(a, forKey: .a) }
    }
  }
  struct NegativeAsText: Codable {
    var a: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if a < 0 {
        try container.encode("overdrawn", forKey: .a)
      } else {
        try container.encode(a, forKey: .a)
      }
    }
  }
  struct NaNAsNull: Codable {
    var ratio: Double
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if ratio.isNaN {
        try container.encodeNil(forKey: .ratio)
      } else {
        try container.encode(ratio, forKey: .ratio)
      }
    }
  }
  struct ByCase: Codable {
    var kind: Kind
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if kind == .series {
        try container.encode([kind], forKey: .kind)
      } else {
        try container.encode(kind, forKey: .kind)
      }
    }
  }
  struct Constant: Codable {
    let version: Int
    let kind: String
    enum CodingKeys: String, CodingKey { case version, kind }
    init(from decoder: any Decoder) throws {
      version = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .version)
      kind = "movie"
    }
  }

  private static let unlikeDecoded: [AnyCodable] = [
    OtherKeys.self, OtherType.self, OneMore.self, LeavesOutEmpty.self, LeavesOutZero.self,
    NegativeAsText.self, NaNAsNull.self, ByCase.self, Constant.self, [OtherType?].self,
    Pair<String, OneMore>.self,
  ]

  @Test(arguments: unlikeDecoded) func `what is encoded in another form has no schema`(
    _ type: AnyCodable
  ) {
    #expect(Self.encoded(type) == "{}")
    #expect(Self.decoded(type) != "{}")
  }

  @Test func `a known value that doesn't fit says that the schema isn't certain`() throws {
    struct Secretive: Codable {
      var a: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if a == 4711 {
          try container.encode("x", forKey: .a)
        } else {
          try container.encode(a, forKey: .a)
        }
      }
    }
    let json = Array(#"{"a":4711}"#.utf8)
    let known = try JSONCoding.decode(Secretive.self, from: json.span)
    #expect(TypeTrials().schema(ofEncoded: Secretive.self, known: known) == .object([:]))
    #expect(Self.encoded(Secretive.self) != "{}")
  }

  // MARK: Types that decode more than they seem to

  enum TextOrNumber: Codable {
    case text(String)
    case number(Int)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .number(try container.decode(Int.self))
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }
  struct Tolerant: Codable {
    var a: Int
    var b: String
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      a = (try? container.decode(Int.self, forKey: .a)) ?? 0
      b = try container.decode(String.self, forKey: .b)
    }
  }
  struct Nested: Codable {
    enum Keys: String, CodingKey { case inner }
    enum Inner: String, CodingKey { case a }
    var a: Int
    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: Keys.self)
      a = try outer.nestedContainer(keyedBy: Inner.self, forKey: .inner).decode(
        Int.self, forKey: .a)
    }
    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: Keys.self)
      var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
      try inner.encode(a, forKey: .a)
    }
  }
  struct Unkeyed: Codable {
    var a: Int
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      a = try container.decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(a)
    }
  }
  final class Derived: Base {
    var own = 2
    enum CodingKeys: String, CodingKey { case own }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      own = try container.decode(Int.self, forKey: .own)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(own, forKey: .own)
      try super.encode(to: container.superEncoder())
    }
  }
  enum Event: Codable {
    case opened(id: Int)
    case closed
  }
  enum NotIterable: String, Codable { case only }
  struct HasNotIterable: Codable {
    var first: Int
    var kind: NotIterable
  }

  private static let uncertain: [AnyCodable] = [
    TextOrNumber.self, Tolerant.self, Nested.self, Unkeyed.self, Derived.self, Event.self,
    NotIterable.self, HasNotIterable.self, [Int: String].self, [Kind: Int].self, Date.self,
    Data.self, Decimal.self, UUID.self,
  ]

  @Test(arguments: uncertain) func `what decodes in a way of its own has no schema`(
    _ type: AnyCodable
  ) {
    #expect(Self.encoded(type) == "{}")
    #expect(Self.decoded(type) == "{}")
  }

  struct Around: Codable {
    var id: Int
    var when: Date
    var value: TextOrNumber?
    var kind: NotIterable?
    var parts: [Tolerant]
  }

  @Test func `a part that isn't certain may be any value, and the rest has its schema`() {
    let schema =
      #"{"properties":{"id":{"type":"integer"},"kind":{},"parts":{"items":{},"type":"array"},"#
      + #""value":{},"when":{}},"required":["id","when","parts"],"type":"object"}"#
    #expect(Self.decoded(Around.self) == schema)
    #expect(Self.encoded(Around.self) == schema)
  }
}
