import CanonicalJSON
import Foundation
import HostCore
import TestSupport
import Testing

/// The published schema of flow files, beside what vmhost reads.
struct FlowSchemaTests {
  private static let path = "Documentation/Schemas/flow.schema.json"

  /// Whether the schema, and vmhost, take a text for a flow.
  private func verdicts(_ text: String) throws -> (schema: Bool, reader: Bool) {
    let schema = try JSONSchema(try Repository.text(Self.path))
    let value = try JSONValue(parsing: Array(text.utf8).span)
    let document = try? FlowDocument(Array(text.utf8), path: "f.json")
    return (try schema.allows(value), document != nil)
  }

  private func examples() throws -> [String] {
    let folder = "\(try Repository.root())/Examples/flows"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      "\(folder)/\($0)"
    }
  }

  @Test func `every example is a flow by the schema, which it leads to`() throws {
    let examples = try examples()
    #expect(examples.count >= 3)
    let schema = URL(fileURLWithPath: "\(try Repository.root())/\(Self.path)").standardized
    for example in examples {
      let text = try String(contentsOfFile: example, encoding: .utf8)
      let verdicts = try verdicts(text)
      #expect(verdicts.schema && verdicts.reader, "\(example)")
      let link = try JSONValue(parsing: Array(text.utf8).span)["$schema"]?.stringValue
      let folder = URL(fileURLWithPath: example).deletingLastPathComponent().path
      let place = URL(fileURLWithPath: "\(folder)/\(link ?? "")")
      #expect(place.standardized.path == schema.path, "\(example)")
    }
  }

  /// A flow that begins with a list and has these lines of signals.
  private static func list(_ lines: String) -> String {
    "{\"start\":{\"open\":\"m.list\"},\"on\":{\(lines)}}"
  }

  private static func feed(_ value: String) -> String {
    list("\"list.a\":{\"feed\":\"list.b\",\"value\":\(value),\"mayRepeat\":true}")
  }

  private static func open(_ member: String) -> String {
    list("\"list.a\":{\"open\":\"m.list\",\"config\":{\"a\":\(member)}}")
  }

  private static func start(_ member: String) -> String {
    "{\"start\":{\"open\":\"m.list\",\"config\":{\"a\":\(member)}}}"
  }

  private static let good = [
    "{\"start\":{\"open\":\"list\"}}",
    """
    {"start":[{"open":"m.list","as":"a-1"},{"open":"m.list","config":{"a":1}}],"on":{}}
    """,
    list("\"list.a\":[]"),
    list("\"list.a\":{\"open\":\"m.list\",\"as\":\"_b\",\"unlessOpen\":false,\"config\":{}}"),
    list(
      "\"list.a\":[{\"close\":\"list\"},{\"feed\":\"list.b\",\"value\":null,\"mayRepeat\":true}]"),
    // What stands for something else, and what only begins so.
    start("[\"$secret:s\",\"$valuex\",{\"b\":\"$configuration\"}]"),
    open("[\"$value\",\"$config.a.b\",\"$secret:s\",\"$valuex.\",\"$configuration\",1]"),
    feed("{\"a\":[\"$value.a\",\"$config\",\"$value/a\",\"secret:s\"]}"),
  ]

  @Test(arguments: good) func `takes what vmhost takes`(_ text: String) throws {
    let verdicts = try verdicts(text)
    #expect(verdicts.schema)
    #expect(verdicts.reader)
  }

  private static let broken = [
    "[]", "{}", "{\"strat\":{\"open\":\"m.list\"}}", "{\"start\":\"m.list\"}",
    "{\"start\":{\"open\":1}}", "{\"start\":{\"open\":\"m..list\"}}", "{\"start\":{}}",
    "{\"start\":[]}", "{\"start\":{\"open\":\"m.list\",\"unlessOpen\":true}}",
    "{\"start\":{\"open\":\"m.list\",\"as\":\"a b\"}}",
    "{\"start\":{\"open\":\"m.list\",\"as\":\"1\"}}",
    "{\"start\":{\"open\":\"m.list\",\"config\":[]}}", "{\"start\":{\"close\":\"list\"}}",
    "{\"start\":{\"open\":\"m.list\"},\"on\":[]}",
    "{\"$schema\":true,\"start\":{\"open\":\"m.list\"}}",
    list("\"list\":{\"close\":\"list\"}"), list("\"list.a.b\":{\"close\":\"list\"}"),
    list("\"list.a b\":{\"close\":\"list\"}"), list("\"list.\":{\"close\":\"list\"}"),
    list("\"list.a\":{}"), list("\"list.a\":\"close\""), list("\"list.a\":[[]]"),
    list("\"list.a\":{\"close\":\"list\",\"open\":\"m.list\"}"),
    list("\"list.a\":{\"close\":\"list\",\"as\":\"b\"}"),
    list("\"list.a\":{\"close\":1}"),
    list("\"list.a\":{\"open\":\"m.list\",\"unlessOpen\":1}"),
    list("\"list.a\":{\"open\":\"m.list\",\"value\":1}"),
    list("\"list.a\":{\"open\":\"m.list\",\"config\":null}"),
    list("\"list.a\":{\"feed\":\"list\"}"), list("\"list.a\":{\"feed\":\"list.b.c\"}"),
    list("\"list.a\":{\"feed\":\"list.b\",\"mayRepeat\":\"yes\"}"),
    list("\"list.a\":{\"feed\":\"list.b\",\"config\":{},\"mayRepeat\":true}"),
    list("\"list.a\":[{\"close\":\"list\",\"opne\":\"m.list\"}]"),
    start("\"$value\""), start("[{\"b\":\"$config.a\"}]"), start("\"$value.\""),
    open("\"$value.\""), open("[\"$config..a\"]"), open("{\"b\":\"$value.a.\"}"),
    feed("\"$config.\""), feed("[\"$value.a..b\"]"), feed("\"$secret:s\""),
    feed("{\"a\":[\"$secret:s\"]}"),
  ]

  @Test(arguments: broken) func `refuses what vmhost refuses`(_ text: String) throws {
    let verdicts = try verdicts(text)
    #expect(!verdicts.schema)
    #expect(!verdicts.reader)
  }

  @Test func `a schema with a keyword that nobody checks is none`() throws {
    let schema = try JSONSchema("{\"properties\":{\"a\":{\"maxLength\":3}}}")
    #expect(throws: JSONSchema.UnknownKeyword.self) { try schema.allows(.object(["a": .null])) }
  }
}
