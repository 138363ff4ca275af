import CanonicalJSON
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// What schemas become in each language. A compiler must take their right values, and refuse their
/// wrong ones.
struct SchemaCaseTests {
  /// A front end for a view model that has an input for each schema, among others with names that
  /// are hard to tell apart.
  private static func text(_ language: FrontEnd.Language) throws -> String {
    let inputs = SchemaCase.all.enumerated().map { index, schemaCase in
      "{\"name\":\"p\(index)\",\"schema\":\(schemaCase.schema)}"
    }
    let manifest = """
      {"id":"odd","version":"1 */ @ts-nocheck coding: latin1","viewModels":[
      {"id":"odd","inputs":[\(inputs.joined(separator: ","))],
      "states":[\(inputs.joined(separator: ","))]},
      {"id":"line","inputs":[{"name":"in"},{"name":"constructor"},{"name":"a-b","schema":{}}],
      "states":[{"name":"a_b","schema":{}},{"name":"a-b","schema":{}}],
      "signals":[{"name":"class"}]},
      {"id":"strict","config":{"default":{"a":1,"in":{"x":1}},"schema":{"type":"object",
      "properties":{"a":{"type":"integer"},"b":{"type":"string"},
      "in":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}},
      "required":["a","b","in"]}}},
      {"id":"list","config":{"schema":{"$ref":"#/$defs/a","$defs":{"a":{"type":"object",
      "properties":{"n":{"type":"integer"}}}}}}},
      {"id":"Line.In"},{"id":"line-in"},{"id":"line_in"},{"id":"typed.dict"},{"id":"_"},
      {"id":"view.models"},{"id":"level"}]}
      """
    let plugin = try PluginManifest(json: Array(manifest.utf8))
    return try FrontEnd([plugin], named: ["odd.so"], nil).types(language)
  }

  @Test func `TypeScript has the types of schemas`() async throws {
    var use = "import { ViewModels } from \"./odd\";\n"
    for (index, schemaCase) in SchemaCase.all.enumerated() {
      let type = "ViewModels[\"odd\"][\"inputs\"][\"p\(index)\"]"
      let wrong = schemaCase.wrong + schemaCase.wrongBeyondPython + schemaCase.misspelt
      for (values, remark) in [(schemaCase.right, ""), (wrong, " // wrong")] {
        for value in values { use += "(value: \(type) = \(value)) => value;\(remark)\n" }
      }
    }
    use += """
      import { LineIn, Config } from "./odd";
      (line: LineIn = { kind: "open", viewModel: "strict", config: { b: "x", in: {} } }) => line;
      (line: LineIn = { kind: "open", viewModel: "strict", config: { a: 1 } }) => line; // wrong
      (line: LineIn = { kind: "open", viewModel: "strict" }) => line; // wrong
      (line: LineIn = { kind: "open", viewModel: "line", config: { any: 1 } }) => line;
      (line: LineIn = { kind: "open", viewModel: "list", config: { n: 1 } }) => line;
      (line: LineIn = { kind: "open", viewModel: "list", config: { n: "" } }) => line; // wrong
      (config: Config<"strict"> = { a: 1 }) => config; // wrong

      """
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.text(.typescript), to: "odd.ts")
      try folder.write(use, to: "use.ts")
      guard let errors = try await TypeChecker.typeScript.errors(["use"], in: folder) else {
        return
      }
      #expect(use.surprises(errors) == [])
    }
  }

  @Test func `Python has the types of schemas`() async throws {
    var use = "from odd import *\n"
    for (index, schemaCase) in SchemaCase.all.enumerated() {
      let wrong = schemaCase.wrong + schemaCase.misspelt
      for (values, remark) in [(schemaCase.right, ""), (wrong, "  # wrong")] {
        for (number, value) in values.enumerated() {
          let name = "v\(index)_\(number)\(remark.isEmpty ? "" : "w")"
          let value = try PythonText.of(value)
          use += "\(name): OddP\(index)Input"
          use += " = {\"name\": \"p\(index)\", \"value\": \(value)}\(remark)\n"
        }
      }
    }
    use += """
      a: LineIn = {"kind": "open", "viewModel": "strict", "config": {"b": "x", "in": {}}}
      b: LineIn = {"kind": "open", "viewModel": "strict", "config": {"a": 1}}  # wrong
      c: LineIn = {"kind": "open", "viewModel": "strict"}  # wrong
      d: LineIn = {"kind": "open", "viewModel": "line", "config": {"any": 1}}
      f: LineIn = {"kind": "open", "viewModel": "list", "config": {"n": 1}}
      g: LineIn = {"kind": "open", "viewModel": "list", "config": {"n": ""}}  # wrong
      e: StrictConfig = {"a": 1}  # wrong

      """
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.text(.python), to: "odd.py")
      try folder.write(use, to: "use.py")
      guard let errors = try await TypeChecker.python.errors(["odd", "use"], in: folder) else {
        return
      }
      #expect(use.surprises(errors) == [])
      let python = try #require(Programs.path(of: "python3"))
      let program = """
        import sys
        if sys.version_info < (3, 11):
            print("python3 is older than 3.11: generated types aren't imported")
        else:
            import odd
        """
      let output = try await ChildProcess.run(
        python, ["-B", "-c", program], workingDirectory: folder.path)
      print(output.stdout, terminator: "")
      #expect(output.status == .success, "\(output.stderr)")
    }
  }

  @Test(arguments: [FrontEnd.Language.typescript, .python, .jsonSchema])
  func `a schema may be long`(_ language: FrontEnd.Language) throws {
    let count = 20_000
    let parts = (0..<count).map { index in
      let next = "{\"next\":{\"$ref\":\"#/$defs/a-\(index + 1)\"}}"
      return "\"a-\(index)\":{\"type\":\"object\",\"properties\":\(next)}"
    }
    let last = "\"a-\(count)\":{\"enum\":[\((0..<count).map(String.init).joined(separator: ","))]}"
    let manifest = """
      {"id":"long","version":"1","viewModels":[{"id":"long","inputs":[{"name":"go","schema":
      {"$ref":"#/$defs/a-0","$defs":{\(parts.joined(separator: ",")),\(last)}}}]}]}
      """
    let plugin = try PluginManifest(json: Array(manifest.utf8))
    let text = try FrontEnd([plugin], named: ["long.so"], nil).types(language)
    #expect(text.contains("19999"))
  }

  @Test func `JSON Schema keeps schemas`() throws {
    let text = try Self.text(.jsonSchema)
    let lines = try JSONSchema(text, definition: "in")
    for (config, isRight) in [
      (",\"config\":{\"b\":\"x\",\"in\":{}}", true), (",\"config\":{\"a\":1}", false), ("", false),
    ] {
      let line = "{\"kind\":\"open\",\"viewModel\":\"strict\"\(config)}"
      #expect(try lines.allows(JSONValue(parsing: Array(line.utf8).span)) == isRight, "\(line)")
    }
    for (index, schemaCase) in SchemaCase.all.enumerated() {
      let schema = try JSONSchema(text, definition: "odd:input:p\(index)")
      func allows(_ value: String) throws -> Bool {
        try schema.allows(JSONValue(parsing: Array(value.utf8).span))
      }
      for value in schemaCase.right + schemaCase.misspelt {
        #expect(try allows(value), "\(schemaCase.schema) \(value)")
      }
      for value in schemaCase.wrong + schemaCase.wrongBeyondPython {
        #expect(try !allows(value), "\(schemaCase.schema) \(value)")
      }
    }
  }
}
