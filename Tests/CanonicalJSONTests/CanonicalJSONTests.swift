import CanonicalJSON
import Testing

struct CanonicalJSONTests {
  @Test(arguments: [
    // RFC 8785, section 3.2.2 and 3.2.3, with integers left whole.
    (
      #"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"#
        + #""string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","#
        + #""literals":[null,true,false]}"#,
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    ),
    (
      #"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","#
        + #""1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","#
        + #""\u00f6":"Latin Small Letter O With Diaeresis"}"#,
      #"{"\r":"Carriage Return","1":"One","\#u{80}":"Control","#
        + #""ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","#
        + #""😀":"Emoji: Grinning Face","\#u{FB33}":"Hebrew Letter Dalet With Dagesh"}"#
    ),
    (#" [ 1 , 2.0 , -0 , -0.0, 1e2 ] "#, "[1,2,0,0,100]"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    (#""\u001F\u007f\b\t\f\/""#, #""\u001f\#u{7F}\b\t\f/""#),
    (#"{"b":{"d":1,"c":2},"a":[{"z":1,"y":{}}]}"#, #"{"a":[{"y":{},"z":1}],"b":{"c":2,"d":1}}"#),
    (#"{"aa":1,"a":2,"":3}"#, #"{"":3,"a":2,"aa":1}"#),
    (
      #"{"\uE000":1,"\uFFFF":2,"\uD800\uDC00":3,"\uD7FF":4}"#,
      "{\"\u{D7FF}\":4,\"\u{10000}\":3,\"\u{E000}\":1,\"\u{FFFF}\":2}"
    ),
    (
      #"{"a\\":1,"a\"":2,"a\u0001":3,"aA":4,"a]":5}"#,
      #"{"a\u0001":3,"a\"":2,"aA":4,"a\\":1,"a]":5}"#
    ),
  ])
  func `writes the canonical form`(_ json: String, _ expected: String) throws {
    #expect(try bytes(canonical(json)) == bytes(expected))
    #expect(try parsed(bytes(json)).canonicalText == expected)
    #expect(try canonical(expected) == expected)
    #expect(try isProvenCanonical(bytes(expected)))
  }

  /// RFC 8785, appendix B, by the bits of the Double.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (1, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
      (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"),
      (0xc340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
      (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
      (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
      (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
      (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
      (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
      (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
      (0x41b3_de43_5555_5557, "333333333.33333343"),
      (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
      (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func `prints Doubles as ECMAScript does`(_ bits: UInt64, _ expected: String) throws {
    var output: [UInt8] = []
    CanonicalJSON.appendDouble(Double(bitPattern: bits), to: &output)
    #expect(text(output) == expected)
    #expect(try isProvenCanonical(output))
  }

  @Test(arguments: [
    "1.5", "0.1", "0.000001", "0.30000000000000004", "1e+21", "1.5e-7", "-0.5", "123456789012.345",
  ])
  func `knows a canonical number by sight`(_ number: String) throws {
    #expect(try isProvenCanonical(bytes(number)))
    #expect(try canonical(number) == number)
  }

  @Test(arguments: [
    ("1.0", "1"), ("1.50", "1.5"), ("-0", "0"), ("-0.0", "0"), ("1e2", "100"), ("1E-7", "1e-7"),
    ("0.0000001", "1e-7"), ("0.10000000000000000555", "0.1"), ("1e21", "1e+21"), ("-1e-400", "0"),
    ("100000000000000000000.5", "100000000000000000000"),
  ])
  func `rewrites a number that is not canonical`(_ number: String, _ expected: String) throws {
    #expect(try !isProvenCanonical(bytes(number)))
    #expect(try canonical(number) == expected)
  }

  @Test func `takes ten megabytes of string and a million elements`() throws {
    let long = bytes("\"" + String(repeating: "aé漢😀 ", count: 1_000_000) + "\"")
    #expect(try isProvenCanonical(long))
    #expect(try CanonicalJSON.bytes(long.span) == long)
    let array = bytes("[" + String(repeating: "1,", count: 999_999) + "1]")
    #expect(try isProvenCanonical(array))
    #expect(try JSONCoding.decode([Int].self, from: array.span).count == 1_000_000)
  }

  @Test func `stops at the value's end and says what it saw`() throws {
    let json = bytes(#"  {"a":1} [2]"#)
    var offset = 0
    #expect(try !JSONScanner.skipValue(in: json.span, at: &offset))
    #expect(offset == 9)
    JSONScanner.skipWhitespace(in: json.span, at: &offset)
    #expect(try JSONScanner.skipValue(in: json.span, at: &offset))
    #expect(offset == json.count)
    let string = bytes(#"x"a\n""#)
    offset = 1
    let found = try JSONScanner.skipString(in: string.span, at: &offset)
    #expect(found.content == 2..<5)
    #expect(found.hasEscapes)
    let content = string.span.extracting(found.content)
    #expect(try CanonicalJSON.unescape(content) == "a\n")
  }

  @Test(arguments: [#"a"b"#, #"\"#, "a\u{1}", #"\xFF"#])
  func `refuses to unescape what is no string content`(_ content: String) {
    let input = rawBytes(content)
    #expect(throws: JSONError.self) { try CanonicalJSON.unescape(input.span) }
  }

  @Test func `lays values out to be read`() throws {
    let json = bytes(#"{"c":[],"b":[1,2,[3]],"a":{"x":[1,"two",null],"w":{}}}"#)
    let expected = """
      {
          "a": {
            "w": {},
            "x": [1, "two", null]
          },
          "b": [
            1,
            2,
            [3]
          ],
          "c": []
        }
      """
    #expect(text(try CanonicalJSON.pretty(json.span, indent: 2)) == expected)
    let wide = bytes("[" + (0..<40).map(String.init).joined(separator: ",") + "]")
    let lines = text(try CanonicalJSON.pretty(wide.span, indent: 0)).split(separator: "\n")
    #expect(lines.count == 42)
    #expect(try canonical(lines.joined()) == text(wide))
  }
}
