import HostCore
import Testing

/// The lines that say what a step emits.
struct ExpectationLineTests {
  private struct Expectation: Equatable, Sendable {
    var kind: ScriptLine.ExpectationLine.Kind
    var offset: Nanoseconds?
    var handle = ""
    var id: UInt64 = 0
    var name = ""
    var value = ""
    var isCanonical = true
  }

  private static let lines: [(String, Expectation)] = [
    ("< rang", Expectation(kind: .output, name: "rang")),
    ("< rang  ", Expectation(kind: .output, name: "rang")),
    ("< loading \"none\"", Expectation(kind: .output, name: "loading", value: "\"none\"")),
    ("<   list.items  [] ", Expectation(kind: .output, handle: "list", name: "items", value: "[]")),
    (
      "< @1.5s list.items [ ]",
      Expectation(
        kind: .output, offset: 1_500_000_000, handle: "list", name: "items", value: "[ ]",
        isCanonical: false)
    ),
    ("< @0s rang", Expectation(kind: .output, offset: 0, name: "rang")),
    (
      "< said {\n  \"a\": 1\n}",
      Expectation(kind: .output, name: "said", value: "{\n  \"a\": 1\n}", isCanonical: false)
    ),
    (
      "< said {\t\"a\":1}\t",
      Expectation(kind: .output, name: "said", value: "{\t\"a\":1}", isCanonical: false)
    ),
    ("? 1 http {}", Expectation(kind: .request, id: 1, name: "http", value: "{}")),
    ("? 12 storage.get", Expectation(kind: .request, id: 12, name: "storage.get")),
    (
      "? @20ms list.3 http 1",
      Expectation(
        kind: .request, offset: 20_000_000, handle: "list", id: 3, name: "http", value: "1")
    ),
    ("x 1", Expectation(kind: .cancel, id: 1)),
    (
      "x  @5s  list.18446744073709551615 ",
      Expectation(kind: .cancel, offset: 5_000_000_000, handle: "list", id: .max)
    ),
  ]

  @Test(arguments: lines.indices)
  func `an expectation is places in the line`(_ index: Int) throws {
    let (text, expected) = Self.lines[index]
    let bytes = Array(text.utf8)
    guard case .expectation(let line) = try ScriptLine.parse(bytes.span) else {
      Issue.record("not an expectation")
      return
    }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let found = Expectation(
      kind: line.kind, offset: line.offset, handle: part(line.handle), id: line.id,
      name: part(line.name), value: part(line.value), isCanonical: line.valueIsCanonical)
    #expect(found == expected)
  }
}
