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

  @Test(arguments: ["", " ", "\t", "   ", "# a comment", "#", "#größe\t\u{1b}"])
  func `a comment and a blank line ask for nothing`(_ text: String) throws {
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
    ("@storage a", .store(key: "a", value: nil)),
    ("@storage \"a b\" ", .store(key: "a b", value: nil)),
    ("@storage größe 1", .store(key: "größe", value: .number(JSONNumber(1)))),
    (
      "@recorded {\"b\":1,\"a\":2}",
      .recorded(["b": .number(JSONNumber(1)), "a": .number(JSONNumber(2))])
    ),
    ("@end", .end),
    ("@end  ", .end),
    ("@open m true", .open(viewModel: "m", handle: nil, config: .bool(true))),
    ("@open m as null", .open(viewModel: "m", handle: "null", config: nil)),
    ("@open m as h null", .open(viewModel: "m", handle: "h", config: .null)),
    ("@record timer", .record(effect: "timer")),
    ("@simulate storage.get", .simulate(effect: "storage.get")),
    ("@flow flows/with blanks.json", .flow("flows/with blanks.json")),
    ("+ 300ms", .advance(300_000_000)),
    ("+   5s  ", .advance(5_000_000_000)),
    ("+ idle", .advanceUntilIdle),
    ("! 1 {\"b\": 1, \"a\": 2}", .reply(handle: nil, id: 1, value: bytes("{\"a\":2,\"b\":1}"))),
    ("! 1", .reply(handle: nil, id: 1, value: [])),
    ("! 1 \"error\"", .reply(handle: nil, id: 1, value: bytes("\"error\""))),
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
}
