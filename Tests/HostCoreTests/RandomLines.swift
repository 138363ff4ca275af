import Basics
import CanonicalJSON
import HostCore
import TestSupport

/// Makes transcripts of every kind of line; the same seed gives the same ones.
struct RandomLines {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
  private mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// A canonical transcript.
  mutating func transcript() -> [UInt8] {
    var output: [UInt8] = []
    TranscriptWriter.append(.version(1), to: &output)
    for _ in 0..<below(30) { appendLine(to: &output) }
    return output
  }

  /// The same with CRLF, more blanks after sigils, and without the last line end.
  mutating func careless(_ transcript: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    let lines = transcript.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
    for (index, line) in lines.enumerated() {
      var line = Array(line)
      if line.count > 2, line[1] == 0x20, Array("<>?!+x".utf8).contains(line[0]) {
        line.insert(contentsOf: [UInt8](repeating: 0x20, count: below(3)), at: 1)
      }
      if index < lines.count - 1 { line += choice([[0x0d, 0x0a], [0x0a]]) }
      output += line
    }
    // An empty last line is none without its line end.
    return lines.last?.isEmpty == true ? output + [0x0a] : output
  }

  // MARK: Lines

  private mutating func appendLine(to output: inout [UInt8]) {
    switch below(8) {
    case 0:
      output += Array(choice(["", "# größe \t", "#", "   ", "# > say 1", "\t"]).utf8) + [0x0a]
    case 1, 2:
      let (handle, name) = (handle(), Array(name().utf8))
      TranscriptWriter.appendInput(handle, name.span, value(orNone: true).span, to: &output)
    case 3, 4, 5: appendExpectation(to: &output)
    default: TranscriptWriter.append(command(), to: &output)
    }
  }

  private mutating func appendExpectation(to output: inout [UInt8]) {
    let kind = choice([EventKind.output, .request, .cancel])
    var record = EventBatch.Record(kind: kind, instance: 0)
    if kind != .output { record.id = random.next() >> UInt64(below(64)) | 1 }
    var events = EventBatch()
    let name = Array((kind == .request ? choice(["http", "storage.get", "a-b"]) : name()).utf8)
    let value = kind == .cancel ? [] : value(orNone: true)
    events.append(record, name: name.span, value: value.span)
    let head = TranscriptWriter.head(
      of: events.records[0], events, handle(), offset: below(3) == 0 ? span() : nil)
    TranscriptWriter.append(head, value.span, to: &output)
  }

  private mutating func command() -> ScriptCommand {
    switch below(15) {
    case 0: .plugin(choice(["movies.so", "a folder/größe.so"]))
    case 1: .open(viewModel: "movies.list", handle: handle(), config: choice([nil, json(0)]))
    case 2: .close(handle: "list")
    case 3: .reply(handle: handle(), id: random.next() | 1, value: value(orNone: true))
    case 4: .failure(handle: handle(), id: random.next() | 1, code: name(), message: text())
    case 5: .advance(span())
    case 6: .advanceUntilIdle
    case 7: .seed(random.next())
    case 8: .time(Nanoseconds(truncatingIfNeeded: random.next()))
    case 9: .locale("de_AT")
    case 10: .timeZone("Europe/Vienna")
    case 11:
      .store(
        key: choice(["a", "a b", "", "größe", "\"", text()]), value: choice([nil, json(0)]))
    case 12:
      choice([.record(effect: "timer"), .simulate(effect: "storage.get"), .flow("a/b c.json")])
    case 13: choice([.skip(reason: "größe a"), .tags(["slow"]), .tags(["a-b", "größe_1"])])
    default: choice([.recorded(["by": .string(text())]), .end])
    }
  }

  private mutating func handle() -> String? { choice([nil, "list", "a-1"]) }
  private mutating func name() -> String { choice(["say", "didSearch", "x", "größe"]) }

  private mutating func span() -> Nanoseconds {
    Nanoseconds(random.next() >> UInt64(1 + below(63))) * choice([0, 1])
  }

  private mutating func text() -> String {
    var text = ""
    for _ in 0..<below(40) {
      text += choice([
        "a", " ", "\"", "\\", "\n", "\t", "\u{0}", "\u{7f}", "\u{85}", "é", "😀", "{", "]",
      ])
    }
    return text
  }

  private mutating func value(orNone: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if orNone && below(5) == 0 { return bytes }
    json(0).append(to: &bytes)
    return bytes
  }

  private mutating func json(_ depth: Int) -> JSONValue {
    switch below(depth < 4 ? 8 : 5) {
    case 0: return choice([.null, .bool(true), .bool(false)])
    case 1: return .number(JSONNumber(below(1_000_000)))
    case 2, 3, 4: return .string(text())
    case 5, 6:
      var members: [String: JSONValue] = [:]
      for _ in 0..<below(6) { members[text()] = json(depth + 1) }
      return .object(members)
    default: return .array((0..<below(6)).map { _ in json(depth + 1) })
    }
  }
}
