import CanonicalJSON
import HostCore
import Testing

/// A single line, in text and as JSON Lines.
struct ScriptLineTests {
  /// An input's parts as text.
  private struct Input: Equatable, Sendable {
    var handle = ""
    var name: String
    var value = ""
    var isCanonical = true
  }

  private static func parse(_ text: String) throws(ScriptError) -> ScriptLine {
    try ScriptLine.parse(Array(text.utf8).span)
  }

  private static func input(_ text: String) throws -> Input? {
    guard case .input(let line) = try parse(text) else { return nil }
    let bytes = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return Input(
      handle: part(line.handle), name: part(line.name), value: part(line.value),
      isCanonical: line.valueIsCanonical)
  }

  private static let inputs: [(String, Input)] = [
    ("> didSearch \"batman\"", Input(name: "didSearch", value: "\"batman\"")),
    ("> refresh", Input(name: "refresh")),
    ("> refresh   ", Input(name: "refresh")),
    (">   list.didSearch   1  ", Input(handle: "list", name: "didSearch", value: "1")),
    (
      "> say {\"b\":1,\"a\":2}",
      Input(name: "say", value: "{\"b\":1,\"a\":2}", isCanonical: false)
    ),
    ("> say 1.0", Input(name: "say", value: "1.0", isCanonical: false)),
    ("> say {\n  \"a\": 1\n}", Input(name: "say", value: "{\n  \"a\": 1\n}", isCanonical: false)),
    ("> say \"a.b c\"", Input(name: "say", value: "\"a.b c\"")),
    ("{\"kind\":\"input\",\"name\":\"say\",\"value\":1}", Input(name: "say", value: "1")),
    ("{\"name\":\"say\"}", Input(name: "say")),
    (" {\"name\":\"say\"}", Input(name: "say")),
    (
      "{ \"value\" : [ 1 ] , \"name\" : \"say\" , \"instance\" : \"e\" } ",
      Input(handle: "e", name: "say", value: "[ 1 ]", isCanonical: false)
    ),
    ("{\"name\":\"say\",\"value\":null}", Input(name: "say", value: "null")),
  ]

  @Test(arguments: inputs.indices.filter { !inputs[$0].0.hasPrefix(" {") })
  func `an input is places in the line`(_ index: Int) throws {
    #expect(try Self.input(Self.inputs[index].0) == Self.inputs[index].1)
  }

  @Test(arguments: [
    "", " ", "\t", "   ", "# a comment", "#", "< items []", "< @-20ms items", "? 1 http {}", "x 1",
  ])
  func `a comment, a blank line and an expectation ask for nothing`(_ text: String) throws {
    #expect(try Self.parse(text) == .nothing)
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let commands: [(String, ScriptCommand)] = [
    ("vmt 1", .version(1)),
    ("@plugin movies.so", .plugin("movies.so")),
    ("@plugin a folder/movies.so ", .plugin("a folder/movies.so")),
    ("@open movies.list", .open(viewModel: "movies.list", handle: nil, config: nil)),
    ("@open movies.list as l", .open(viewModel: "movies.list", handle: "l", config: nil)),
    (
      "@open  movies.list  as  l  {\"a\": 1} ",
      .open(viewModel: "movies.list", handle: "l", config: .object(["a": .number(JSONNumber(1))]))
    ),
    ("@open movies.list {}", .open(viewModel: "movies.list", handle: nil, config: .object([:]))),
    ("@close list", .close(handle: "list")),
    ("@seed 18446744073709551615", .seed(.max)),
    ("@time 1970-01-01T00:00:01Z", .time(1_000_000_000)),
    ("@locale de_AT", .locale("de_AT")),
    ("@timezone Europe/Vienna", .timeZone("Europe/Vienna")),
    ("@storage recents [\"a\"]", .store(key: "recents", value: .array([.string("a")]))),
    ("@storage \"a \\\"b\\\"\" 1", .store(key: "a \"b\"", value: .number(JSONNumber(1)))),
    ("@storage \"a\" null", .store(key: "a", value: .null)),
    ("@record timer", .record(effect: "timer")),
    ("@simulate storage.get", .simulate(effect: "storage.get")),
    ("+ 300ms", .advance(300_000_000)),
    ("+   5s  ", .advance(5_000_000_000)),
    ("+ idle", .advanceUntilIdle),
    ("! 1 {\"b\": 1, \"a\": 2}", .reply(handle: nil, id: 1, value: bytes("{\"a\":2,\"b\":1}"))),
    ("! 1", .reply(handle: nil, id: 1, value: [])),
    ("! list.12 \"x\"", .reply(handle: "list", id: 12, value: bytes("\"x\""))),
    (
      "! 1 error {\"code\":\"offline\",\"message\":\"no route\"}",
      .failure(handle: nil, id: 1, code: "offline", message: "no route")
    ),
    (
      "! l.1 error {\"code\":\"offline\"}",
      .failure(handle: "l", id: 1, code: "offline", message: "")
    ),
    (
      "{\"kind\":\"reply\",\"id\":3,\"value\":{\"b\":1,\"a\":2}}",
      .reply(handle: nil, id: 3, value: bytes("{\"a\":2,\"b\":1}"))
    ),
    ("{\"kind\":\"reply\",\"id\":3}", .reply(handle: nil, id: 3, value: [])),
    (
      "{\"kind\":\"error\",\"instance\":\"l\",\"id\":3,\"code\":\"timeout\",\"message\":\"m\"}",
      .failure(handle: "l", id: 3, code: "timeout", message: "m")
    ),
    (
      "{\"kind\":\"error\",\"id\":3,\"code\":\"timeout\"}",
      .failure(handle: nil, id: 3, code: "timeout", message: "")
    ),
    ("{\"kind\":\"advance\",\"by\":\"5s\"}", .advance(5_000_000_000)),
    ("{\"kind\":\"advance\",\"by\":\"idle\"}", .advanceUntilIdle),
    (
      "{\"kind\":\"open\",\"viewModel\":\"movies.list\"}",
      .open(viewModel: "movies.list", handle: nil, config: nil)
    ),
    (
      "{\"kind\":\"open\",\"viewModel\":\"m\",\"instance\":\"l\",\"config\":{}}",
      .open(viewModel: "m", handle: "l", config: .object([:]))
    ),
    ("{\"kind\":\"close\",\"instance\":\"l\"}", .close(handle: "l")),
  ]

  @Test(arguments: commands.indices)
  func `a line is a command`(_ index: Int) throws {
    #expect(try Self.parse(Self.commands[index].0) == .command(Self.commands[index].1))
  }

  @Test func `a name with escapes is rewritten and read again`() throws {
    let line = try Self.parse("{\"name\":\"s\\u0061y\",\"value\":1.0}")
    guard case .rewritten(let bytes) = line else {
      Issue.record("found \(line)")
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == "{\"name\":\"say\",\"value\":1}")
    #expect(try Self.input(text) == Input(name: "say", value: "1"))
  }

  private static let unknown = """
    . An input is "> %@ …", a comment "# …", time "+ 300ms", a directive "@open …".
    """

  private static let errors: [(String, Int, String)] = [
    (
      "didSearch \"a\"", 0,
      "no line begins with \"didSearch\"" + unknown.replacing("%@", with: "didSearch")
    ),
    ("xyz", 0, "no line begins with \"xyz\"" + unknown.replacing("%@", with: "xyz")),
    ("<a", 0, "no line begins with \"<a\"" + unknown.replacing("%@", with: "<a")),
    (
      " > say", 0,
      "this line goes on from the one before (it begins with a blank), but that one"
        + " is complete."
    ),
    (">", 1, "expected an input, as in \"> didSearch \\\"batman\\\"\"."),
    (">   ", 4, "expected an input, as in \"> didSearch \\\"batman\\\"\"."),
    (">say", 1, "expected a blank between \">\" and what follows."),
    ("> list.", 7, "expected the name of an input."),
    ("> say {\"a\":}", 11, "the value is not JSON: expected a value, found \"}\"."),
    ("> say 1 2", 8, "the value is not JSON: expected the end of the line."),
    ("> say [1", 8, "the value is not JSON: expected \",\" or \"]\", found the end of the input."),
    ("> say\0", 5, "there is a NUL byte in this line."),
    ("+", 1, "expected a time such as 300ms, 5s or 2m, or \"idle\"."),
    ("+5s", 1, "expected a blank between \"+\" and what follows."),
    ("+ soon", 2, "\"soon\" is not a time such as 300ms, 5s or 2m, nor \"idle\"."),
    ("!", 1, "expected the id of a request, as in \"! 1 {\\\"status\\\":200}\"."),
    ("! one", 2, "\"one\" is not the id of a request, which is a number from 1 on."),
    ("! 0 1", 2, "\"0\" is not the id of a request, which is a number from 1 on."),
    ("! l. 1", 2, "\"\" is not the id of a request, which is a number from 1 on."),
    ("! 1 {", 5, "the value is not JSON: expected a key in quotes, found the end of the input."),
    (
      "! 1 error \"offline\"", 9,
      "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}."
    ),
    ("! 1 error", 9, "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}."),
    ("vmt", 3, "expected the version of the format, as in \"vmt 1\"."),
    ("vmt one", 3, "expected the version of the format, as in \"vmt 1\"."),
    (
      "vmt 2", 4,
      "this file has format 2, this vmhost knows format 1. Use a newer vmhost."
    ),
    ("@opne x", 0, "there is no directive @opne. Did you mean \"@open\"?"),
    ("@", 0, "there is no directive @."),
    ("@plugin", 7, "@plugin: expected a plugin, as in @plugin movies.so."),
    ("@open", 5, "@open: expected a view model, as in @open movies.list."),
    ("@open a b", 8, "expected \"as HANDLE\", a config in braces, or nothing after a."),
    ("@open a as", 8, "expected \"as HANDLE\", a config in braces, or nothing after a."),
    (
      "@open a as b c", 13,
      "the value is not JSON: expected a value, found \"c\". Text is written in double quotes."
    ),
    ("@close", 6, "@close: expected the handle of an instance."),
    ("@seed -1", 6, "\"-1\" is not a seed, which is a number from 0 on."),
    ("@seed", 5, "@seed: expected a number."),
    ("@time noon", 6, "\"noon\" is not a time such as 2026-01-31T12:00:00Z."),
    ("@storage", 8, "@storage: expected a key and a value."),
    ("@storage a", 10, "@storage a: expected a JSON value."),
    (
      "@record tmier", 8,
      "\"tmier\" is not an effect that the engine simulates. Did you mean \"timer\"?"
    ),
    ("{", 1, "this line is not JSON: expected a string, found the end of the input."),
    ("{\"name\":\"say\"", 13, "this line is not JSON: expected \"}\"."),
    ("{\"name\":\"say\"}}", 14, "this line is not JSON: expected its end after the object."),
    ("{\"name\" \"say\"}", 8, "this line is not JSON: expected \":\"."),
    ("{\"name\":1}", 8, "this line is not JSON: expected a string, found \"1\"."),
    ("{\"name\":\"\"}", 8, "\"name\" must not be empty."),
    ("{\"name\":\"say\",\"value\":}", 22, "this line is not JSON: expected a value, found \"}\"."),
    ("{\"name\":\"a\",\"name\":\"b\"}", 13, "\"name\" is there twice."),
    ("{\"nmae\":\"say\"}", 2, "no line has a member \"nmae\". Did you mean \"name\"?"),
    ("{}", 0, "a line of kind \"input\" needs \"name\"."),
    ("{\"kind\":\"inptu\"}", 9, "there is no kind \"inptu\" of line. Did you mean \"input\"?"),
    ("{\"name\":\"say\",\"id\":1}", 19, "a line of kind \"input\" has no \"id\"."),
    ("{\"kind\":\"reply\"}", 0, "a line of kind \"reply\" needs \"id\"."),
    (
      "{\"kind\":\"reply\",\"id\":0}", 21,
      "\"id\" must be the number of a request, from 1 on."
    ),
    (
      "{\"kind\":\"reply\",\"id\":\"1\"}", 21,
      "\"id\" must be the number of a request, from 1 on."
    ),
    ("{\"kind\":\"error\",\"id\":1}", 0, "a line of kind \"error\" needs \"code\"."),
    ("{\"kind\":\"error\",\"id\":1,\"code\":1}", 30, "\"code\" must be a string."),
    (
      "{\"kind\":\"advance\",\"by\":\"soon\"}", 23,
      "\"soon\" is not a time such as 300ms, 5s or 2m, nor \"idle\"."
    ),
    ("{\"kind\":\"advance\",\"by\":5}", 23, "\"by\" must be a string."),
    ("{\"kind\":\"open\"}", 0, "a line of kind \"open\" needs \"viewModel\"."),
    ("{\"kind\":\"close\"}", 0, "a line of kind \"close\" needs \"instance\"."),
    (
      "{\"name\":\"a\\u0000b\"}", 0,
      "a name in this line has characters that no name can have."
    ),
  ]

  @Test(arguments: errors.indices)
  func `an error says what and where`(_ index: Int) throws {
    let (text, offset, words) = Self.errors[index]
    let found = #expect(throws: ScriptError.self) { _ = try Self.parse(text) }
    #expect(found?.message == words)
    #expect(found?.offset == offset)
  }

  @Test(arguments: ["> say {", "> say {\"a\":[1,", "@open x {", "! 1 [", "> say \"abc"])
  func `a value that ends too soon may go on in the next line`(_ text: String) {
    let found = #expect(throws: ScriptError.self) { _ = try Self.parse(text) }
    #expect(found?.isIncomplete == true)
  }

  @Test(arguments: ["> say {]", "> say", ">", "{", "@open x as", "> say 1 {"])
  func `nothing else may`(_ text: String) {
    do throws(ScriptError) {
      _ = try Self.parse(text)
    } catch { #expect(!error.isIncomplete) }
  }

  // MARK: Reports

  @Test func `a report shows the line and the place`() {
    let line = Array("> say {\"a\":}".utf8)
    let error = ScriptError("the value is not JSON.", at: 11)
    #expect(
      error.report(source: "a.vmt", number: 12, line: line.span) == """
        a.vmt:12:12: the value is not JSON.
          12 | > say {"a":}
             |            ^
        """)
  }

  @Test func `a report counts characters, not bytes, and shows no control characters`() {
    let line = Array("> größe\u{1b}[1m {".utf8)
    let error = ScriptError("bad.", at: line.count - 1)
    #expect(
      error.report(source: "-", number: 1, line: line.span) == """
        -:1:13: bad.
          1 | > größe?[1m {
            |             ^
        """)
  }

  @Test func `a report leaves out a line that is too long to point into`() {
    let line = [UInt8](repeating: 0x61, count: 1_000_000)
    let far = ScriptError("bad.", at: 500_000).report(source: "-", number: 1, line: line.span)
    #expect(far == "-:1:500001: bad.")
    let near = ScriptError("bad.", at: 0).report(source: "-", number: 1, line: line.span)
    #expect(near.utf8.count < 250)
    let empty = ScriptError("bad.", at: 5).report(source: "-", number: 1, line: [UInt8]().span)
    #expect(empty == "-:1:1: bad.")
  }
}
