import Testing

@testable import HostCore

/// What a flow gives, beside what schemas say that is wanted.
struct FlowTypesTests {
  /// A flow whose signals lead to one that says what it takes.
  private static func typed(_ action: String) -> String {
    FlowFileTests.form(
      "\"form.done\":{\"open\":\"app.typed\"},\n\"form.loggedIn\":\(action)")
  }

  private static let mistyped: [(String, String)] = [
    (
      typed("{\"feed\":\"typed.text\",\"value\":1}"),
      "3:46: expected a string or null here, found an integer."
    ),
    (
      typed("{\"feed\":\"typed.count\",\"value\":1.5}"),
      "3:47: expected an integer here, found a number."
    ),
    (
      typed("{\"feed\":\"typed.count\",\"value\":\"$value.notes.a\"}"),
      "3:47: expected an integer here, and \"$value.notes.a\" is a string."
    ),
    (
      typed("{\"feed\":\"typed.text\"}"),
      "3:25: \"typed.text\" takes a string or null, and the value of \"form.loggedIn\" is an"
        + " object."
        + " A part of it can be given with \"value\", as in \"$value.user.name\"."
    ),
    (
      typed("{\"feed\":\"typed.pair\",\"value\":{\"b\":0}}"),
      "3:51: expected a boolean here, found an integer."
    ),
    (typed("{\"feed\":\"typed.pair\",\"value\":{\"a\":0}}"), "3:46: this needs \"b\"."),
    (
      typed("{\"feed\":\"typed.pair\",\"value\":[]}"),
      "3:46: expected an object or null here, found an array."
    ),
    (
      typed("{\"open\":\"app.typed\",\"config\":{\"b\":\"z\"}}"),
      "3:51: expected one of \"x\", \"y\" here."
    ),
    (
      typed("{\"open\":\"app.typed\",\"config\":{\"c\":[\"\",\"$value.user\"]}}"),
      "3:55: expected a string here, and \"$value.user\" is an object or null."
    ),
    (
      "{\"start\":{\"open\":\"app.typed\"},\"on\":{\"typed.ready\":\n"
        + "{\"feed\":\"typed.text\",\"value\":\"$config.a\",\"mayRepeat\":true}}}",
      "2:30: expected a string or null here, and \"$config.a\" is an integer."
    ),
    (
      "{\"start\":{\"open\":\"app.typed\",\"config\":{\"a\":\"1\"}}}",
      "1:44: expected an integer here, found a string."
    ),
    (
      "{\"start\":{\"open\":\"app.typed\",\"config\":{\"peple\":[]}}}",
      "1:40: the config has no \"peple\" here. Did you mean \"people\"?"
    ),
    (
      typed("{\"open\":\"app.typed\",\"config\":{\"other\":\"$value\"}}"),
      "3:47: the config has no \"other\" here."
    ),
    (
      typed("{\"open\":\"app.typed\",\"config\":{\"place\":{\"stret\":\"\"}}}"),
      "3:56: the config has no \"stret\" here. Did you mean \"street\"?"
    ),
    (
      typed("{\"open\":\"app.typed\",\"config\":{\"people\":[{}]}}"),
      "3:57: this needs \"name\"."
    ),
  ]

  @Test(arguments: mistyped) func `refuses what can't be of the type that is wanted`(
    _ text: String, _ message: String
  ) {
    let error = #expect(throws: FlowError.self) { _ = try FlowFileTests.flow(text) }
    let first = error?.description.split(separator: "\n").first.map { String($0) }
    #expect(first == "f.json:\(message)")
  }

  private static let typed = [
    "{\"feed\":\"typed.text\",\"value\":null}",
    "{\"feed\":\"typed.text\",\"value\":\"$value.user.name\"}",
    "{\"feed\":\"typed.text\",\"value\":\"$value.user.more\"}",
    "{\"feed\":\"typed.count\",\"value\":1e20}",
    "{\"feed\":\"typed.amount\",\"value\":1}",
    "{\"feed\":\"typed.pair\"}",
    "{\"feed\":\"typed.pair\",\"value\":{\"b\":true,\"other\":1}}",
    "{\"open\":\"app.typed\",\"config\":{\"b\":\"$secret:x\",\"a\":null,\"place\":null}}",
    "{\"open\":\"app.typed\",\"config\":{\"place\":{\"street\":\"x\"},\"open\":{\"y\":1}}}",
    // What replaces its default as a whole is the plugin's to read.
    "{\"open\":\"app.typed\",\"config\":{\"people\":[{\"name\":\"\",\"age\":1}]}}",
    "{\"open\":\"app.typed\",\"config\":{\"byName\":{\"Ann\":{\"age\":1,\"sex\":1}}}}",
  ]

  @Test(arguments: typed) func `takes what may be of the type that is wanted`(
    _ action: String
  ) throws {
    _ = try FlowFileTests.flow(Self.typed(action))
  }
}
