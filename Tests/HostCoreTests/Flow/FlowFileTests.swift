import CanonicalJSON
import Testing

@testable import HostCore

/// What a flow file may say, and what is said of a broken one.
struct FlowFileTests {
  static func manifests() throws -> [PluginManifest] {
    let json = """
      {"id":"app","version":"1","viewModels":[
        {"id":"app.form",
         "inputs":[{"name":"set","schema":{}},{"name":"poke"}],
         "states":[{"name":"level","schema":{}}],
         "signals":[{"name":"changed","schema":{}},{"name":"done"},
           {"name":"loggedIn","schema":{"type":"object","required":["user"],"properties":{
             "user":{"anyOf":[{"type":"null"},{"type":"object","properties":{
               "name":{"type":"string"},"more":{}}}]},
             "notes":{"type":"object","additionalProperties":{"type":"string"}}}}}]},
        {"id":"app.typed","config":{"schema":{"type":"object","required":["a"],"properties":{
           "a":{"type":"integer"},"b":{"enum":["x","y"]},
           "c":{"type":"array","items":{"type":"string"}},
           "place":{"type":["object","null"],"required":["city"],"properties":{
             "city":{"type":"string"},"street":{"type":"string"}}},
           "people":{"type":"array","items":{"type":"object","required":["name"],
             "properties":{"name":{"type":"string"}}}},
           "byName":{"type":"object","additionalProperties":{"type":"object",
             "properties":{"age":{"type":"integer"}}}},
           "open":{"type":"object","properties":{"x":{}},"additionalProperties":true}}}},
         "inputs":[{"name":"text","schema":{"type":["string","null"]}},
           {"name":"count","schema":{"type":"integer"}},
           {"name":"amount","schema":{"type":"number"}},
           {"name":"pair","schema":{"anyOf":[{"type":"null"},{"type":"object","required":["b"],
             "properties":{"b":{"type":"boolean"}}}]}}],
         "signals":[{"name":"ready"}]},
        {"id":"app.page","inputs":[{"name":"show","schema":{}}],
         "signals":[{"name":"left"}]}]}
      """
    return [try PluginManifest(json: Array(json.utf8))]
  }

  static func flow(_ text: String) throws -> FlowRules {
    try FlowRules(FlowDocument(Array(text.utf8), path: "f.json"), manifests())
  }

  /// A flow that begins with a form and has these lines of signals.
  static func form(_ lines: String) -> String {
    "{\"start\":{\"open\":\"app.form\"},\"on\":{\n\(lines)\n}}"
  }

  private static let broken: [(String, String)] = [
    ("", "1:1: this is not JSON: expected a value, found the end of the input."),
    ("{\"start\":\n  {},}", "2:6: this is not JSON: expected a key in quotes, found \"}\"."),
    (
      "{\"on\":{},\"on\":{}}", "1:10: this is not JSON: expected each key once, found \"on\" again."
    ),
    ("[]", "1:1: a flow is an object."),
    (
      "{}",
      "1:1: a flow needs a \"start\", as in {\"start\":{\"open\":\"movies.list\"}}."
    ),
    ("{\"strat\":{}}", "1:2: a flow has no \"strat\" here. Did you mean \"start\"?"),
    ("{\"start\":\"app.form\"}", "1:10: the start is an object."),
    (
      "{\"start\":[{}]}",
      "1:11: the start needs \"open\" with a view model, as in {\"open\":\"movies.list\"}."
    ),
    ("{\"start\":{\"close\":\"form\"}}", "1:11: the start has no \"close\" here."),
    (
      "{\"start\":{\"open\":\"app.from\"}}",
      "1:18: there is no view model \"app.from\". Did you mean \"app.form\"?"
    ),
    ("{\"start\":{\"open\":1}}", "1:18: \"open\" must be a string."),
    (
      "{\"start\":{\"open\":\"app.form\",\"unlessOpen\":true}}",
      "1:29: the start has no \"unlessOpen\" here."
    ),
    (
      "{\"start\":{\"open\":\"app.form\",\"as\":\"a b\"}}",
      "1:34: \"a b\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
    ),
    (
      "{\"start\":{\"open\":\"app.form\",\"config\":[]}}", "1:38: a config must be a JSON object."
    ),
    (
      "{\"start\":{\"open\":\"app.form\",\"config\":{\"a\":[\"$value\"]}}}",
      "1:44: no signal leads to the start, so there is no \"$value\"."
    ),
    (
      "{\"start\":{\"open\":\"app.form\"},\"on\":[]}",
      "1:35: expected an object of signals, as in {\"list.showMovieDetails\":{…}}."
    ),
    (
      form("\"changed\":{\"close\":\"form\"}"),
      "2:1: \"changed\" is not a signal, which is written as \"HANDLE.NAME\"."
    ),
    (
      form("\"from.changed\":{\"close\":\"form\"}"),
      "2:1: this flow opens no instance \"from\". Did you mean \"form\"?"
    ),
    (
      form("\"form.changd\":{\"close\":\"form\"}"),
      "2:1: form (app.form) has no signal \"changd\". Did you mean \"form.changed\"?"
    ),
    (
      form("\"form.level\":{\"close\":\"form\"}"),
      "2:1: \"level\" is a state of form, and only signals lead anywhere."
    ),
    (
      form("\"form.done\":{}"),
      "2:13: an action needs one of \"open\", \"close\" and \"feed\"."
    ),
    (
      form("\"form.done\":[{\"close\":\"form\",\"opne\":\"app.page\"}]"),
      "2:30: an action has no \"opne\" here. Did you mean \"open\"?"
    ),
    (
      form("\"form.done\":{\"close\":\"form\",\"open\":\"app.page\"}"),
      "2:29: an action does one thing. Write several as an array: [{\"close\":…}, {\"open\":…}]."
    ),
    (
      form("\"form.done\":{\"close\":\"form\",\"as\":\"x\"}"),
      "2:29: \"close\" has no \"as\"."
    ),
    (
      form("\"form.done\":{\"close\":\"page\"}"),
      "2:22: this flow opens no instance \"page\"."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"as\":\"form\"}"),
      "2:37: \"form\" is app.form already. Give this one another handle with \"as\"."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"unlessOpen\":1}"),
      "2:45: \"unlessOpen\" must be true or false."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"config\":{\"id\":\"$value\"}}"),
      "2:47: \"$value\" can't be used: the signal \"form.done\" has no value."
    ),
    (
      "{\"start\":{\"open\":\"app.typed\",\"config\":{\"a\":\"$config.a\"}}}",
      "1:44: no signal leads to the start, so there is no \"$config\"."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"config\":{\"id\":\"$config.a\"}}"),
      "2:47: \"$config.a\" can't be used: the view model of \"form.done\" has no config."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"config\":{\"id\":\"$config.\"}}"),
      "2:47: \"$config.\" is neither \"$config\" nor a member of it, as \"$config.apiBase\" is."
    ),
    (
      "{\"start\":{\"open\":\"app.typed\"},\"on\":{\n\"typed.ready\":"
        + "{\"open\":\"app.page\",\"config\":{\"id\":\"$config.cc\"}}}}",
      "2:49: \"$config\" of the signal \"typed.ready\" has no \"cc\". Did you mean \"$config.c\"?"
    ),
    (
      form("\"form.changed\":{\"open\":\"app.page\",\"config\":{\"id\":\"$value..id\"}}"),
      "2:50: \"$value..id\" is neither \"$value\" nor a member of it, as \"$value.user.name\" is."
    ),
    (
      form("\"form.changed\":{\"open\":\"app.page\",\"config\":{\"id\":\"$value.a.\"}}"),
      "2:50: \"$value.a.\" is neither \"$value\" nor a member of it, as \"$value.user.name\" is."
    ),
    (
      form("\"form.done\":{\"open\":\"app.page\",\"config\":{\"id\":\"$value.id\"}}"),
      "2:47: \"$value.id\" can't be used: the signal \"form.done\" has no value."
    ),
    (
      form("\"form.loggedIn\":{\"open\":\"app.page\",\"config\":{\"id\":\"$value.usr.name\"}}"),
      "2:51: \"$value\" of the signal \"form.loggedIn\" has no \"usr\". Did you mean"
        + " \"$value.user\"?"
    ),
    (
      form("\"form.loggedIn\":{\"open\":\"app.page\",\"config\":{\"a\":[\"$value.user.nam\"]}}"),
      "2:51: \"$value.user\" of the signal \"form.loggedIn\" has no \"nam\". Did you mean"
        + " \"$value.user.name\"?"
    ),
    (
      form(
        """
        "form.loggedIn":{"feed":"page.show","value":"$value.user.name.first"},
        "form.done":{"open":"app.page"}
        """
      ),
      "2:45: \"$value.user.name\" of the signal \"form.loggedIn\" has no \"first\"."
    ),
    ("{\"$schema\":1,\"start\":{\"open\":\"app.form\"}}", "1:12: \"$schema\" must be a string."),
    ("{\"start\":[]}", "1:10: the start is empty: it must open at least one view model."),
    (
      "{\"start\":[{\"open\":\"app.form\"},{\"open\":\"app.form\"}]}",
      "1:39: the start already has \"form\". Give this one another handle with \"as\"."
    ),
    (
      "{\"start\":{\"open\":\"app form\"}}",
      "1:18: \"app form\" can't be the id of a view model, such as \"movies.list\"."
    ),
    (
      form("\"form.do\\\"ne\":{\"close\":\"form\"}"),
      "2:1: \"form.do\"ne\" is not a signal, which is written as \"HANDLE.NAME\"."
    ),
    (
      form("\"form.changed\":[{\"open\":\"app.page\"},{\"feed\":\"page.shwo\"}]"),
      "2:45: page (app.page) has no input \"shwo\". Did you mean \"page.show\"?"
    ),
    (
      form("\"form.done\":[{\"open\":\"app.page\"},{\"feed\":\"page.show\"}]"),
      "2:42: \"page.show\" takes a value, and the signal \"form.done\" has none. Give one with"
        + " \"value\"."
    ),
    (
      form("\"form.done\":{\"feed\":\"form.poke\",\"value\":1,\"mayRepeat\":true}"),
      "2:41: \"form.poke\" takes no value."
    ),
    (
      form(
        "\"form.changed\":{\"feed\":\"form.set\",\"value\":{\"a\":[\"$secret:mine\"]},"
          + "\"mayRepeat\":true}"),
      "2:49: a secret can only be in a config, and \"$secret:mine\" is in the value of an input."
    ),
    (
      form("\"form.changed\":{\"feed\":\"form.set\"}"),
      "2:24: this feed completes a loop that may never end: form.changed → form.set. If a"
        + " view model ends it, add \"mayRepeat\": true here."
    ),
    (
      form(
        """
        "form.done":{"open":"app.form","as":"b"},
        "form.changed":{"feed":"b.set"},
        "b.done":{"open":"app.form","as":"c"},
        "b.changed":{"feed":"c.set"},
        "c.done":{"feed":"form.poke"}
        """),
      "6:18: this feed completes a loop that may never end: form.changed → b.set, b.changed"
        + " → c.set, c.done → form.poke. If a view model ends it, add \"mayRepeat\": true here."
    ),
    // The circle that is closed first in the file, by the shortest way.
    (
      form(
        """
        "form.done":[{"open":"app.form","as":"b"},{"open":"app.form","as":"c"}],
        "form.changed":[{"feed":"b.poke"},{"feed":"c.poke"}],
        "b.changed":{"feed":"c.poke"},
        "c.changed":[{"feed":"form.set"},
          {"feed":"b.set"}]
        """),
      "5:22: this feed completes a loop that may never end: form.changed → c.poke, c.changed"
        + " → form.set. If a view model ends it, add \"mayRepeat\": true here."
    ),
  ]

  @Test(arguments: broken) func `says what is wrong with a flow, and where`(
    _ text: String, _ message: String
  ) {
    let error = #expect(throws: FlowError.self) { _ = try Self.flow(text) }
    let first = error?.description.split(separator: "\n").first.map { String($0) }
    #expect(first == "f.json:\(message)")
  }

  @Test func `shows the line that is wrong`() {
    let error = #expect(throws: FlowError.self) {
      _ = try Self.flow(Self.form("\"form.done\": { \"close\": \"frm\" }"))
    }
    #expect(
      error?.description == """
        f.json:2:25: this flow opens no instance "frm". Did you mean "form"?
          2 | "form.done": { "close": "frm" }
            |                         ^
        """)
  }

  /// A flow of instances of which each one opens and feeds the one before.
  private static func chain(_ count: Int) -> String {
    let links = (2...count).map { number in
      "\"a\(number).done\":[{\"open\":\"app.form\",\"as\":\"a\(number - 1)\"},"
        + "{\"feed\":\"a\(number - 1).poke\"}]"
    }
    return "{\"start\":{\"open\":\"app.form\",\"as\":\"a\(count)\"},\"on\":{\n"
      + links.joined(separator: ",\n")
  }

  @Test func `looks for circles in a chain of thousands`() throws {
    let chain = Self.chain(5_000)
    let flow = try FlowDocument(Array("\(chain)}}".utf8), path: "f.json")
    #expect(flow.openings.count == 5_000)
    let circle = "\(chain),\n\"a1.done\":{\"feed\":\"a5000.poke\"}}}"
    let error = #expect(throws: FlowError.self) {
      _ = try FlowDocument(Array(circle.utf8), path: "f.json")
    }
    #expect(error?.description.hasPrefix("f.json:5001:19: this feed completes a loop") == true)
  }

  @Test func `names what can't be read`() {
    #expect(throws: FlowError("could not read the flow \"/dev/null\": it is not a file.")) {
      _ = try FlowRules(contentsOf: "/dev/null", [])
    }
  }

  private static let good = [
    "{\"start\":{\"open\":\"app.form\"}}",
    // Circles that a user or a view model ends.
    form("\"form.done\":{\"open\":\"app.form\"}"),
    form("\"form.changed\":{\"feed\":\"form.set\",\"mayRepeat\":true}"),
    form("\"form.done\":[{\"feed\":\"page.show\",\"value\":1},{\"open\":\"app.page\"}]"),
    form("\"form.changed\":[]"),
    "{\"$schema\":\"flow.schema.json\",\"start\":{\"open\":\"app.form\"}}",
    "{\"start\":[{\"open\":\"app.form\"},{\"open\":\"app.form\",\"as\":\"b\"}]}",
    // Members that a schema announces, or leaves open.
    form("\"form.changed\":{\"open\":\"app.page\",\"config\":{\"a\":[\"$value.b.c\"]}}"),
    form("\"form.loggedIn\":{\"open\":\"app.page\",\"config\":{\"a\":\"$value.user.name\"}}"),
    form("\"form.loggedIn\":{\"open\":\"app.page\",\"config\":{\"a\":\"$value.user.more.x\"}}"),
    form("\"form.loggedIn\":{\"open\":\"app.page\",\"config\":{\"a\":\"$value.notes.any\"}}"),
    // Text that only begins as what stands for something else does.
    form(
      """
      "form.done":{"open":"app.page","config":{"a":"$valuex","b":["$configuration","$value/id"]}},
      "form.changed":{"feed":"page.show","value":"$config:a"}
      """),
    "{\"start\":{\"open\":\"app.form\",\"config\":{\"a\":\"$values\"}}}",
    form("\"form.done\":{\"open\":\"app.page\",\"config\":{\"a\":\"$secret:x\"}}"),
    form(
      """
      "form.done":{"open":"app.typed"},
      "typed.ready":[{"open":"app.typed","as":"t","config":{"a":"$config.a","c":["$config.b"],
        "open":{"y":"$config.open.z"}}},
        {"feed":"t.count","value":"$config.a"},{"open":"app.page","config":{"all":"$config"}}]
      """),
  ]

  @Test(arguments: good) func `takes a flow that can come to an end`(_ text: String) throws {
    let flow = try Self.flow(text)
    #expect(flow.starts.first?.viewModel == "app.form")
    #expect(flow.starts.first?.handle == "form")
  }
}
