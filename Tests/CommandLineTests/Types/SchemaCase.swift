/// A schema, and values in JSON that fit it or don't.
struct SchemaCase {
  let schema: String
  var right: [String] = []
  var wrong: [String] = []
  /// Wrong, but Python's types can't tell.
  var wrongBeyondPython: [String] = []
  /// Allowed by the schema, which doesn't know these members. They are most likely misspelt.
  var misspelt: [String] = []

  static let all = scalars + choices + arrays + objects + references + oddities

  private static let scalars = [
    SchemaCase(schema: "{}", right: ["1", "\"a\"", "null", "[{}]"]),
    SchemaCase(schema: "true", right: ["1", "null"]),
    SchemaCase(schema: "false", wrong: ["1", "null"]),
    SchemaCase(schema: #"{"type":"string"}"#, right: ["\"a\""], wrong: ["1", "null"]),
    SchemaCase(schema: #"{"type":"integer"}"#, right: ["1", "-7"], wrong: ["\"1\"", "null"]),
    SchemaCase(schema: #"{"type":"number"}"#, right: ["1", "1.5", "-2e-7"], wrong: ["\"1\""]),
    SchemaCase(schema: #"{"type":"boolean"}"#, right: ["true", "false"], wrong: ["0", "null"]),
    SchemaCase(schema: #"{"type":"null"}"#, right: ["null"], wrong: ["false", "{}"]),
    SchemaCase(
      schema: #"{"type":["string","null"]}"#, right: ["\"a\"", "null"], wrong: ["1", "[]"]),
    SchemaCase(
      schema: #"{"type":["integer","number"]}"#, right: ["1", "1.5"], wrong: ["\"a\""]),
  ]

  private static let choices = [
    SchemaCase(
      schema: #"{"enum":["it's","\"q\"","a\\b","two\nlines","*/","\u2028","naïve 🎬","\u202e"]}"#,
      right: [
        "\"it's\"", #""\"q\"""#, #""a\\b""#, #""two\nlines""#, "\"*/\"", #""\u2028""#,
        "\"naïve 🎬\"", #""\u202e""#,
      ], wrong: ["\"its\"", "\"\"", "1"]),
    SchemaCase(
      schema: #"{"enum":[1,2.5,true,null,"a"]}"#, right: ["1", "2.5", "true", "null", "\"a\""],
      wrong: ["\"b\"", "[]"], wrongBeyondPython: ["3", "false"]),
    SchemaCase(schema: #"{"enum":[-1,0]}"#, right: ["-1", "0"], wrong: ["1", "\"0\""]),
    // No Double holds it.
    SchemaCase(
      schema: #"{"enum":[9007199254740993]}"#, right: ["9007199254740993"], wrong: ["\"a\""]),
    SchemaCase(schema: #"{"enum":[]}"#, wrong: ["1"]),
    SchemaCase(
      schema: #"{"type":"string","enum":["a",null,3]}"#, right: ["\"a\""], wrong: ["null", "3"]),
    SchemaCase(
      schema: #"{"const":{"a":[1,"x"],"b":{},"c":[]}}"#, right: [#"{"a":[1,"x"],"b":{},"c":[]}"#],
      wrong: [#"{"a":[1,"y"],"b":{},"c":[]}"#, #"{"a":[1,"x"],"b":{"c":1},"c":[]}"#, "{}"],
      wrongBeyondPython: [#"{"a":["x",1],"b":{},"c":[]}"#]),
    SchemaCase(
      schema: #"{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}}]}"#,
      right: ["\"a\"", "[1]"], wrong: ["1", "[\"a\"]"]),
    SchemaCase(
      schema: """
        {"oneOf":[
        {"type":"object","properties":{"is":{"const":"a"},"n":{"type":"integer"}},
        "required":["is","n"]},
        {"type":"object","properties":{"is":{"const":"b"},"s":{"type":"string"}},
        "required":["is","s"]}]}
        """,
      right: [#"{"is":"a","n":1}"#, #"{"is":"b","s":"x"}"#],
      wrong: [#"{"is":"a","s":"x"}"#, #"{"is":"c","n":1}"#, "{}"]),
    SchemaCase(
      schema: """
        {"type":"object","anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},
        {"properties":{"b":{"type":"string"}},"required":["b"]}]}
        """,
      right: [#"{"a":"x"}"#, #"{"b":"x"}"#], wrong: [#"{"a":1}"#, #"{"c":"x"}"#, "\"a\""]),
  ]

  private static let arrays = [
    SchemaCase(
      schema: #"{"type":"array","items":{"type":"string"}}"#, right: ["[]", "[\"a\"]"],
      wrong: ["[1]", "{}", "\"a\""]),
    SchemaCase(schema: #"{"type":"array"}"#, right: ["[]", "[1,\"a\",null]"], wrong: ["{}"]),
    SchemaCase(
      schema: #"{"type":"array","items":{"type":["integer","null"]}}"#, right: ["[1,null]"],
      wrong: ["[\"a\"]", "1"]),
    SchemaCase(
      schema: """
        {"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":1,
        "items":false}
        """,
      right: ["[\"a\"]", "[\"a\",1]"], wrong: ["[null]", "\"a\""],
      wrongBeyondPython: ["[]", "[1]", "[\"a\",1,2]"]),
    SchemaCase(
      schema: #"{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#,
      right: ["[]", "[\"a\"]", "[\"a\",1,2]"], wrong: ["[null]"],
      wrongBeyondPython: ["[1]", "[\"a\",\"b\"]"]),
  ]

  private static let objects = [
    SchemaCase(
      schema: """
        {"type":"object","properties":{"x":{"type":"integer"},"y":{"type":["integer","null"]}},
        "required":["x"]}
        """,
      right: [#"{"x":1}"#, #"{"x":1,"y":2}"#, #"{"x":1,"y":null}"#],
      wrong: ["{}", #"{"y":1}"#, #"{"x":null}"#, "[]"], misspelt: [#"{"x":1,"Y":2}"#]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"a-b":{"type":"integer"},"class":{"type":"integer"},
        "int":{"type":"integer"},"__init__":{"type":"integer"},"é":{"type":"integer"},
        "\\"":{"type":"integer"},"*/":{"type":"integer"},"":{"type":"integer"},
        "1":{"type":"integer"},"two\\nlines":{"type":"integer"},"new":{"type":"integer"},
        "__proto__":{"type":"integer"}},
        "required":["a-b","class","int","__init__","é","\\"","*/","","1","two\\nlines","new"]}
        """,
      right: [
        """
        {"a-b":1,"class":1,"int":1,"__init__":1,"é":1,"\\"":1,"*/":1,"":1,"1":1,"two\\nlines":1,\
        "new":1}
        """
      ],
      wrong: [
        """
        {"a-b":1,"class":1,"int":1,"__init__":1,"é":1,"\\"":1,"*/":1,"":1,"1":"","two\\nlines":1,\
        "new":1}
        """, "{}",
      ]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"readonly":{"type":"integer"},"str":{"type":"string"},
        "get":{"type":"string"},"Level":{"type":"string"}}}
        """,
      right: ["{}", #"{"readonly":1,"str":"a","get":"b","Level":"d"}"#],
      wrong: [#"{"readonly":"1"}"#, #"{"Level":1}"#]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"keys":{"type":"string"},"items":{"type":"string"},
        "get":{"type":"string"},"constructor":{"type":"string"}},
        "required":["keys","items","constructor"]}
        """,
      right: [#"{"keys":"a","items":"b","constructor":"c"}"#], wrong: [#"{"keys":"a"}"#]),
    SchemaCase(schema: #"{"type":"object"}"#, right: ["{}", #"{"a":1}"#], wrong: ["[]", "1"]),
    SchemaCase(
      schema: #"{"type":"object","additionalProperties":{"type":"integer"}}"#,
      right: ["{}", #"{"a":1}"#], wrong: [#"{"a":"x"}"#, "[1]"]),
    SchemaCase(
      schema: """
        {"type":"object","additionalProperties":{"type":"object",
        "properties":{"n":{"type":"integer"}},"required":["n"]}}
        """,
      right: ["{}", #"{"a":{"n":1}}"#], wrong: [#"{"a":{}}"#, #"{"a":1}"#]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},
        "required":["id"],"additionalProperties":{"type":"integer"}}
        """,
      right: [#"{"id":"a"}"#, #"{"id":"a","name":"b","n":1}"#], wrong: [#"{"id":"a","n":null}"#],
      wrongBeyondPython: [#"{"n":1}"#, #"{"id":1}"#]),
    SchemaCase(
      schema: #"{"type":"object","additionalProperties":false}"#, right: ["{}"],
      wrong: [#"{"a":1}"#]),
    SchemaCase(
      schema: #"{"type":"object","required":["a"]}"#, right: [#"{"a":[]}"#], wrong: ["{}"]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"a":{"type":"integer"}},
        "allOf":[{"properties":{"b":{"type":"string"}}}]}
        """,
      right: [#"{"a":1,"b":"x"}"#], wrong: ["1"], wrongBeyondPython: [#"{"a":"x"}"#]),
  ]

  private static let references = [
    SchemaCase(
      schema: """
        {"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{
        "name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},
        "required":["name"]}}}
        """,
      right: [#"{"name":"a"}"#, #"{"name":"a","children":[{"name":"b","children":[]}]}"#],
      wrong: ["{}", #"{"name":"a","children":[{"children":[]}]}"#]),
    SchemaCase(
      schema: ##"{"type":"array","items":{"$ref":"#"}}"##, right: ["[]", "[[],[[]]]"],
      wrong: ["[1]", "[[\"a\"]]"]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},
        "required":["next"]}
        """,
      right: [#"{"next":null}"#, #"{"next":{"next":null}}"#], wrong: [#"{"next":{}}"#, "{}"]),
    SchemaCase(
      schema: """
        {"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"type":"string"}]},
        "b":{"anyOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#/$defs/a"}}]}}}
        """,
      right: ["1", "\"a\"", "[1,[\"a\"]]"], wrong: ["null", "[null]"]),
    SchemaCase(
      schema: """
        {"$defs":{"a/b c":{"type":"integer"},"A b-c":{"enum":[1]},"a-b C":{"enum":[2]}},
        "type":"array","prefixItems":[{"$ref":"#/$defs/a~1b%20c"},{"$ref":"#/$defs/A%20b-c"},
        {"$ref":"#/$defs/a-b%20C"}],"minItems":3,"items":false}
        """,
      right: ["[7,1,2]"], wrong: ["[7,1,null]"], wrongBeyondPython: ["[7,2,1]"]),
    SchemaCase(
      schema: ##"{"$ref":"#/$defs/\u0301~1\u0301","$defs":{"\u0301/\u0301":{"type":"string"}}}"##,
      right: ["\"a\""], wrong: ["1"]),
    SchemaCase(schema: #"{"$ref":"https://example.org/other"}"#, right: ["1", "null"]),
    SchemaCase(
      schema: ##"{"$ref":"#/x-own/a","x-own":{"a":{"type":"string"}}}"##, right: ["\"a\""]),
  ]

  private static let oddities = [
    SchemaCase(
      schema: #"{"type":"string","description":"*/ x: 7 /*\n@ts-ignore\n\"\"\"\rx = 7\u2028\fy"}"#,
      right: ["\"a\""], wrong: ["1"]),
    // To Swift, the slash and the vowel sign are one character.
    SchemaCase(
      schema: #"{"type":"string","description":"*/\u0e33 = 7 /*"}"#, right: ["\"a\""],
      wrong: ["1"]),
    SchemaCase(
      schema: #"{"type":"string","description":"@ts-expect-error"}"#, right: ["\"a\""],
      wrong: ["1"]),
    SchemaCase(
      schema: """
        {"type":"object","properties":{"a":{"type":"string","description":"type: ignore"},
        "b-c":{"type":"string","description":"mypy: ignore-errors\\n\\n*/"}}}
        """, right: [#"{"a":"x","b-c":"y"}"#], wrong: [#"{"a":1}"#]),
  ]
}
