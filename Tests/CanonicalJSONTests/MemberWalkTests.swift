import CanonicalJSON
import Testing

struct MemberWalkTests {
  private func members(_ json: String) throws -> [String] {
    let bytes = Array(json.utf8)
    var offset = 0
    var members: [String] = []
    while let (key, value) = try JSONScanner.nextMember(in: bytes.span, at: &offset) {
      let parts = [key.quoted, value].map { String(decoding: bytes[$0], as: UTF8.self) }
      members.append(parts.joined(separator: "→") + (key.hasEscapes ? " escaped" : ""))
    }
    #expect(offset == bytes.count)
    return members
  }

  private func elements(_ json: String) throws -> [String] {
    let bytes = Array(json.utf8)
    var offset = 0
    var elements: [String] = []
    while try JSONScanner.nextElement(in: bytes.span, at: &offset) {
      let start = offset
      _ = try JSONScanner.skipValue(in: bytes.span, at: &offset)
      elements.append(String(decoding: bytes[start..<offset], as: UTF8.self))
    }
    #expect(offset == bytes.count)
    return elements
  }

  @Test func `finds keys and values where they lie`() throws {
    #expect(try members("{}") == [])
    #expect(try members(" { }") == [])
    #expect(try members(#"{"a":1,"b":{"c":[2]}}"#) == [#""a"→1"#, #""b"→{"c":[2]}"#])
    #expect(
      try members(#"{ "é\n" : "}" , "" : [ ] }"#) == [#""é\n"→"}" escaped"#, #"""→[ ]"#])
  }

  @Test func `finds elements where they lie`() throws {
    #expect(try elements("[]") == [])
    #expect(try elements("[ ]") == [])
    #expect(try elements(#"[1 , "]",[ 2 ]]"#) == ["1", #""]""#, "[ 2 ]"])
  }

  @Test(arguments: [
    "", "{", "1", "[]", "{,", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,}"#, "{1:2}",
  ])
  func `throws where a document ends too early or is none`(_ json: String) {
    #expect(throws: JSONError.self) { try members(json) }
  }
}
