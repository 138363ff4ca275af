import CanonicalJSON
import HostCore
import Testing

struct PluginManifestTests {
  private static func read(_ json: String) throws(ManifestError) -> PluginManifest {
    try PluginManifest(json: Array(json.utf8))
  }

  private static func viewModel(_ members: String) -> String {
    "{\"id\":\"p\",\"version\":\"1\",\"viewModels\":[{\"id\":\"m\",\(members)}]}"
  }

  @Test func `has what the plugin says of itself`() throws {
    let manifest = try Self.read(
      """
      {"id":"shop.cart","version":"1.2.0-beta","later":true,"viewModels":[
        {"id":"cart.list_2","later":1,
         "config":{"schema":{"type":"object"},"default":{"a":1}},
         "inputs":[{"name":"add-one","schema":{"type":"string"},"later":1},{"name":"clear"}],
         "states":[{"name":"items","schema":{},"first":[]},{"name":"total","schema":true}],
         "signals":[{"name":"done"},{"name":"showItem","schema":{}}],
         "requests":["http","storage.get","some.thing"]},
        {"id":"Badge"}]}
      """)
    #expect(manifest.id == "shop.cart")
    #expect(manifest.version == "1.2.0-beta")
    #expect(manifest.viewModels.map(\.id) == ["cart.list_2", "Badge"])
    #expect(manifest.viewModels.map(\.defaultHandle) == ["list_2", "Badge"])
    #expect(manifest.viewModel("Badge")?.inputs.isEmpty == true)
    #expect(manifest.viewModel("badge") == nil)
    let list = try #require(manifest.viewModel("cart.list_2"))
    #expect(list.inputs.map(\.name) == ["add-one", "clear"])
    #expect(list.inputs.map(\.hasValue) == [true, false])
    #expect(list.outputs.map(\.name) == ["items", "total", "done", "showItem"])
    #expect(list.outputs.map(\.role) == [.state, .state, .signal, .signal])
    #expect(list.states.map(\.name) == ["items", "total"])
    #expect(list.signals.map(\.hasValue) == [false, true])
    #expect(list.states.map { $0.first?.canonicalText } == ["[]", nil])
    #expect(list.requests == ["http", "storage.get", "some.thing"])
    #expect(list.configSchema?.canonicalText == "{\"type\":\"object\"}")
    #expect(list.configDefault?.canonicalText == "{\"a\":1}")
  }

  private static let name =
    "is not a name (letters, digits, _ and -, beginning with a letter or _)"
  private static let identifier =
    "is not an id (letters, digits, _ and -, in parts joined by dots, each beginning with a letter"
    + " or _)"

  private static let errors: [(String, String)] = [
    ("", "it is empty"),
    ("{", "it is not JSON: expected a key in quotes, found the end of the input (byte 1)"),
    (
      "{\"id\":\"a\",\"id\":\"b\"}",
      "it is not JSON: expected each key once, found \"id\" again (byte 10)"
    ),
    ("{\"error\":1}", "id: expected text"),
    ("{\"error\":\"no\",\"viewModels\":[]}", "id: expected text"),
    ("null", "expected an object"), ("\"id\"", "expected an object"),
    ("{}", "id: expected text"), ("{\"id\":1}", "id: expected text"),
    ("{\"id\":\"\"}", "id: expected text"),
    ("{\"id\":\"a b\"}", "id: \"a b\" \(identifier)"),
    ("{\"id\":\"a.\"}", "id: \"a.\" \(identifier)"),
    ("{\"id\":\".a\"}", "id: \".a\" \(identifier)"),
    ("{\"id\":\"a.1\"}", "id: \"a.1\" \(identifier)"),
    ("{\"id\":\"größe\"}", "id: \"größe\" \(identifier)"),
    ("{\"id\":\"a\"}", "version: expected text"),
    ("{\"id\":\"a\",\"version\":1}", "version: expected text"),
    ("{\"id\":\"a\",\"version\":\"1\"}", "viewModels: expected at least one"),
    ("{\"id\":\"a\",\"version\":\"1\",\"viewModels\":{}}", "viewModels: expected an array"),
    ("{\"id\":\"a\",\"version\":\"1\",\"viewModels\":[1]}", "viewModels[0].id: expected text"),
    (viewModel("\"inputs\":{}"), "viewModels[0].inputs: expected an array"),
    (viewModel("\"inputs\":[\"a\"]"), "viewModels[0].inputs[0].name: expected text"),
    (
      viewModel("\"inputs\":[{\"name\":\"a\"},{\"name\":\"-a\"}]"),
      "viewModels[0].inputs[1].name: \"-a\" \(name)"
    ),
    (
      viewModel("\"signals\":[{\"name\":\"a.b\"}]"),
      "viewModels[0].signals[0].name: \"a.b\" \(name)"
    ),
    (
      viewModel("\"states\":[{\"name\":\"a\"}]"),
      "viewModels[0].states[0]: a state has a value, so it needs a schema"
    ),
    (
      viewModel("\"requests\":[\"a b\"]"),
      "viewModels[0].requests[0]: expected the name of an effect, such as \"http\""
    ),
    (
      viewModel("\"requests\":[\"\"]"),
      "viewModels[0].requests[0]: expected the name of an effect, such as \"http\""
    ),
    (viewModel("\"requests\":[\"a\",\"a\"]"), "\"a\" appears twice as request of m"),
    (
      viewModel("\"inputs\":[{\"name\":\"a\",\"schema\":null}]"),
      "viewModels[0].inputs[0].schema: expected a schema, which is an object, true or false, found"
        + " null"
    ),
    (
      viewModel("\"states\":[{\"name\":\"a\",\"schema\":{\"items\":{\"required\":1}}}]"),
      "viewModels[0].states[0].schema.items.required: expected an array of names, found 1"
    ),
    (
      viewModel("\"config\":{\"schema\":{\"$ref\":\"#/$defs/a\"}}"),
      "viewModels[0].config.schema[\"$ref\"]: there is no \"#/$defs/a\"."
    ),
    (
      viewModel("\"states\":[{\"name\":\"a\",\"schema\":{}},{\"name\":\"a\",\"schema\":{}}]"),
      "\"a\" appears twice as output of m"
    ),
  ]

  @Test(arguments: errors.indices)
  func `an error has its path`(_ index: Int) {
    let found = #expect(throws: ManifestError.self) { try Self.read(Self.errors[index].0) }
    #expect(found?.description == Self.errors[index].1)
  }

  @Test func `a plugin may say why it can't describe itself`() {
    let found = #expect(throws: ManifestError.self) {
      try Self.read("{\"error\":\"rows[0] is\\u001b[2J no part\",\"id\":\"p\",\"version\":\"1\"}")
    }
    let load = found.map { PluginLoadError("p.so", $0.reason) }
    #expect(
      load?.description
        == "Could not load \"p.so\": it can't describe itself: rows[0] is\u{fffd}[2J no part.")
    let long = #expect(throws: ManifestError.self) {
      try Self.read("{\"error\":\"\(String(repeating: "x", count: 5000))\"}")
    }
    #expect(long?.description.count == 2000)
  }

  @Test func `an input and an output may have one name`() throws {
    let json = Self.viewModel("\"inputs\":[{\"name\":\"a\"}],\"signals\":[{\"name\":\"a\"}]")
    #expect(try Self.read(json).viewModels[0].outputs.map(\.name) == ["a"])
  }

  @Test func `notes what has no effect`() throws {
    let manifest = try Self.read(
      """
      {"id":"p","version":"1","viewModel":[],"viewModels":[{"id":"m","sates":[],
        "config":{"scheme":{},"schema":{"requierd":["a"],"properties":{"a":{"pattern":"^a"}}}},
        "inputs":[{"name":"a","schema":{"title":"A","anyOf":[{"$ref":"a.json"}]},"first":1}],
        "states":[{"name":"b","schema":{"items":{"maximun":3},"prefixItems":[]},"distinct":true,
                   "first":[]}],
        "signals":[{"name":"c","Schema":{}}]}]}
      """)
    #expect(
      manifest.notes() == [
        "viewModel: this member is unknown. Did you mean \"viewModels\"?",
        "viewModels[0].sates: this member is unknown. Did you mean \"states\"?",
        "viewModels[0].config.scheme: this member is unknown. Did you mean \"schema\"?",
        "viewModels[0].config.schema.requierd: this keyword is unknown. Did you mean \"required\"?",
        "viewModels[0].config.schema.properties.a.pattern: vmhost doesn't check this keyword.",
        "viewModels[0].inputs[0].first: this member is unknown.",
        "viewModels[0].inputs[0].schema.anyOf[0][\"$ref\"]: only \"#\" and \"#/$defs/NAME\" are"
          + " followed.",
        "viewModels[0].states[0].schema.items.maximun: this keyword is unknown. Did you mean"
          + " \"maximum\"?",
        "viewModels[0].states[0].schema.items: vmhost doesn't check it beside \"prefixItems\".",
        "viewModels[0].states[0].schema.prefixItems: vmhost doesn't check this keyword.",
        "viewModels[0].signals[0].Schema: this member is unknown. Did you mean \"schema\"?",
      ])
  }

  @Test func `a manifest that is all understood has no notes`() throws {
    let manifest = try Self.read(
      """
      {"id":"p","version":"1","viewModels":[{"id":"m","config":{"schema":true,"default":{}},
        "inputs":[{"name":"a","schema":{"$comment":"c","format":"uri","minLength":1}}],
        "states":[{"name":"b","schema":{},"first":1,"distinct":false}],"signals":[{"name":"c"}],
        "requests":["http"]}]}
      """)
    #expect(manifest.notes() == [])
  }
}
