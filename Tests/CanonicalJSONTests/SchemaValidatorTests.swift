import CanonicalJSON
import Testing

struct SchemaValidatorTests {
  private static let tree =
    ##"{"$defs":{"Tree":{"required":["name"],"properties":{"name":{"type":"string"},"##
    + ##""children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}},"$ref":"#/$defs/Tree"}"##
  private static let lines =
    ##"{"oneOf":[{"properties":{"kind":{"const":"done"},"seq":{"type":"integer"}},"##
    + ##""required":["kind","seq"]},{"properties":{"kind":{"const":"log"},"##
    + ##""text":{"type":"string"}},"##
    + ##""required":["kind","text"],"additionalProperties":false}]}"##
  private static let chain = ##"{"additionalProperties":{"$ref":"#"},"type":["object","integer"]}"##

  /// A schema, a value, and what is wrong with it; nil if it fits.
  private static let cases: [(String, String, String?)] = [
    ("true", "[1,{}]", nil), ("{}", "null", nil),
    ("false", "1", "expected no value here, found 1"),
    (##"{"type":"string"}"##, ##""a""##, nil),
    (##"{"type":"string"}"##, "5", "expected a string, found 5"),
    (##"{"type":["string","null"]}"##, "null", nil),
    (
      ##"{"type":["null","array","string"]}"##, "{}",
      "expected a string, an array or null, found an object"
    ),
    (##"{"type":"boolean"}"##, "false", nil),
    (##"{"type":"boolean"}"##, "[]", "expected a boolean, found an array"),
    (##"{"type":[]}"##, "1", "expected no value here, found 1"),
    // Numbers: what is an integer is said by the value, not by how it is written.
    (##"{"type":"integer"}"##, "-12", nil), (##"{"type":"integer"}"##, "12.0", nil),
    (##"{"type":"integer"}"##, "1.5e+21", nil),
    (##"{"type":"integer"}"##, "15e-1", "expected an integer, found 1.5"),
    (##"{"type":"integer"}"##, "1e-7", "expected an integer, found 1e-7"),
    (##"{"type":"number"}"##, "1e-7", nil),
    (##"{"type":["number","integer"]}"##, "true", "expected a number, found true"),
    (##"{"minimum":0}"##, "-0", nil),
    (##"{"minimum":0}"##, "-1", "expected a number of at least 0, found -1"),
    (##"{"minimum":0}"##, ##""-1""##, nil),
    (##"{"minimum":-1.5,"maximum":18446744073709551615}"##, "18446744073709551615", nil),
    (
      ##"{"maximum":18446744073709551615}"##, "18446744073709551616",
      "expected a number of at most 18446744073709551615, found 18446744073709551616"
    ),
    (##"{"minimum":-1.5}"##, "-2", "expected a number of at least -1.5, found -2"),
    (##"{"minimum":-20}"##, "-100", "expected a number of at least -20, found -100"),
    // Sizes. A character is a Unicode scalar.
    (##"{"minLength":2,"maxLength":3}"##, ##""\u00e9\ud83d\ude00""##, nil),
    (
      ##"{"maxLength":2}"##, ##""a\n\u0001""##,
      "expected at most 2 characters, found \"a\\n\\u0001\""
    ),
    (##"{"minLength":1}"##, ##""""##, "expected at least 1 character, found \"\""),
    (##"{"minLength":2,"maxLength":2}"##, ##""a""##, "expected 2 characters, found \"a\""),
    (##"{"minItems":1,"maxItems":2}"##, "[1]", nil),
    (##"{"minItems":1,"maxItems":2}"##, "[[],[],[]]", "expected 1 to 2 elements, found 3"),
    (##"{"minItems":1}"##, "[]", "expected at least 1 element, found 0"),
    // Constants.
    (##"{"enum":["a",{"b":[1]},null,10,9]}"##, ##"{ "b" : [1.0] }"##, nil),
    (##"{"enum":["a","b"]}"##, ##""b""##, nil),
    (##"{"enum":["b","a"]}"##, ##""c""##, "expected \"a\" or \"b\", found \"c\""),
    (##"{"enum":[]}"##, ##""c""##, "expected no value here, found \"c\""),
    (##"{"const":{"a":1}}"##, ##"{"a":2}"##, "expected {\"a\":1}, found an object"),
    (##"{"const":1,"enum":[1,2]}"##, "2", "expected 1, found 2"),
    (##"{"const":null}"##, "null", nil),
    // Objects.
    (##"{"properties":{"a":{"type":"integer"},"b":false}}"##, ##"{"a":1,"c":2}"##, nil),
    (##"{"properties":{"a":{"type":"integer"}}}"##, "[]", nil),
    (
      ##"{"properties":{"a":{"type":"integer"}}}"##, ##"{"a":"x"}"##,
      "a: expected an integer, found \"x\""
    ),
    (
      ##"{"properties":{"a":true,"b":false}}"##, ##"{"a":1,"b":2}"##,
      "b: expected no value here, found 2"
    ),
    (##"{"required":["b","a"]}"##, ##"{"a":1,"b":null}"##, nil),
    (
      ##"{"required":["b","a"]}"##, ##"{"a":1,"c":null}"##,
      "expected the member \"b\", which is missing"
    ),
    (
      ##"{"required":["a"],"additionalProperties":false}"##, ##"{"a":1}"##,
      "a: expected no value here, found 1"
    ),
    (
      ##"{"properties":{"colour":{}},"additionalProperties":false}"##, ##"{"color":1}"##,
      "expected no member \"color\" (did you mean \"colour\"?)"
    ),
    (
      ##"{"additionalProperties":{"type":"string"},"properties":{"n":{}}}"##, ##"{"n":1,"o":2}"##,
      "o: expected a string, found 2"
    ),
    (
      ##"{"properties":{"\u00e9":{"type":"null"},"\n":{"type":"null"},"a b":{"type":"null"}}}"##,
      ##"{"\u000a":null,"a b":1,"é":null}"##, "[\"a b\"]: expected null, found 1"
    ),
    (
      ##"{"properties":{"a":{},"c":{"type":"null"}},"required":["c"]}"##,
      ##"{"b":1,"bb":2,"c":null,"d":1}"##, nil
    ),
    (##"{"patternProperties":{"^x":{}},"additionalProperties":false}"##, ##"{"x":1}"##, nil),
    // Arrays.
    (##"{"items":{"type":"string"}}"##, ##"["a",[]]"##, "[1]: expected a string, found an array"),
    (
      ##"{"items":{"items":{"properties":{"t":{"type":"null"}}}}}"##, ##"[[],[{"s":0},{"t":0}]]"##,
      "[1][1].t: expected null, found 0"
    ),
    (##"{"prefixItems":[true],"items":false}"##, "[1,2]", nil),
    // Several schemas.
    (##"{"anyOf":[{"type":"string"},{"type":"null"}]}"##, "null", nil),
    (
      ##"{"anyOf":[{"type":"string"},{"type":"null"}]}"##, "1", "expected a string or null, found 1"
    ),
    (##"{"anyOf":[{"const":1},{"enum":[2,3]}]}"##, "4", "expected 1, 2 or 3, found 4"),
    (
      ##"{"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]}"##, ##""ab""##,
      "expected at most 1 character, found \"ab\""
    ),
    (##"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"##, ##"{"b":1}"##, nil),
    (
      ##"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"##, "1",
      "expected an object, found 1"
    ),
    (##"{"oneOf":[{"type":"integer"},{"minimum":2}]}"##, "1", nil),
    (##"{"oneOf":[{"type":"integer"},{"minimum":2}]}"##, "2.5", nil),
    (
      ##"{"oneOf":[{"type":"integer"},{"minimum":2}]}"##, "3",
      "expected a value for exactly one of several schemas, and more than one fit"
    ),
    (##"{"allOf":[{"minimum":2},{"maximum":4}]}"##, "3", nil),
    (##"{"allOf":[{"minimum":2},{"maximum":4}]}"##, "5", "expected a number of at most 4, found 5"),
    (
      ##"{"allOf":[{"required":["a"]}],"oneOf":[{"required":["b"]},{"required":["c"]}]}"##,
      ##"{"a":1,"c":1}"##, nil
    ),
    (lines, ##"{"kind":"done","seq":1}"##, nil), (lines, ##"{"kind":"log","text":""}"##, nil),
    (lines, ##"{"kind":"done","seq":"1"}"##, "seq: expected an integer, found \"1\""),
    (lines, ##"{"kind":"log","txet":""}"##, "expected no member \"txet\" (did you mean \"text\"?)"),
    (lines, ##"{"kind":"lgo"}"##, "kind: expected \"done\" or \"log\", found \"lgo\""),
    // References.
    (tree, ##"{"name":"a","children":[{"name":"b","children":[]}]}"##, nil),
    (
      tree, ##"{"name":"a","children":[{"name":"b","children":[{}]}]}"##,
      "children[0].children[0]: expected the member \"name\", which is missing"
    ),
    (
      ##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"null"}},"items":{"$ref":"#/$defs/a"}}"##,
      "[null,1]",
      "[1]: expected null, found 1"
    ),
    (
      ##"{"$defs":{"a":{"type":"string"}},"$ref":"#/$defs/a","minLength":2}"##, ##""a""##,
      "expected at least 2 characters, found \"a\""
    ),
    (chain, ##"{"a":{"b":{"c":1}}}"##, nil),
    (chain, ##"{"a":{"b":{"c":"d"}}}"##, "a.b.c: expected an integer or an object, found \"d\""),
    // Words that aren't understood.
    (##"{"type":"string","pattern":"^a","format":"uri","nullable":true}"##, ##""b""##, nil),
    (##"{"$ref":"https://example.org/a.json","type":"null"}"##, "null", nil),
  ]

  @Test(arguments: cases) func `says whether a value fits, and where it doesn't`(
    _ schema: String, _ json: String, _ mismatch: String?
  ) throws {
    let validator = try SchemaValidator(try JSONValue(parsing: Array(schema.utf8).span))
    let found = try validator.mismatch(of: Array(json.utf8).span)
    #expect(found?.description == mismatch)
    let canonical = try CanonicalJSON.bytes(Array(json.utf8).span)
    let verdicts = [
      validator.accepts(canonical.span), validator.accepts(canonical: canonical.span),
    ]
    #expect(verdicts == [mismatch == nil, mismatch == nil])
  }

  private static let notCanonical = [
    "", " ", "1 ", " 1", "{", "[1,]", "[1 ]", ##"{"a":1,"a":1}"##, ##"{"b":1,"a":1}"##,
    ##"{"c":1,"b":1}"##,
    ##"{"a":1,}"##, ##"{"a" :1}"##, ##"{"a":1.0}"##, ##"{"z":1,"y":2}"##, ##"{"a":1}}"##,
    ##"{"a":1"##, "[1", "\"\\u0041\"",
    "-0", "tru", "1e5", ##"{"m":1,"a":1}"##, ##"{"a"}"##, ##"{1:2}"##, "[[]", "\"a", "\u{feff}1",
  ]
  private static let lenient = [
    "{}", ##"{"properties":{"a":{},"c":{}}}"##,
    ##"{"properties":{"a":{"type":"number"}},"required":["a"]}"##,
    ##"{"items":{"type":"integer"}}"##, ##"{"anyOf":[{"items":{"minimum":0}},{"type":"string"}]}"##,
  ]

  @Test(arguments: lenient) func `accepts canonical JSON only`(_ schema: String) throws {
    let validator = try SchemaValidator(try JSONValue(parsing: Array(schema.utf8).span))
    for json in Self.notCanonical {
      let isAccepted = validator.accepts(Array(json.utf8).span)
      #expect(!isAccepted, "\(json)")
    }
  }

  private static let malformed: [(String, String)] = [
    ("5", "expected a schema, which is an object, true or false, found 5"),
    ("null", "expected a schema, which is an object, true or false, found null"),
    (
      ##"{"type":5}"##,
      ##"type: expected one of "string", "number", "integer", "boolean", "array", "object", "##
        + ##""null", or an array"##
        + " of them, found 5"
    ),
    (
      ##"{"type":["string","strin"]}"##,
      ##"type: expected one of "string", "number", "integer", "boolean", "array", "object", "##
        + ##""null", or an array"##
        + ##" of them, found "strin""##
    ),
    (##"{"enum":1}"##, "enum: expected an array of values, found 1"),
    (##"{"properties":[]}"##, "properties: expected an object of schemas, found an empty array"),
    (
      ##"{"properties":{"a b":1}}"##,
      ##"properties["a b"]: expected a schema, which is an object, true or false, found 1"##
    ),
    (##"{"required":"a"}"##, "required: expected an array of names, found \"a\""),
    (##"{"required":[1]}"##, "required: expected an array of names, found an array"),
    (
      ##"{"items":[{}]}"##,
      "items: expected a schema, which is an object, true or false, found an array"
    ),
    (
      ##"{"additionalProperties":1}"##,
      "additionalProperties: expected a schema, which is an object, true or false, found 1"
    ),
    (##"{"minLength":-1}"##, "minLength: expected a whole number that isn't negative, found -1"),
    (##"{"maxItems":1.5}"##, "maxItems: expected a whole number that isn't negative, found 1.5"),
    (##"{"minimum":"1"}"##, "minimum: expected a number, found \"1\""),
    (##"{"anyOf":[]}"##, "anyOf: expected at least one schema, found an empty array"),
    (
      ##"{"items":{"oneOf":[{},7]}}"##,
      "items.oneOf[1]: expected a schema, which is an object, true or false, found 7"
    ),
    (##"{"$ref":1}"##, ##"["$ref"]: expected a reference, found 1"##),
    (
      ##"{"$defs":{"Item":{}},"items":{"$ref":"#/$defs/Itme"}}"##,
      ##"items["$ref"]: there is no "#/$defs/Itme". Did you mean "#/$defs/Item"?"##
    ),
    (##"{"$defs":[]}"##, ##"["$defs"]: expected an object of schemas, found an empty array"##),
    (
      ##"{"$defs":{"a":{"type":0}}}"##,
      ##"["$defs"].a.type: expected one of "string", "number", "integer", "boolean", "array","##
        + ##" "object","##
        + ##" "null", or an array of them, found 0"##
    ),
    (##"{"$ref":"#"}"##, "it refers to itself for the same value, so it says nothing"),
    (
      ##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"},{}]}}}"##,
      ##"["$defs"].b: it refers to itself for the same value, so it says nothing"##
    ),
  ]

  @Test(arguments: malformed) func `refuses what is no schema, with the place`(
    _ schema: String, _ words: String
  ) throws {
    let value = try JSONValue(parsing: Array(schema.utf8).span)
    let found = #expect(throws: SchemaError.self) { try SchemaValidator(value) }
    #expect(found?.description == words)
  }

  @Test func `refuses chains of schemas that are too long to follow`() throws {
    func schema(_ count: Int) throws -> JSONValue {
      let links = (0..<count).map { ##""\##($0)":{"minimum":0,"$ref":"#/$defs/\##($0 + 1)"}"## }
      let text =
        ##"{"$defs":{\##(links.joined(separator: ",")),"\##(count)":{}},"$ref":"#/$defs/0"}"##
      return try JSONValue(parsing: Array(text.utf8).span)
    }
    _ = try SchemaValidator(try schema(60))
    let found = #expect(throws: SchemaError.self) { try SchemaValidator(try schema(1000)) }
    #expect(found?.detail == "more than 64 schemas apply to one value")
  }

  @Test func `tells which members have no effect`() throws {
    let text = ##"""
      {"title":"t","tpye":"string","properties":{"a":{"pattern":"^a","format":"x","x-own":1}},
       "items":{"$ref":"other.json#/a"},"patternProperties":{},"additionalProperties":false,
       "anyOf":[{"$defs":{},"items":{},"prefixItems":[]}]}
      """##
    var notes: [String] = []
    _ = try SchemaValidator(try JSONValue(parsing: Array(text.utf8).span)) {
      notes.append("\($0): \($1)")
    }
    #expect(
      notes == [
        ##"anyOf[0]["$defs"]: only the definitions of the whole schema count."##,
        ##"anyOf[0].items: vmhost doesn't check it beside "prefixItems"."##,
        "anyOf[0].prefixItems: vmhost doesn't check this keyword.",
        ##"items["$ref"]: only "#" and "#/$defs/NAME" are followed."##,
        "patternProperties: vmhost doesn't check this keyword.",
        ##"tpye: this keyword is unknown. Did you mean "type"?"##,
        ##"additionalProperties: vmhost doesn't check it beside "patternProperties"."##,
        "properties.a.pattern: vmhost doesn't check this keyword.",
        "properties.a.x-own: this keyword is unknown.",
      ])
  }

  /// Schemas whose choices have choices, as deep as the value: two to the power of 200 of them.
  @Test func `gives up on a value that would take for ever`() throws {
    let text =
      ##"{"anyOf":[{"items":{"$ref":"#"},"minItems":1},{"type":"array","items":{"$ref":"#"},"##
      + ##""minItems":1}]}"##
    let validator = try SchemaValidator(try JSONValue(parsing: Array(text.utf8).span))
    let value = Array(
      (String(repeating: "[", count: 200) + "[]" + String(repeating: "]", count: 200)).utf8)
    let found = try validator.mismatch(of: value.span)
    #expect(found?.expected == "a value that can be checked within the limits of the host")
    let isAccepted = validator.accepts(value.span)
    #expect(!isAccepted)
  }

  @Test func `follows references to the depth that JSON may have`() throws {
    let text =
      ##"{"$defs":{"v":{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/list"}]},"##
      + ##""list":{"type":"array","items":{"##
      + ##""$ref":"#/$defs/v"}}},"$ref":"#/$defs/v"}"##
    let validator = try SchemaValidator(try JSONValue(parsing: Array(text.utf8).span))
    for (depth, fits) in [(256, true), (255, true)] {
      let value = Array(
        (String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
      let isAccepted = validator.accepts(value.span)
      #expect(isAccepted == fits)
    }
    let tooDeep = Array(
      (String(repeating: "[", count: 257) + String(repeating: "]", count: 257)).utf8)
    let isAccepted = validator.accepts(tooDeep.span)
    #expect(!isAccepted)
    #expect(throws: JSONError.self) { try validator.mismatch(of: tooDeep.span) }
  }
}
