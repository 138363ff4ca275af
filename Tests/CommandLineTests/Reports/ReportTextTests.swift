import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// What reports say to people.
struct ReportTextTests {
  private static let coloured = Style(isTerminal: true) { $0 == "TERM" ? "xterm" : nil }

  @Test func `counts the verdicts and lists what went wrong`() {
    let summary = TestSummary(results: ReportSamples.all.reversed(), duration: 83_210_400_000)
    #expect(
      summary.text(.plain) == """
        CRASHED           t/crashed.vmt  it was crashed.
        FAILED            t/failed.vmt:7  it was failed.
        INVALID           t/invalid.vmt  it was invalid.
        NONDETERMINISTIC  t/nondeterministic.vmt  it was nondeterministic.
        NOT LOADED        t/not-loaded.vmt  it was not loaded.
        TIMED OUT         t/timed-out.vmt  it was timed out.

        skipped: t/skipped.vmt: it was skipped.
        1 passed, 1 unverified, 1 skipped, 1 failed, 1 crashed, 1 timed out, 1 nondeterministic, \
        1 invalid, 1 not loaded in 83.210s

        """)
  }

  @Test func `says little where all is well`() {
    let passed = [ReportSamples.passed, ReportSamples.passed]
    #expect(
      TestSummary(results: passed, duration: 999_600).text(Self.coloured)
        == "2 passed in 0.001s\n")
    #expect(TestSummary(results: [], duration: 0).text(.plain) == "nothing tested in 0.000s\n")
  }

  @Test func `marks what went wrong on a terminal`() {
    let summary = TestSummary(
      results: [ReportSamples.failed, ReportSamples.passed], duration: 0, gaps: ["a gap."])
    #expect(
      summary.text(Self.coloured) == """
        \u{1B}[1;31mFAILED\u{1B}[0m  Tests/movies/paging.vmt:12  expected loading "none", came \
        loading "fullScreen".

        \u{1B}[1;31mincomplete: \u{1B}[0ma gap.
        1 passed, \u{1B}[1;31m1 failed\u{1B}[0m in 0.000s

        """)
  }

  @Test func `lets no plugin steer the terminal`() {
    let result = TestResult(
      path: "\u{1B}[2J.vmt", verdict: .failed, summary: "a\u{1B}]0;x\u{7}\n2 passed in 0s")
    let text = TestSummary(results: [result], duration: 0).text(.plain)
    #expect(!text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").count == 2)
    #expect(!SlowestList.text([result], count: 1, .plain).contains("\u{1B}"))
  }

  @Test func `lists the slowest first`() {
    let results = [(1, "b"), (12_000, "d"), (1, "a"), (250, "c")].map {
      TestResult(path: $0.1, verdict: .passed, duration: Nanoseconds($0.0) * 1_000_000)
    }
    #expect(
      SlowestList.text(results, count: 3, .plain) == """
        12.000s  d
         0.250s  c
         0.001s  a

        """)
    #expect(SlowestList.text(results, count: 9, .plain).split(separator: "\n").count == 4)
    #expect(SlowestList.text(results, count: 0, .plain) == "")
    #expect(SlowestList.text([], count: 3, .plain) == "")
  }

  @Test func `annotates what went wrong for GitHub`() {
    let nasty = TestResult(
      path: "a,b:c%/x\n.vmt", verdict: .timedOut, line: 3, summary: "100%, too: long",
      details: "one\r\ntwo")
    let bare = TestResult(path: "z.vmt", verdict: .crashed)
    #expect(
      Annotations.text([bare, ReportSamples.passed, nasty]) == """
        ::error file=a%2Cb%3Ac%25/x%0A.vmt,line=3,title=timed out::100%25, too: \
        long%0Aone\u{FFFD}%0Atwo
        ::error file=z.vmt,title=crashed::crashed

        """)
    #expect(Annotations.text([ReportSamples.passed]) == "")
  }

  @Test(arguments: [("true", true), ("True", false), ("1", false), ("", false), (nil, false)])
  func `annotates only in GitHub Actions`(_ value: String?, isWanted: Bool) {
    #expect(Annotations.isWanted { $0 == "GITHUB_ACTIONS" ? value : "true" } == isWanted)
  }

  @Test(
    arguments: [
      ([], .success), ([.passed, .unverified], .success), ([.passed, .failed], .failed),
      ([.failed, .nondeterministic], .nondeterministic),
      ([.nondeterministic, .crashed], .brokenPlugin), ([.timedOut, .failed], .brokenPlugin),
      ([.crashed, .notLoaded], .notLoaded), ([.notLoaded, .invalid, .failed], .usage),
    ] as [([Verdict], Outcome)])
  func `ends by what has to be mended first`(_ verdicts: [Verdict], outcome: Outcome) {
    let results = verdicts.map { TestResult(path: "a", verdict: $0) }
    #expect(results.outcome == outcome)
    #expect(Array(results.reversed()).outcome == outcome)
  }
}

/// Files that are there as a whole or not at all.
struct ReportFileTests {
  @Test func `replaces a file, through links, and leaves nothing else`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("old", to: "a/report.xml")
      try ReportFile.write(Array("new".utf8), to: path)
      #expect(try Files.read(path) == Array("new".utf8))
      #expect(try Files.names(in: folder.file("a")) == ["report.xml"])
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("link"), withDestinationPath: "a/report.xml")
      try ReportFile.write(Array("newer".utf8), to: folder.file("link"))
      #expect(try Files.target(ofLink: folder.file("link")) == "a/report.xml")
      #expect(try Files.read(path) == Array("newer".utf8))
      try ReportFile.write([], to: folder.file("empty"))
      #expect(try Files.size(of: folder.file("empty")) == 0)
    }
  }

  @Test func `writes to a device as it is`() throws {
    try ReportFile.write(Array("x".utf8), to: "/dev/null")
    #expect(try Files.kind(of: "/dev/null") == .other)
    #expect(
      Failure.message { () throws(Failure) in
        try ReportFile.write(Array("x".utf8), to: "/dev/full")
      } == "could not write \"/dev/full\": No space left on device.")
  }

  @Test func `names the file that it can't write, and leaves nothing`() async throws {
    try await TemporaryDirectory.with { folder in
      for (path, reason) in [
        (folder.path, "Is a directory"), (folder.file("no/x"), "No such file or directory"),
        (folder.file(String(repeating: "x", count: 300)), "File name too long"),
      ] {
        let failure = #expect(throws: Failure.self) { try ReportFile.write([1], to: path) }
        #expect(failure?.outcome == .outputLost)
        #expect(failure?.message == "could not write \"\(path)\": \(reason).")
      }
      let left = try Files.names(in: folder.path)
      #expect(left == [])
    }
  }
}
