import CanonicalJSON
import HostCore
import TestSupport
import Testing

@testable import vmhost

struct TestEventsTests {
  private static let run = TestEvents.Run(
    vmhost: "9.9.9", shard: .whole, total: 2, count: 2, selection: "00ff")
  private static let end = TestEvents.End(duration: 2_500_000_000, status: 1)
  private static let results = [ReportSamples.passed, ReportSamples.failed]

  private static let text = #"""
    {"kind":"run","schema":1,"vmhost":"9.9.9","total":2,"count":2,"selection":"00ff"}
    {"kind":"result","path":"Tests/movies/search.vmt","verdict":"passed","duration":0.012,"steps":9}
    {"kind":"result","path":"Tests/movies/paging.vmt","verdict":"failed","duration":1.5,"steps":4,\#
    "line":12,"summary":"expected loading \"none\", came loading \"fullScreen\".",\#
    "details":"- < loading \"none\"\n+ < loading \"fullScreen\""}
    {"kind":"end","counts":{"passed":1,"unverified":0,"skipped":0,"failed":1,"crashed":0,\#
    "timed-out":0,"nondeterministic":0,"invalid":0,"not-loaded":0},\#
    "duration":2.5,"status":1}

    """#

  private static func read(
    _ text: String, isPartial: Bool = false
  ) throws(Failure) -> RecordedRun {
    try TestEventsReader.parse(Array(text.utf8), source: "e.jsonl", isPartial: isPartial)
  }

  private static func message(_ text: String, isPartial: Bool = false) -> String? {
    Failure.message { () throws(Failure) in _ = try read(text, isPartial: isPartial) }
      .flatMap { $0.split(separator: "\n").first.map(String.init) }
  }

  @Test func `writes a line for each thing that happens`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("what was there before", to: "e.jsonl")
      let writer = try TestEventsWriter(path, Self.run)
      for (index, result) in Self.results.enumerated() {
        try writer.write(result)
        // Whoever reads now, or after a crash, has all that came so far.
        let sofar = try Files.read(path).split(separator: 0x0a).count
        #expect(sofar == index + 2)
      }
      try writer.end(Self.end)
      #expect(ReportSamples.text(try Files.read(path)) == Self.text)
    }
  }

  @Test func `reads what it wrote`() throws {
    let recorded = try Self.read(Self.text)
    #expect(recorded.source == "e.jsonl")
    #expect(recorded.run == Self.run)
    #expect(recorded.results == Self.results)
    #expect(recorded.end == Self.end)
    let all = ReportSamples.file(
      TestEvents.Run(shard: .whole, of: ReportSamples.all.map(\.path), count: 9),
      ReportSamples.all, Self.end)
    #expect(try TestEventsReader.parse(all, source: "").results == ReportSamples.all)
  }

  @Test func `reads each duration to the nanosecond`() throws {
    for duration in [0, 1, 999, 1_000_000_001, 86_399_999_999_999, 999_999_999_999_999] {
      var result = ReportSamples.passed
      result.duration = Nanoseconds(duration)
      let bytes = ReportSamples.file(Self.run, [result], Self.end)
      #expect(try TestEventsReader.parse(bytes, source: "").results == [result])
    }
  }

  @Test func `passes over kinds and members that it doesn't know`() throws {
    let more = Self.text.replacing(
      "\n{\"kind\":\"end\",",
      with: "\n{\"kind\":\"weather\",\"path\":7}\r\n{\"kind\":\"end\",\"x\":[{}],")
    let recorded = try Self.read(
      more.replacing(
        ",\"schema\":1", with: " ,\n".dropLast() + "\"new\":{\"schema\":2},\"schema\":1"))
    #expect(recorded.results == Self.results)
    #expect(recorded.end == Self.end)
  }

  @Test(arguments: [
    ("\"vmhost\":\"9.9.9\",", "", "1:1: this line needs \"vmhost\"."),
    ("\"total\":2", "\"total\":\"2\"", "1:51: \"total\" must be a whole number from 0 on."),
    ("\"total\":2", "\"total\":-1", "1:51: \"total\" must be a whole number from 0 on."),
    ("\"total\":2", "\"total\":1", "1:61: \"count\" can't be more than \"total\"."),
    ("\"total\":2", "\"total\":2,\"total\":2", "1:53: \"total\" appears twice."),
    (
      "\"schema\":1", "\"schema\":2",
      "1:24: the file is of schema 2, this vmhost reads 1. Use the vmhost that wrote it."
    ),
    (
      "\"total\":2", "\"shard\":\"0/4\",\"total\":2",
      "1:51: \"shard\" must be a shard such as 2/4: its number, from 1 on, and how many there are."
    ),
    ("\"kind\":\"run\",", "", "1:1: this line needs \"kind\"."),
    ("{\"kind\":\"run\"", "{\"kind\":\"result\"", "1:1: the first line must be of kind \"run\"."),
    ("{\"kind\":\"run\"", "{\"kind\":7", "1:9: \"kind\" must be a string."),
    (
      "{\"kind\":\"run\"", "\n{\"kind\":\"run\"",
      "1:1: this line is invalid: expected a value, found the end of the input."
    ),
    (
      "\"passed\",", "\"fine\",",
      "2:61: \"verdict\" must be one of passed, unverified, skipped, failed, crashed, timed-out, "
        + "nondeterministic, invalid, not-loaded."
    ),
    ("\"Tests/movies/search.vmt\"", "\"\"", "2:25: \"path\" must be a string that isn't empty."),
    ("search.vmt", "paging.vmt", "3:1: there is a second result of \"Tests/movies/paging.vmt\"."),
    ("0.012", "-1", "2:81: \"duration\" must be a number of seconds from 0 to 1000000."),
    ("\"steps\":9", "\"steps\":1.5", "2:95: \"steps\" must be a whole number from 0 on."),
    (
      "\"steps\":9}", "\"steps\":9]",
      "2:96: this line is invalid: expected \",\" or \"}\", found \"]\"."
    ),
    (
      "\"count\":2", "\"count\":1",
      "3:1: there are more results than the first line's \"count\" says."
    ),
    (
      "\"counts\":{\"passed\":1", "\"counts\":{\"passed\":2",
      "4:24: \"counts\" must say 1 for \"passed\", as the lines above do."
    ),
    (
      "\"unverified\":0,", "",
      "4:24: \"counts\" must say 0 for \"unverified\", as the lines above do."
    ),
    (
      "\"status\":1}", "\"status\":1,\"missing\":[\"landlock\",1]}",
      "4:185: \"missing\" must be an array of strings."
    ),
    ("\"status\":1}", "\"status\":256}", "4:173: \"status\" must be an exit status from 0 to 255."),
    (
      "\"status\":1}\n", "\"status\":1}",
      "4:1: this line is incomplete: the run stopped early. "
        + "Run that shard again, or take what there is (--partial)."
    ),
    (
      "{\"kind\":\"end\"", "{\"kind\":\"later\"",
      "4: the file ends without a line of kind \"end\": the run stopped early. "
        + "Run that shard again, or take what there is (--partial)."
    ),
  ])
  func `says what is wrong with a file, and where`(
    _ part: String, replacement: String, message: String
  ) {
    let broken = Self.text.replacing(part, with: replacement, maxReplacements: 1)
    #expect(broken != Self.text)
    #expect(Self.message(broken) == "e.jsonl:\(message)")
  }

  @Test func `refuses lines in an order that no run writes`() {
    let lines = Self.text.split(separator: "\n").map { "\($0)\n" }
    #expect(
      Self.message(lines[0] + Self.text)
        == "e.jsonl:2:1: there is a second line of kind \"run\": are these two runs?")
    #expect(
      Self.message(Self.text + lines[3])
        == "e.jsonl:5:1: a line of kind \"end\" comes after that of kind \"end\".")
    #expect(
      Self.message(Self.text + lines[1])
        == "e.jsonl:5:1: a line of kind \"result\" comes after that of kind \"end\".")
  }

  @Test(arguments: [false, true]) func `refuses an empty file`(_ isPartial: Bool) {
    #expect(
      Self.message("", isPartial: isPartial)
        == "\"e.jsonl\" has no line of kind \"run\"; is it a file that "
        + "\"vmhost test --events\" wrote?"
    )
  }

  /// A run that is killed leaves any beginning of its file.
  @Test func `takes each beginning of a file, or says that it is one`() throws {
    let bytes = Array(Self.text.utf8)
    let firstEnd = try #require(bytes.firstIndex(of: 0x0a))
    for length in 0..<bytes.count {
      let beginning = Array(bytes[..<length])
      #expect(throws: Failure.self, "\(length)") {
        try TestEventsReader.parse(beginning, source: "e")
      }
      guard length > firstEnd else { continue }
      let recorded = try TestEventsReader.parse(beginning, source: "e", isPartial: true)
      let lines = beginning.count { $0 == 0x0a }
      #expect(recorded.results == Array(Self.results.prefix(lines - 1)))
      #expect(recorded.end == nil)
    }
  }

  @Test func `refuses bytes that are no UTF-8`() throws {
    var bytes = Array(Self.text.utf8)
    bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "9")))] = 0xff
    let message = Failure.message { () throws(Failure) in
      _ = try TestEventsReader.parse(bytes, source: "e")
    }
    #expect(message?.hasPrefix("e:1:36: ") == true)
  }

  /// Neither traps nor takes what says something else than it counts.
  @Test(arguments: Array("\"{}[]:,\\\n0-e\u{0} ".utf8) + [0xff])
  func `survives any byte in any place`(_ byte: UInt8) {
    let bytes = Array(Self.text.utf8)
    var accepted = 0
    for index in bytes.indices where bytes[index] != byte {
      var changed = bytes
      changed[index] = byte
      let message = Failure.message { () throws(Failure) in
        let recorded = try TestEventsReader.parse(changed, source: "e")
        if recorded.results.count != 2 { throw Failure(.internalError, "lost") }
      }
      if message == nil { accepted += 1 }
      #expect(message?.hasPrefix("e:") != false, "\(index): \(message ?? "")")
    }
    // What stands in strings is free; what holds the line together isn't.
    #expect(accepted < bytes.count / 2)
  }

  @Test func `names the file that it can't write`() throws {
    #expect(
      Failure.message { () throws(Failure) in
        _ = try TestEventsWriter("/nowhere/e.jsonl", Self.run)
      } == "could not write \"/nowhere/e.jsonl\": No such file or directory.")
    #expect(
      Failure.message { () throws(Failure) in
        _ = try TestEventsWriter("/dev/full", Self.run)
      } == "could not write \"/dev/full\": No space left on device.")
  }

  @Test func `writes whole lines from many threads`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("e.jsonl")
      let results = (0..<200).map {
        TestResult(
          path: "\($0).vmt", verdict: .failed, summary: String(repeating: "x", count: 5_000))
      }
      let run = TestEvents.Run(shard: .whole, of: results.map(\.path), count: results.count)
      let writer = try TestEventsWriter(path, run)
      try await withThrowingTaskGroup { group in
        for result in results { group.addTask { try writer.write(result) } }
        try await group.waitForAll()
      }
      try writer.end(TestEvents.End(duration: 1, status: 1))
      let read = try TestEventsReader.read(path).results.sortedByPath
      let isSame = read == results.sortedByPath
      #expect(isSame)
    }
  }

  @Test func `has its example in the documentation as the code writes it`() throws {
    let document = try Repository.text("Documentation/TestEvents.md")
    let example = try #require(
      document.split(separator: "```jsonl\n").dropFirst().first?.split(separator: "```").first)
    let recorded = try Self.read(String(example))
    let written = ReportSamples.file(recorded.run, recorded.results, recorded.end)
    #expect(ReportSamples.text(written) == example)
    for verdict in Verdict.allCases {
      #expect(document.contains("| `\(verdict.rawValue)` | "), "\(verdict)")
    }
  }
}
