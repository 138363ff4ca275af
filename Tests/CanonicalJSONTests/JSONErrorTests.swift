import CanonicalJSON
import Testing

struct JSONErrorTests {
  @Test(arguments: [
    ("", JSONError.Code.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[1", .unexpectedEnd, 2),
    (#"{"a""#, .unexpectedEnd, 4), (#""abc"#, .unexpectedEnd, 4), (#""\"#, .unexpectedEnd, 2),
    (#""\u12"#, .unexpectedEnd, 5), ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2),
    ("tru", .unexpectedEnd, 3), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
    ("{1:2}", .unexpectedByte, 1), (#"{"a" 1}"#, .unexpectedByte, 5), ("nulL", .unexpectedByte, 3),
    ("[\u{0}]", .unexpectedByte, 1), ("-a", .invalidNumber, 1), ("[01]", .invalidNumber, 2),
    ("-012", .invalidNumber, 2), ("1.x", .invalidNumber, 2), ("1e+x", .invalidNumber, 3),
    ("[1E400]", .numberOutOfRange, 1), (#"{"a":-1e999}"#, .numberOutOfRange, 5),
    (#"["\q"]"#, .invalidEscape, 2), (#""a\u12G4""#, .invalidEscape, 2),
    (#""ab\uD800""#, .loneSurrogate, 3), (#""\uDC00\uD800""#, .loneSurrogate, 1),
    (#""\uD800\u0061""#, .loneSurrogate, 1), (#""a\xC0\x80""#, .invalidUTF8, 2),
    (#""\xED\xA0\x80""#, .invalidUTF8, 1), (#""\xF4\x90\x80\x80""#, .invalidUTF8, 1),
    (#""é\xE2\x82""#, .invalidUTF8, 3), (#""12345678\x80""#, .invalidUTF8, 9),
    (#""\xE2\x82"#, .invalidUTF8, 1),
    ("\"a\nb\"", .controlCharacter, 2), ("\"12345678\u{0}\"", .controlCharacter, 9),
    (#"{"a":1,"b":2,"a":3}"#, .duplicateKey, 13), (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
    (#"{"a":1, "c":{"b":1,"b":2}}"#, .duplicateKey, 19),
    (#"{"😀":1,"\ud83d\ude00":2}"#, .duplicateKey, 10),
    ("1 x", .trailingData, 2), ("{}{}", .trailingData, 2), (#"\xEF\xBB\xBF1"#, .byteOrderMark, 0),
  ])
  func `names each fault and its exact byte`(
    _ json: String, _ code: JSONError.Code, _ offset: Int
  ) {
    let input = rawBytes(json)
    let error = #expect(throws: JSONError.self) { try CanonicalJSON.bytes(input.span) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
    #expect(error == #expect(throws: JSONError.self) { try parsed(input) })
  }

  @Test(arguments: [
    (#"{"items":[1,]}"#, #"expected a value, found "]" (byte 12)"#),
    ("[1", #"expected "," or "]", found the end of the input (byte 2)"#),
    (#"{"a":1,"a":2}"#, #"expected each key once, found "a" again (byte 7)"#),
    ("[1]\u{0}", "expected nothing after the value, found byte 0x00 (byte 3)"),
    (#"{"a"1}"#, #"expected ":" after a key, found "1" (byte 4)"#),
    (
      "1e400",
      "expected a number within the range of a 64-bit floating-point number, "
        + "found 1e400 (byte 0)"
    ),
  ])
  func `says what was expected and what was found`(_ json: String, _ words: String) {
    #expect(message { _ = try canonical(json) } == words)
  }

  @Test func `allows 256 levels and no more`() throws {
    #expect(try canonical(nested(256)) == nested(256))
    let error = #expect(throws: JSONError.self) { try canonical(nested(257)) }
    #expect(error?.code == .tooDeep)
    #expect(error?.offset == 256)
    let objects = String(repeating: #"{"b":0,"a":"#, count: 257)
    let other = #expect(throws: JSONError.self) { try canonical(objects) }
    #expect(other?.code == .tooDeep)
  }

  @Test func `leaves the output as it was after an error`() {
    for json in [#"{"b":1,"a":2,"b":3}"#, "[1,", "[1]]"] {
      var output = bytes("kept")
      let input = bytes(json)
      #expect(throws: JSONError.self) { try CanonicalJSON.append(input.span, to: &output) }
      #expect(text(output) == "kept")
    }
  }
}
