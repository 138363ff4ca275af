import CanonicalJSON
import Testing

struct DirectJSONTests {
  enum Kind: String, Codable, CaseIterable, DirectJSON { case short, long }

  struct Size: Codable, Equatable, DirectJSON {
    var width: Int8
    var height: Float
  }

  /// Reads and writes its members in another order than that of their names.
  struct Movie: Codable, Equatable {
    var title: String
    var year: Int?
    var kind: Kind
    var related: [Movie]
    var ratings: [Double?]
    var size: Size
    var cover: Size?
    var extra: JSONValue
    var quoted = 0

    enum CodingKeys: String, CodingKey {
      case title, year, kind, related, ratings, size, cover, extra
      case quoted = "a \"b\" \\ c\n"
    }
  }

  private static func movie(_ title: String, related: [Movie] = []) -> Movie {
    Movie(
      title: title, year: related.isEmpty ? nil : 1999, kind: .long, related: related,
      ratings: related.isEmpty ? [] : [0.5, nil, 1e21], size: Size(width: -3, height: 0.1),
      cover: related.isEmpty ? nil : Size(width: 1, height: 2),
      extra: ["b": [1, .null], "a": .object([:])], quoted: -7)
  }

  private func direct<T: DirectJSON>(_ value: T) throws -> String {
    var output = bytes("before")
    var spare: MemberWriter?
    try JSONCoding.encode(directly: value, appendingTo: &output, with: &spare)
    return String(text(output).dropFirst("before".count))
  }

  private func read<T: DirectJSON>(_ type: T.Type, _ json: String) throws -> T {
    let bytes = bytes(json)
    return try JSONCoding.decode(directly: type, from: bytes.span)
  }

  @Test func `reads and writes what Codable does`() throws {
    let movies = [
      Self.movie(""), Self.movie("{,\"\u{1}é😀", related: [Self.movie("a"), Self.movie("b")]),
    ]
    for value in [[], movies] {
      let json = try encoded(value)
      #expect(try direct(value) == json)
      #expect(try read([Movie].self, json) == value)
    }
    #expect(JSONSchema.directDifference(of: [Movie].self) == nil)
  }

  @Test func `reads members in any order and form, and passes over others`() throws {
    let json = """
      {"zz": {"title": [1, {}]}, "title": "\\u0061", "year": null, "size": {"width":1,"height":2,
       "depth": 3}, "kind": "short", "related": [ ], "ratings": [], "extra": {}, "aa": [],
       "a \\"b\\" \\\\ c\\n": 5}
      """
    let movie = try read(Movie.self, json)
    #expect(movie == (try decoded(Movie.self, json)))
    #expect(movie.title == "a" && movie.quoted == 5 && movie.cover == nil)
  }

  @Test(arguments: [
    "", "nul", "[]", "7", "{}", #"{"title":1}"#, #"{"title":"a","kind":"other"}"#,
    #"{"a \"b\" \\ c\n":1,"extra":{},"kind":"long","ratings":[0,"1"],"related":[],"#
      + #""size":{"height":1,"width":1},"title":""}"#,
    #"{"a \"b\" \\ c\n":1,"extra":{},"kind":"long","ratings":[],"related":[{"title":""}],"#
      + #""size":{"height":1,"width":1},"title":""}"#,
    #"{"a \"b\" \\ c\n":1,"extra":{},"kind":"long","ratings":[],"related":[],"#
      + #""size":{"height":1,"width":1000},"title":""}"#,
  ])
  func `what it can't read is an error of Codable`(json: String) {
    let words = message { _ = try decoded(Movie.self, json) }
    #expect(words != "")
    #expect(message { _ = try read(Movie.self, json) } == words)
  }

  @Test func `what it can't write is an error of Codable, and leaves the output`() throws {
    let value = [1.5, .nan]
    let words = message { _ = try encoded(value) }
    var output = bytes("before")
    var spare: MemberWriter?
    #expect(
      message {
        try JSONCoding.encode(directly: value, appendingTo: &output, with: &spare)
      } == words)
    #expect(text(output) == "before")
  }

  struct Chain: Codable {
    var next: [Chain]
  }

  @Test func `values nested too deeply are refused as by Codable`() throws {
    func chain(_ depth: Int) -> Chain {
      (1..<depth).reduce(Chain(next: [])) { chain, _ in Chain(next: [chain]) }
    }
    #expect(try direct(chain(128)) == encoded(chain(128)))
    let words = message { _ = try encoded(chain(129)) }
    #expect(words.contains("nested deeper than 256 levels"))
    #expect(message { _ = try direct(chain(129)) } == words)
  }

  /// Goes on where a member can't be read or written.
  struct Lenient: Codable, Equatable {
    var a: Int
    var b: [Double]
    var c: String
  }

  @Test func `a type may go on where a member can't be read or written`() throws {
    let json = #"{"a":"x","b":[1,[2]],"c":"y"}"#
    #expect(try read(Lenient.self, json) == Lenient(a: -1, b: [], c: "y"))
    #expect(try direct([Lenient(a: 1, b: [0, .nan], c: "y")]) == #"[{"a":1,"c":"y"}]"#)
  }

  struct Flag: Codable, Equatable {
    var new: Bool?
  }

  @Test func `a name that only begins as a member's does is another`() throws {
    #expect(try read(Flag.self, #"{"new: true":1}"#) == Flag(new: nil))
    #expect(try read(Flag.self, #"{"new":true,"new: true":1}"#) == Flag(new: true))
  }

  struct Misnamed: Codable {
    var name = ""
  }
  struct Twice: Codable {
    var name = ""
  }
  struct Swapped: Codable {
    var one = 0
    var two = 0
  }
  struct Nulled: Codable {
    var note: String?
  }

  @Test func `a difference from Codable is found`() {
    #expect(
      JSONSchema.directDifference(of: Misnamed.self)
        == #"Misnamed writes {"nam":""} itself, and {"name":""} by Codable"#)
    #expect(
      JSONSchema.directDifference(of: Twice.self)?.hasPrefix(
        #"Twice doesn't write {"name":""} itself"#) == true)
    #expect(
      JSONSchema.directDifference(of: Swapped.self)
        == #"Swapped doesn't read {"one":0,"two":0} itself: "#
        + "a member is missing, or of another type")
    #expect(
      JSONSchema.directDifference(of: Nulled.self)
        == #"Nulled writes {"note":null} itself, and {} by Codable"#)
  }
}

extension DirectJSONTests.Movie: DirectObject {
  init(members: inout MemberReader) throws {
    title = try members.read("title")
    year = try members.readIfPresent("year")
    kind = try members.read("kind")
    related = try members.read("related")
    ratings = try members.read("ratings")
    size = try members.read("size")
    cover = try members.readIfPresent("cover")
    extra = try members.read("extra")
    quoted = try members.read("a \"b\" \\ c\n")
  }

  func write(members: inout MemberWriter) throws {
    try members.write("title", title)
    try members.writeIfPresent("year", year)
    try members.write("kind", kind)
    try members.write("related", related)
    try members.write("ratings", ratings)
    try members.write("size", size)
    try members.writeIfPresent("cover", cover)
    try members.write("extra", extra)
    try members.write("a \"b\" \\ c\n", quoted)
  }
}

extension DirectJSONTests.Chain: DirectObject {
  init(members: inout MemberReader) throws { next = try members.read("next") }
  func write(members: inout MemberWriter) throws { try members.write("next", next) }
}

extension DirectJSONTests.Flag: DirectObject {
  init(members: inout MemberReader) throws { new = try members.readIfPresent("new") }

  func write(members: inout MemberWriter) throws { try members.writeIfPresent("new", new) }
}

extension DirectJSONTests.Lenient: DirectObject {
  init(members: inout MemberReader) throws {
    a = (try? members.read("a")) ?? -1
    b = (try? members.read("b")) ?? []
    c = try members.read("c")
  }

  func write(members: inout MemberWriter) throws {
    try? members.write("c", c)
    try? members.write("b", b)
    try members.write("a", a)
  }
}

extension DirectJSONTests.Misnamed: DirectObject {
  init(members: inout MemberReader) throws { name = try members.read("name") }
  func write(members: inout MemberWriter) throws { try members.write("nam", name) }
}

extension DirectJSONTests.Twice: DirectObject {
  init(members: inout MemberReader) throws { name = try members.read("name") }

  func write(members: inout MemberWriter) throws {
    try members.write("name", name)
    try members.write("name", name)
  }
}

extension DirectJSONTests.Swapped: DirectObject {
  init(members: inout MemberReader) throws {
    let one: Bool = try members.read("one")
    self.one = one ? 1 : 0
    two = try members.read("two")
  }

  func write(members: inout MemberWriter) throws {
    try members.write("two", two)
    try members.write("one", one)
  }
}

extension DirectJSONTests.Nulled: DirectObject {
  init(members: inout MemberReader) throws { note = try members.readIfPresent("note") }
  func write(members: inout MemberWriter) throws { try members.write("note", note) }
}
