import CanonicalJSON
import Testing

struct JSONCodingTests {
  struct Movie: Codable, Equatable {
    var title: String
    var year: Int?
    var rating = 0.5
    var tags: [String] = []
    var isNew: Bool = false
  }
  struct Page: Codable, Equatable {
    var items: [Movie]
    var byName: [String: Movie]
    var matrix: [[Int]]
    var state: State
    var extra: JSONValue
    var next: [Page]?
  }
  enum State: String, Codable { case idle, loading }
  enum Event: Codable, Equatable {
    case opened(id: Int)
    case closed
  }
  struct Empty: Codable, Equatable {}
  struct Numbers: Codable, Equatable {
    var a = Int8.min
    var b = UInt64.max
    var c = Int64.min
    var d = Int128.max
    var e = Float(0.1)
    var f = -1.5e-300
    var g: [UInt8] = [0, 255]
    var h: Double?
  }

  @Test func `encodes members in canonical order and leaves nil out`() throws {
    let movie = Movie(title: "Ba\"t\u{1}é😀", year: nil, tags: ["b", "a"])
    let json = #"{"isNew":false,"rating":0.5,"tags":["b","a"],"title":"Ba\"t\u0001é😀"}"#
    #expect(try encoded(movie) == json)
    #expect(try decoded(Movie.self, json) == movie)
  }

  @Test func `round-trips nested shapes`() throws {
    let movie = Movie(title: "x", year: 1999)
    let inner = Page(
      items: [], byName: [:], matrix: [], state: .idle, extra: .null, next: [])
    let page = Page(
      items: [movie, movie], byName: ["z": movie, "\u{E000}": movie, "😀": movie],
      matrix: [[1, -2], []], state: .loading, extra: ["k": [1, .null, 1.5]], next: [inner])
    let json = try encoded(page)
    #expect(try canonical(json) == json)
    #expect(try decoded(Page.self, json) == page)
    #expect(try parsed(bytes(json)).canonicalText == json)
  }

  /// Keeps its container beyond `encode(to:)`, if it is told to.
  final class Keeper: Encodable {
    let isKeeping: Bool
    var kept: (any UnkeyedEncodingContainer)?

    init(isKeeping: Bool) { self.isKeeping = isKeeping }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      if isKeeping { kept = container }
    }
  }

  @Test func `a builder is used again, unless somebody may still write into it`() throws {
    var spare: JSONBuilder?
    var output: [UInt8] = []
    try JSONCoding.encode(Keeper(isKeeping: false), appendingTo: &output, with: &spare)
    let first = ObjectIdentifier(try #require(spare))
    try JSONCoding.encode(Movie(title: "x"), appendingTo: &output, with: &spare)
    #expect(spare.map { ObjectIdentifier($0) } == first)
    #expect(text(output) == #"[1]{"isNew":false,"rating":0.5,"tags":[],"title":"x"}"#)

    spare = nil
    let keeper = Keeper(isKeeping: true)
    try JSONCoding.encode(keeper, appendingTo: &output, with: &spare)
    #expect(spare == nil)
    #expect(throws: EncodingError.self) {
      try JSONCoding.encode([Double.nan], appendingTo: &output, with: &spare)
    }
    #expect(spare == nil)
  }

  @Test func `keeps every integer and float`() throws {
    let json = try encoded(Numbers())
    #expect(
      json == #"{"a":-128,"b":18446744073709551615,"c":-9223372036854775808,"#
        + #""d":170141183460469231731687303715884105727,"e":0.1,"f":-1.5e-300,"g":[0,255]}"#)
    #expect(try decoded(Numbers.self, json) == Numbers())
  }

  @Test func `keeps the widest integers in every container`() throws {
    let widest =
      #"[-170141183460469231731687303715884105728,340282366920938463463374607431768211455]"#
    #expect(try encoded(WideElements()) == widest)
    #expect(try decoded(WideElements.self, widest) == WideElements())
    let numbers = widest.dropFirst().dropLast().split(separator: ",")
    let members = #"{"max":\#(numbers[1]),"min":\#(numbers[0])}"#
    #expect(try encoded(WideMembers()) == members)
    #expect(try decoded(WideMembers.self, members) == WideMembers())
    #expect(try encoded([UInt128.max]) == "[\(numbers[1])]")
    #expect(try decoded([UInt128].self, "[\(numbers[1])]") == [.max])
    #expect(try decoded([Int128].self, "[\(numbers[0])]") == [.min])
  }

  @Test func `encodes values of their own at the top`() throws {
    #expect(try encoded("a") == #""a""#)
    #expect(try encoded([1: "x"]) == #"{"1":"x"}"#)
    #expect(try encoded(Int?.none) == "null")
    #expect(try encoded([Int?.some(1), nil]) == "[1,null]")
    #expect(try encoded(Empty()) == "{}")
    #expect(try encoded([Empty(), Empty()]) == "[{},{}]")
    #expect(try encoded(Event.opened(id: 1)) == #"{"opened":{"id":1}}"#)
    #expect(try decoded(Event.self, #"{"closed":{}}"#) == .closed)
    #expect(try decoded(Empty.self, #"{"unknown":1}"#) == Empty())
    #expect(try decoded([Int?].self, " [ 1 , null ] ") == [1, nil])
    #expect(
      try decoded([String: [Int]].self, #"{"b":[1],"\u0061\n":[]}"#) == ["a\n": [], "b": [1]])
    #expect(try decoded(Int.self, "1.0") == 1)
  }

  @Test(arguments: [
    (#"{"items":[{},{},{"title":5}]}"#, "items[0].title: this member is missing"),
    (
      #"{"items":[{"title":"","rating":1,"tags":[],"isNew":true},{"title":5}]}"#,
      "items[1].title: expected a string, found 5"
    ),
    (
      #"{"items":[{"title":"","rating":1,"tags":[1],"isNew":true}]}"#,
      "items[0].tags[0]: expected a string, found 1"
    ),
    (#"{"items":{}}"#, "items: expected an array, found an object"),
    (#"{"items":null}"#, "items: expected an array, found null"),
    ("[]", "expected an object, found an array"),
    (
      #"{"items":[],"byName":{"a b":1}}"#, #"byName["a b"]: expected an object, found 1"#
    ),
    (
      #"{"items":[],"byName":{},"matrix":[],"state":"x"}"#,
      "state: Cannot initialize State from invalid String value x"
    ),
    (#"{"items":[1,1],"items":[]}"#, #"expected each key once, found "items" again (byte 15)"#),
  ])
  func `names the place of a value that doesn't fit`(_ json: String, _ words: String) {
    #expect(message { _ = try decoded(Page.self, json) } == words)
  }

  enum Colour: String, Codable, CaseIterable { case black, blue, yellow }
  enum Sex: Int, Codable, CaseIterable { case male, female }
  enum Only: String, Codable, CaseIterable { case one }
  struct Picture: Codable {
    let colours: [Colour]
    let sex: Sex?
    let only: [String: Only]?
  }

  @Test(arguments: [
    (
      #"{"colours":["blue","green"]}"#,
      #"colours[1]: expected "black", "blue" or "yellow", found "green""#
    ),
    (#"{"colours":[],"sex":2}"#, "sex: expected 0 or 1, found 2"),
    (#"{"colours":[],"only":{"a":"two"}}"#, #"only.a: expected "one", found "two""#),
    (#"{"colours":[1]}"#, "colours[0]: expected a string, found 1"),
  ])
  func `says which cases an enum has`(_ json: String, _ words: String) {
    #expect(message { _ = try decoded(Picture.self, json) } == words)
  }

  @Test func `refuses numbers that a type can't hold`() {
    #expect(
      message { _ = try decoded(Int8.self, "128") }
        == "expected an integer from -128 to 127, found 128")
    #expect(
      message { _ = try decoded(UInt.self, "-1") }.hasPrefix("expected an integer from 0 to"))
    #expect(message { _ = try decoded(Int.self, "1.5") }.hasSuffix("found 1.5"))
    #expect(
      message { _ = try decoded(Double.self, "1" + String(repeating: "0", count: 400)) } != "")
    #expect(
      message { _ = try encoded(["a": [0, Double.infinity]]) }
        == "a[1]: JSON has no number for inf")
  }

  struct Nested: Encodable {
    enum Key: String, CodingKey { case z, a, m, list }
    func encode(to encoder: any Encoder) throws {
      var keyed = encoder.container(keyedBy: Key.self)
      var z = keyed.nestedContainer(keyedBy: Key.self, forKey: .z)
      var list = keyed.nestedUnkeyedContainer(forKey: .list)
      try keyed.encode(1, forKey: .a)
      try z.encode(2, forKey: .m)
      try list.encode("x")
      var inner = list.nestedContainer(keyedBy: Key.self)
      try list.encode("y")
      try inner.encode(3, forKey: .z)
      try inner.encode(4, forKey: .a)
      try z.encode(5, forKey: .a)
      var single = keyed.superEncoder(forKey: .m).singleValueContainer()
      try single.encodeNil()
    }
  }

  @Test func `fills nested containers in any order`() throws {
    #expect(
      try encoded(Nested()) == #"{"a":1,"list":["x",{"a":4,"z":3},"y"],"m":null,"z":{"a":5,"m":2}}"#
    )
  }

  class Base: Codable {
    var id = 1
  }
  final class Derived: Base {
    var name = "n"
    enum Key: String, CodingKey { case name }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let keyed = try decoder.container(keyedBy: Key.self)
      name = try keyed.decode(String.self, forKey: .name)
      try super.init(from: try keyed.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var keyed = encoder.container(keyedBy: Key.self)
      try keyed.encode(name, forKey: .name)
      try super.encode(to: keyed.superEncoder())
    }
  }

  @Test func `encodes and decodes a superclass apart`() throws {
    let json = try encoded(Derived())
    #expect(json == #"{"name":"n","super":{"id":1}}"#)
    let copy = try decoded(Derived.self, #"{"name":"m","super":{"id":7}}"#)
    #expect(copy.name == "m" && copy.id == 7)
  }

  struct Forgiving: Encodable {
    enum Key: String, CodingKey { case bad, good, twice }
    var isTwice = false
    func encode(to encoder: any Encoder) throws {
      var keyed = encoder.container(keyedBy: Key.self)
      #expect(throws: EncodingError.self) {
        try keyed.encode(["b": ["a": Double.nan]], forKey: .bad)
      }
      try keyed.encode(1, forKey: .good)
      guard isTwice else { return }
      try keyed.encode(1, forKey: .twice)
      try keyed.encode(2, forKey: .twice)
    }
  }

  @Test func `takes back a member that failed`() throws {
    #expect(try encoded(Forgiving()) == #"{"good":1}"#)
    #expect(
      message { _ = try encoded([Forgiving(isTwice: true)]) }
        == #"[0].twice: the key "twice" was encoded twice"#)
  }

  @Test func `leaves the output as it was when encoding fails`() throws {
    var output = bytes("kept")
    #expect(throws: EncodingError.self) {
      try JSONCoding.encode([[1.0], [.nan]], appendingTo: &output)
    }
    #expect(text(output) == "kept")
    try JSONCoding.encode(true, appendingTo: &output)
    #expect(text(output) == "kepttrue")
  }

  @Test func `tells normalisation forms apart`() throws {
    let (composed, decomposed) = (JSONValue.string("é"), JSONValue.string("e\u{301}"))
    #expect(composed != decomposed)
    #expect(try canonical(#"{"é":1,"\#("e\u{301}")":2}"#) == #"{"\#("e\u{301}")":2,"é":1}"#)
    let error = #expect(throws: JSONError.self) {
      try parsed(bytes(#"{"é":1,"\#("e\u{301}")":2}"#))
    }
    #expect(error?.code == .duplicateKey)
    let place = "expected each key once, found \"e\u{301}\" again in another Unicode normalisation"
    let twice = #"{"é":1,"\#("e\u{301}")":2}"#
    // Canonical order puts the decomposed form first, so that the composed one is found again.
    #expect(message { _ = try decoded(JSONValue.self, twice) }.hasPrefix(place))
    #expect(
      message { _ = try decoded([String: [JSONValue]].self, #"{"a":[0,\#(twice)]}"#) }
        == "a[1]: expected each key once, found \"é\" again in another Unicode normalisation; "
        + "write it in the same or rename it")
  }

  struct Row: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
      case zero = "0"
      case quote = "\""
      case backslash = "\\n"
      case newline = "\n"
      case accent = "é"
      case missing
    }
    var zero: Int
    var quote: [Int]
    var backslash: String
    var newline: [String: Int]
    var accent: Double
    var missing: Int?
  }

  @Test func `finds members in whatever order they are asked for`() throws {
    let row = Row(
      zero: 1, quote: [2, 3], backslash: "\\é\n", newline: ["b": 1, "a": 2], accent: 0.25)
    let rows = Dictionary(uniqueKeysWithValues: (0..<50).map { ("row \($0)\"", row) })
    #expect(try decoded([String: Row].self, try encoded(rows)) == rows)
    #expect(
      try encoded(row) == #"{"\n":{"a":2,"b":1},"\"":[2,3],"0":1,"\\n":"\\é\n","é":0.25}"#)
    #expect(
      message { _ = try decoded(Row.self, #"{"0":1,"\"":[]}"#) }
        == #"["\\n"]: this member is missing"#)
  }

  @Test func `decodes as deep as documents go`() throws {
    struct Node: Codable { var next: [Node] }
    var json = #"{"next":[]}"#
    for _ in 0..<127 { json = #"{"next":[\#(json)]}"# }
    #expect(try encoded(try decoded(Node.self, json)) == json)
    let place = String(repeating: "next[0].", count: 127) + "next"
    let faulty = json.replacing("[]", with: "7")
    #expect(
      message { _ = try decoded(Node.self, faulty) } == "\(place): expected an array, found 7")
  }

  @Test func `reaches into dynamic values`() {
    let value: JSONValue = ["a": [1, 2.5, "x", true, .null]]
    #expect(value["a"]?[0]?.intValue == 1)
    #expect(value["a"]?[1]?.doubleValue == 2.5)
    #expect(value["a"]?[1]?.intValue == nil)
    #expect(value["a"]?[2]?.stringValue == "x")
    #expect(value["a"]?[3]?.boolValue == true)
    #expect(value["a"]?[4]?.isNull == true)
    #expect(value["a"]?[5] == nil)
    #expect(value["b"] == nil)
    #expect(value.canonicalText == #"{"a":[1,2.5,"x",true,null]}"#)
    #expect(JSONNumber(.infinity) == nil)
  }
}
