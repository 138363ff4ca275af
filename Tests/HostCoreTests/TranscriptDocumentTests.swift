import Basics
import CanonicalJSON
import TestSupport
import Testing

@testable import HostCore

/// `Documentation/Transcripts.md` is what is read and written.
struct TranscriptDocumentTests {
  private let document: String

  init() throws { document = try Repository.text("Documentation/Transcripts.md") }

  /// The contents of the blocks of code in that language.
  private func blocks(_ language: String) -> [String] {
    document.split(separator: "```\(language)\n").dropFirst().map {
      String($0.prefix(upTo: $0.ranges(of: "```").first?.lowerBound ?? $0.endIndex))
    }
  }

  /// The rows of all tables with that heading.
  private func rows(under heading: String) -> [[String]] {
    document.split(separator: "\(heading)\n| --- | --- |\n").dropFirst().flatMap { part in
      part.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("|") }
        .map { row in
          row.dropFirst(2).dropLast(2).split(separator: " | ").map { String($0) }
        }
    }
  }

  private func code(_ cell: String) -> String { cell.filter { $0 != "`" } }

  // MARK: Examples

  @Test func `every line of a table says what the table says`() throws {
    let rows = rows(under: "| line | says |")
    #expect(rows.count == 39)
    for row in rows {
      let bytes = Array(code(row[0]).utf8)
      let found = try Self.description(of: ScriptLine.parse(bytes.span), bytes)
      #expect(found == row[1], "\(row[0])")
    }
  }

  @Test func `every table has an example of each kind of line and directive`() {
    let lines = rows(under: "| line | says |").map { code($0[0]) }
    for sigil in ["vmt", "#", ">", "<", "?", "x", "!", "+"] {
      #expect(lines.contains { $0.hasPrefix(sigil) }, "\(sigil)")
    }
    for directive in DirectiveParser.names {
      #expect(lines.contains { "\($0) ".hasPrefix("@\(directive) ") }, "\(directive)")
    }
  }

  @Test func `every transcript is canonical`() throws {
    let blocks = blocks("vmt")
    #expect(blocks.count == 2)
    for block in blocks {
      let bytes = Array(block.utf8)
      #expect(try CanonicalTranscript.rewrite(bytes) == bytes)
    }
  }

  @Test func `every rewritten line is rewritten so`() throws {
    let rows = rows(under: "| written | canonical |")
    #expect(rows.count == 5)
    for row in rows {
      let canonical = try CanonicalTranscript.rewrite(Array(code(row[0]).utf8))
      #expect(String(decoding: canonical, as: UTF8.self) == code(row[1]) + "\n")
    }
  }

  @Test func `every error is what that line gives`() {
    let errors = blocks("error")
    #expect(errors.count == 19)
    for report in errors.map({ $0.trimmingSuffix("\n") }) {
      let found = #expect(throws: CanonicalTranscript.LineError.self, "\(report)") {
        _ = try CanonicalTranscript.rewrite(Array(Self.transcript(of: report).utf8))
      }
      #expect(found?.report(source: "example.vmt") == report)
    }
  }

  /// A transcript with the line that an error shows, in its place.
  private static func transcript(of report: String) -> String {
    let shown = report.split(separator: "\n")[1]
    let number = Int(shown.prefix { $0 != "|" }.filter { $0 != " " }) ?? 0
    var line = String(shown[shown.ranges(of: " | ")[0].upperBound...])
    // A tab is shown as a question mark.
    if report.contains(" tab"), let mark = line.firstIndex(of: "?") {
      line.replaceSubrange(mark...mark, with: "\t")
    }
    let goesOn = line.hasPrefix(" ") || line.hasPrefix("\t")
    return String(repeating: "\n", count: max(number - 2, 0))
      + (number < 2 ? "" : goesOn ? "> a [\n" : "\n") + line + "\n"
  }

  // MARK: The grammar

  private func grammar() throws -> Grammar {
    let text = try #require(blocks("ebnf").first)
    return try Grammar(
      text,
      specials: [
        "characters but blanks and control characters": Self.words { $0 != " " },
        "a word without a dot": Self.words { $0 != " " && $0 != "." },
        "a word that begins with no quote": { text, start in
          text[start...].first == "\"" ? [] : Self.words { $0 != " " }(text, start)
        },
        "words with blanks between them": { text, start in
          start < text.count && text[start] != " " && text.last != " " ? [text.count] : []
        },
        "letters, digits, hyphens and underscores": Self.words {
          $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
        },
        "a JSON string": { text, start in
          guard start < text.count, text[start] == "\"" else { return [] }
          return (start + 1...text.count).filter { Self.isJSON(String(text[start..<$0])) }
        },
        "a JSON value, to the end of the line": { text, start in
          Self.isJSON(String(text[start...])) ? [text.count] : []
        },
        "an RFC 3339 time, or its date alone": { text, start in
          Timestamp.parse(String(text[start...])) == nil ? [] : [text.count]
        },
        "the name of a locale, as BCP 47 or POSIX write it": { text, start in
          LocaleName.hasForm(String(text[start...])) ? [text.count] : []
        },
        "a name in the form of IANA's time zones": { text, start in
          TimeZoneName.hasForm(String(text[start...])) ? [text.count] : []
        },
      ])
  }

  private static func words(_ isPart: @escaping (Character) -> Bool) -> Grammar.Special {
    { text, start in
      let word = text[start...].prefix { isPart($0) && ($0.asciiValue ?? 0x80) >= 0x20 }
      return word.isEmpty ? [] : Array(word.indices.map { $0 + 1 })
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONValue(parsing: Array(text.utf8).span)) != nil
  }

  @Test func `the grammar describes every line that can be read`() throws {
    let grammar = try grammar()
    for row in rows(under: "| line | says |") where !code(row[0]).hasPrefix("#") {
      #expect(grammar.describes(code(row[0]), as: "line"), "\(row[0])")
    }
    for seed in 0..<50 {
      var lines = RandomLines(seed: UInt64(seed))
      var feed = LineReader()
      feed.fill { $0 = lines.transcript() }
      while let line = try feed.next(atEnd: true) {
        if line == .nothing { continue }
        let text = String(decoding: feed.storage[feed.line], as: UTF8.self)
        let isDescribed = grammar.describes(text, as: "line")
        #expect(isDescribed, "\(text)")
      }
    }
  }

  @Test(arguments: [
    "vmt 2", "> ", ">a", "> a b", "> a [", "> .a", "< @240 a", "< @1x a", "? http {}", "? 1", "x",
    "x 1 {}", "x +1", "! a", "! 1 error", "! 1 oops", "+ 300", "+ soon", "@opne m", "@open",
    "@open m as", "@record http", "@end 1", "@seed -1", "@time noon", "@storage",
    "@locale english", "@timezone ../UTC",
    "@storage \"a\"1", "@storage \"a", "@skip", "@tags", "@tags slow,network", "@tags !slow",
  ])
  func `the grammar refuses what can't be read`(_ line: String) throws {
    let isDescribed = try grammar().describes(line, as: "line")
    #expect(!isDescribed)
    #expect(throws: ScriptError.self) { _ = try ScriptLine.parse(Array(line.utf8).span) }
  }

  @Test func `it has each effect that the engine simulates`() {
    for effect in SimulatedEffect.names {
      #expect(document.contains("\"\(effect)\""))
      #expect(document.contains("`\(effect)`"))
    }
  }
}

extension TranscriptDocumentTests {
  /// A line in the words of the tables.
  fileprivate static func description(of line: ScriptLine, _ bytes: [UInt8]) throws -> String {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func of(_ handle: Range<Int>) -> String { handle.isEmpty ? "" : " of \(text(handle))" }
    func with(_ value: Range<Int>) -> String { value.isEmpty ? "" : " with \(text(value))" }
    switch line {
    case .nothing: return "comment"
    case .input(let input):
      return "input \(text(input.name))\(of(input.handle))\(with(input.value))"
    case .expectation(let line):
      let at = line.offset.map { " at \(TimeSpan.text($0))" } ?? ""
      let (handle, value) = (of(line.handle), with(line.value))
      return switch line.kind {
      case .output: "output \(text(line.name))\(handle)\(value)\(at)"
      case .request: "request \(line.id)\(handle) for \(text(line.name))\(value)\(at)"
      case .cancel: "cancel of request \(line.id)\(handle)\(at)"
      }
    case .command(let command): return description(of: command)
    case .rewritten(let other): return try description(of: ScriptLine.parse(other.span), other)
    }
  }

  private static func description(of command: ScriptCommand) -> String {
    func of(_ handle: String?) -> String { handle.map { " of \($0)" } ?? "" }
    switch command {
    case .version(let number): return "format \(number)"
    case .plugin(let name): return "plugin \(name)"
    case .open(let id, let handle, let config):
      let name = handle.map { " as \($0)" } ?? ""
      return "open \(id)\(name)" + (config.map { " with \($0.canonicalText)" } ?? "")
    case .close(let handle): return "close \(handle)"
    case .reply(let handle, let id, let value):
      let with = value.isEmpty ? "" : " with \(String(decoding: value, as: UTF8.self))"
      return "answer to request \(id)\(of(handle))\(with)"
    case .failure(let handle, let id, let code, let message):
      return "error \(code) for request \(id)\(of(handle)): \(message)"
    case .advance(let span): return "\(TimeSpan.text(span)) pass"
    case .advanceUntilIdle: return "time passes until nothing is left"
    case .seed(let seed): return "seed \(seed)"
    case .time(let time): return "begins at \(Timestamp.text(time))"
    case .locale(let name): return "locale \(name)"
    case .timeZone(let name): return "time zone \(name)"
    case .store(let key, nil): return "nothing is stored as \(key)"
    case .store(let key, let value?): return "stored \(key) is \(value.canonicalText)"
    case .record(let effect): return "\(effect) is recorded"
    case .simulate(let effect): return "\(effect) is simulated"
    case .flow(let path): return "flow \(path)"
    case .recorded(let details): return "recorded with \(details.canonicalText)"
    case .end: return "the recording is whole"
    case .skip(let reason): return "a test skips it: \(reason)"
    case .tags(let names): return "tags \(names.joined(separator: ", "))"
    case .frame(let handle): return "frame\(of(handle))"
    case .control(let control): return "control \(control)"
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
