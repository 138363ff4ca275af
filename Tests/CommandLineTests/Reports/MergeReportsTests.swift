import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// `vmhost merge-reports` as the built program does it.
struct MergeReportsTests {
  /// Writes the shards of a run over `results`, and gives their names.
  private static func write(
    _ results: [TestResult], in count: Int, to folder: TemporaryDirectory
  ) throws -> [String] {
    try ReportSamples.shards(of: results, count: count).enumerated().map { index, bytes in
      let name = "shard-\(index + 1).jsonl"
      try folder.write(ReportSamples.text(bytes), to: name)
      return name
    }
  }

  private static let summary = """
    CRASHED           t/crashed.vmt  it was crashed.
    FAILED            t/failed.vmt:7  it was failed.
    INVALID           t/invalid.vmt  it was invalid.
    NONDETERMINISTIC  t/nondeterministic.vmt  it was nondeterministic.
    NOT LOADED        t/not-loaded.vmt  it was not loaded.
    TIMED OUT         t/timed-out.vmt  it was timed out.

    skipped: t/skipped.vmt: it was skipped.
    1 passed, 1 unverified, 1 skipped, 1 failed, 1 crashed, 1 timed out, 1 nondeterministic, \
    1 invalid, 1 not loaded in 2.000s

    """

  @Test func `shows help`() async throws {
    for arguments in [["merge-reports", "--help"], ["help", "merge-reports"]] {
      try await VMHostRun.expect(
        arguments, stdout: VMHostRun.golden("help-merge-reports.txt"))
    }
  }

  @Test(arguments: [1, 2, 3, 8, 12])
  func `makes of any number of shards what the whole run would have been`(
    _ count: Int
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let names = try Self.write(ReportSamples.all, in: count, to: folder)
      let old = try folder.write("{\"t/passed.vmt\": 9, \"gone.vmt\": 1}", to: "timings.json")
      try await VMHostRun.expect(
        ["merge-reports", "--junit", "j.xml", "--events", "all.jsonl", "--timings", old]
          + names.reversed(),
        workingDirectory: folder.path, stdout: Self.summary, status: 2)
      #expect(try Files.read(folder.file("j.xml")) == JUnitReport.bytes(ReportSamples.all))
      let all = try TestEventsReader.read(folder.file("all.jsonl"))
      #expect(all.results == ReportSamples.all.sortedByPath)
      #expect(
        all.run == TestEvents.Run(shard: .whole, of: ReportSamples.all.map(\.path), count: 9))
      #expect(all.end == TestEvents.End(duration: 2_000_000_000, status: 2))
      #expect(
        ReportSamples.text(try Files.read(old)) == """
          {
            "gone.vmt": 1,
            "t/failed.vmt": 0.004,
            "t/passed.vmt": 0.001,
            "t/unverified.vmt": 0.002
          }

          """)
      // What was merged can be merged again.
      try await VMHostRun.expect(
        ["merge-reports", "all.jsonl"], workingDirectory: folder.path, stdout: Self.summary,
        status: 2)
    }
  }

  @Test(arguments: zip(Verdict.allCases, [0, 0, 0, 1, 6, 6, 5, 2, 3] as [Int32]))
  func `ends with the status of the run`(_ verdict: Verdict, status: Int32) async throws {
    try await TemporaryDirectory.with { folder in
      let other = TestResult(path: "b.vmt", verdict: verdict)
      let names = try Self.write([ReportSamples.passed, other], in: 2, to: folder)
      let output = try await VMHostRun.output(
        ["merge-reports"] + names, workingDirectory: folder.path)
      #expect(output.status == .exited(status))
      #expect(output.stderr == "")
    }
  }

  @Test func `ends with status 4 where there was nothing to test`() async throws {
    try await TemporaryDirectory.with { folder in
      let names = try Self.write([], in: 3, to: folder)
      try await VMHostRun.expect(
        ["merge-reports"] + names, workingDirectory: folder.path,
        stdout: "nothing tested in 2.000s\n", status: 4)
    }
  }

  @Test func `isn't fine where a shard ended by a signal`() async throws {
    try await TemporaryDirectory.with { folder in
      let run = TestEvents.Run(shard: .whole, of: [ReportSamples.passed.path], count: 1)
      let file = ReportSamples.file(
        run, [ReportSamples.passed], TestEvents.End(duration: 0, status: 130))
      try folder.write(ReportSamples.text(file), to: "a.jsonl")
      try await VMHostRun.expect(
        ["merge-reports", "a.jsonl"], workingDirectory: folder.path,
        stdout: "1 passed in 0.000s\n", status: 1)
    }
  }

  @Test func `merges what there is only if it is told to`() async throws {
    try await TemporaryDirectory.with { folder in
      let results = (0..<8).map { TestResult(path: "\($0).vmt", verdict: .passed) }
      let names = try Self.write(results, in: 4, to: folder)
      let cut = try Files.read(folder.file(names[1]))
      let lines = ReportSamples.text(cut).split(separator: "\n")
      try folder.write("\(lines[0])\n\(lines[1])\n{\"kind\":\"res", to: names[1])
      let some = ["merge-reports", names[0], names[1]]
      let output = try await VMHostRun.output(some, workingDirectory: folder.path)
      #expect(output.stdout == "")
      #expect(output.stderr.hasPrefix("vmhost: shard-2.jsonl:3:1: this line is incomplete: "))
      #expect(output.status == .exited(2))
      try await VMHostRun.expect(
        some + ["--partial", "--events", "some.jsonl"], workingDirectory: folder.path,
        stdout: """
          incomplete: shards 3/4 and 4/4 are missing.
          incomplete: "shard-2.jsonl" has 1 of its 2 results: its run stopped early.
          3 passed in 2.000s

          """)
      // What is incomplete stays so.
      try await VMHostRun.expect(
        ["merge-reports", "some.jsonl"], workingDirectory: folder.path,
        stderr: """
          vmhost: "some.jsonl" has 3 of its 8 results: its run stopped early.
          Name the files of all shards; if there are none, merge without them (--partial).

          """, status: 2)
    }
  }

  @Test func `shows how the tests went even where a report can't be written`() async throws {
    try await TemporaryDirectory.with { folder in
      let names = try Self.write([ReportSamples.passed], in: 1, to: folder)
      try await VMHostRun.expect(
        ["merge-reports", names[0], "--junit", "no/j.xml"], workingDirectory: folder.path,
        stdout: "1 passed in 2.000s\n",
        stderr: "vmhost: could not write \"no/j.xml\": No such file or directory.\n", status: 74)
      try folder.write("{\"a\": true}", to: "t.json")
      try await VMHostRun.expect(
        ["merge-reports", names[0], "--timings", "t.json"], workingDirectory: folder.path,
        stdout: "1 passed in 2.000s\n",
        stderr: """
          vmhost: t.json:1:7: a time must be a number of seconds from 0 to 1000000.
            1 | {"a": true}
              |       ^

          """, status: 2)
      #expect(try Files.read(folder.file("t.json")) == Array("{\"a\": true}".utf8))
    }
  }

  @Test func `is used in CI.md as it can be used`() throws {
    let lines = try Repository.text("Documentation/CI.md").split { "`\n".contains($0) }
    let commands = lines.compactMap { line in
      line.firstRange(of: "vmhost merge-reports ").map { line[$0.upperBound...] }
    }
    #expect(commands.count >= 3)
    for arguments in commands {
      let words = ["merge-reports"] + arguments.split(separator: " ").map(String.init)
      #expect(throws: Never.self, "\(arguments)") {
        try CommandTable.vmhost.parse(words, width: 80)
      }
    }
  }

  @Test func `needs files that are there`() async throws {
    try await VMHostRun.expect(
      ["merge-reports"],
      stderr:
        "vmhost: \"vmhost merge-reports\" needs FILE.\nSee \"vmhost merge-reports --help\".\n",
      status: 2)
    try await VMHostRun.expect(
      ["merge-reports", "/nowhere/a.jsonl"],
      stderr: "vmhost: could not read \"/nowhere/a.jsonl\": No such file or directory.\n", status: 2
    )
  }
}

/// Files that are not the shards of one run.
struct ShardMergeTests {
  private static let results = (0..<6).map { TestResult(path: "\($0).vmt", verdict: .passed) }

  private static func shards(
    _ results: [TestResult] = results, in count: Int, timings: Timings = Timings()
  ) throws -> [RecordedRun] {
    try ReportSamples.shards(of: results, count: count, timings: timings).enumerated()
      .map { try TestEventsReader.parse($1, source: "\($0 + 1)of\(count)") }
  }

  private static func message(_ shards: [RecordedRun], isPartial: Bool = false) -> String? {
    Failure.message { () throws(Failure) in _ = try ShardMerge(shards, isPartial: isPartial) }
  }

  private static let advice = """
    Name the files of all shards; if there are none, merge without them (--partial).
    """

  @Test func `says which shards are missing`() throws {
    let shards = try Self.shards(in: 4)
    #expect(Self.message(shards) == nil)
    #expect(
      Self.message([shards[0], shards[1], shards[3]])
        == "shard 3/4 is missing.\n\(Self.advice)")
    #expect(
      Self.message([shards[2]]) == "shards 1/4, 2/4 and 4/4 are missing.\n\(Self.advice)")
    #expect(Self.message([shards[2]], isPartial: true) == nil)
    #expect(try ShardMerge([shards[2]], isPartial: true).results.count == shards[2].results.count)
  }

  @Test(arguments: [false, true])
  func `refuses a shard that appears twice`(_ isPartial: Bool) throws {
    let shards = try Self.shards(in: 2)
    let again = RecordedRun(
      source: "copy", run: shards[0].run, results: shards[0].results, end: shards[0].end)
    #expect(
      Self.message(shards + [again], isPartial: isPartial) == """
        shard 1/2 appears twice, as "1of2" and as "copy". Name each shard's file once.
        """)
  }

  @Test(arguments: [false, true])
  func `refuses shards of different runs`(_ isPartial: Bool) throws {
    let shards = try Self.shards(in: 2)
    let plan = "Each shard must be given the same paths and the same timings."
    #expect(
      Self.message([shards[0], try Self.shards(in: 3)[1]], isPartial: isPartial)
        == "\"1of2\" is shard 1/2, but \"2of3\" is shard 2/3: they are of different runs.")
    let fewer = try Self.shards(Array(Self.results.dropLast()), in: 2)
    #expect(
      Self.message([shards[0], fewer[1]], isPartial: isPartial) == """
        "1of2" is of a run of 6 transcripts, but "2of2" of one of 5. \(plan)
        """)
    let others = try Self.shards(
      Self.results.dropLast() + [TestResult(path: "x.vmt", verdict: .passed)], in: 2)
    #expect(
      Self.message([shards[0], others[1]], isPartial: isPartial) == """
        "1of2" and "2of2" are of runs of different transcripts. \(plan)
        """)
  }

  @Test func `refuses shards that were planned with different timings`() throws {
    var timings = Timings()
    timings.merge(
      Self.results.enumerated().map { index, result in
        TestResult(
          path: result.path, verdict: .passed,
          duration: index == 0 ? 3_600_000_000_000 : 1_000_000)
      })
    let plain = try Self.shards(in: 2)
    let timed = try Self.shards(in: 2, timings: timings)
    let messages = [Self.message([plain[0], timed[1]]), Self.message([timed[0], plain[1]])]
    for message in messages {
      #expect(
        message?.hasSuffix("Each shard must be given the same paths and the same timings.") == true)
    }
    #expect(messages.contains { $0?.contains(" is in ") == true })
    #expect(messages.contains { $0?.contains("together, but the run has 6") == true })
  }
}
