import Foundation
import TestSupport
import Testing

@testable import vmhost

/// How much `vmhost test` prints, and what.
struct TestOutputTests {
  /// Transcripts that fail, each in its own way.
  private static func failures(_ count: Int) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { index in
        ("t/\(String(1000 + index)).vmt", Sample.echo(1, expecting: -index))
      })
  }

  @Test func `lists what failed only where it has scrolled away`() async throws {
    try await TestFolder.with(Self.failures(5)) { folder in
      let few = try await folder.test(["t", "--filter", "1000", "--filter", "1001"])
      #expect(!few.stdout.contains("FAILED"))
      let many = try await folder.test(["t"])
      #expect(
        many.stdout.hasSuffix(
          """
          + < said 1

          FAILED  t/1000.vmt:5  expected < said 0, found < said 1
          FAILED  t/1001.vmt:5  expected < said -1, found < said 1
          FAILED  t/1002.vmt:5  expected < said -2, found < said 1
          FAILED  t/1003.vmt:5  expected < said -3, found < said 1
          FAILED  t/1004.vmt:5  expected < said -4, found < said 1

          5 failed in TIME

          """))
      #expect(many.stdout.split(separator: "failed: t/").count == 5)
      #expect(!many.stdout.contains("\n\n\n"))
    }
  }

  @Test func `says once why a plugin would not load`() async throws {
    let files = ["a.vmt": Sample.notLoaded, "b.vmt": Sample.notLoaded, "c.vmt": Sample.notLoaded]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--events", "e.jsonl"])
      #expect(output.stdout.split(separator: "\"swift build\" builds the plugins").count == 2)
      #expect(
        output.stdout.hasSuffix(
          """
          The same in 2 more transcripts (-v shows all).

          3 not loaded in TIME

          """))
      let summaries = try folder.events("e.jsonl").results.map(\.summary)
      #expect(summaries.allSatisfy { $0.hasPrefix("Could not load \"nosuch.so\": ") })
    }
  }

  @Test func `prints no more than some thousand lines of what failed`() async throws {
    try await TestFolder.with(Self.failures(400)) { folder in
      let output = try await folder.test(["t", "--events", "e.jsonl"])
      let lines = output.stdout.split(separator: "\n", omittingEmptySubsequences: false)
      let shown = lines.count { $0.hasPrefix("failed: ") }
      let listed = lines.count { $0.hasPrefix("FAILED  ") }
      #expect(shown == 167)
      #expect(listed == 200)
      #expect(lines.count < 1250)
      #expect(lines.contains("… and 200 more"))
      #expect(output.summary == "400 failed in TIME")
      #expect(try folder.events("e.jsonl").results.count == 400)
    }
  }

  @Test(arguments: [(1, 0), (2, 1), (20, 19), (21, 10), (400, 19)])
  func `says now and then how far it is`(_ count: Int, lines: Int) async throws {
    let files = Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("\($0).vmt", Sample.passed) })
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(["."])
      let said = output.stderr.split(separator: "\n")
      #expect(said.count == lines)
      let each = (count + 19) / 20
      #expect(said.first.map(String.init) == (lines == 0 ? nil : "[\(each)/\(count)]"))
      #expect(output.complaints == "")
      #expect(output.stdout == "\(count) passed in TIME\n")
    }
  }

  @Test func `says how many did not pass so far`() async throws {
    try await TestFolder.with(Self.failures(3)) { folder in
      let output = try await folder.test(["t"])
      #expect(output.stderr == "[1/3] 1 not passed\n[2/3] 2 not passed\n")
    }
  }

  @Test func `lets no plugin steer the terminal`() async throws {
    let text = """
      vmt 1
      # \u{1B}]0;title\u{7}
      @plugin echo.so
      @open echo
      > say "\\u001b[2J\\u009b31m"
      < said "\\u001b[1J"
      > say 2 \u{1B}[2J

      """
    try await TestFolder.with(["a.vmt": text]) { folder in
      for line in [text, String(text.split(separator: "> say 2")[0])] {
        try folder.folder.write(line, to: "a.vmt")
        let output = try await folder.test(["a.vmt"])
        let isClean = !(output.stdout + output.stderr).unicodeScalars.contains {
          $0 != "\n" && $0.properties.generalCategory == .control
        }
        #expect(isClean, "\(output.stdout.debugDescription)")
        #expect(output.status != .success)
        let terminal = try folder.terminal(["a.vmt"])
        _ = try terminal.waitForExit()
        // Only our own: colours, and taking the bar away.
        let shown = String(decoding: terminal.transcript, as: UTF8.self)
          .replacing(/\u{1B}\[[0-9;]*[mK]/, with: "")
        #expect(!shown.unicodeScalars.contains("\u{1B}"), "\(shown.debugDescription)")
      }
    }
  }

  // MARK: On a terminal

  @Test func `shows a bar on a terminal, and takes it away`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed, "b.vmt": Sample.failed]) { folder in
      let terminal = try folder.terminal(["."])
      #expect(try terminal.waitForExit() == .status(1))
      let text = String(decoding: terminal.transcript, as: UTF8.self)
      #expect(text.contains("[\(String(repeating: " ", count: 30))] 0/2"))
      #expect(text.contains("\u{1B}[1;31mfailed\u{1B}[0m: "))
      #expect(text.contains("\u{1B}[31m- < said 2\u{1B}[0m"))
      #expect(
        terminal.screen.lines.dropLast() == [
          "failed: ./b.vmt:5: expected < said 2, found < said 1", "the step at ./b.vmt:4: > say 1",
          "- expected (the transcript)   + found (this run)", "- < said 2", "+ < said 1", "",
        ])
      #expect(terminal.screen.lines.last?.hasPrefix("1 passed, 1 failed in ") == true)
    }
  }

  @Test(arguments: [(["NO_COLOR": "1"], true), (["TERM": "dumb"], false)])
  func `prints no colours where none are wanted`(
    _ environment: [String: String], hasBar: Bool
  ) async throws {
    try await TestFolder.with(["a.vmt": Sample.passed, "b.vmt": Sample.failed]) { folder in
      let terminal = try folder.terminal(["."], environment)
      #expect(try terminal.waitForExit() == .status(1))
      let text = String(decoding: terminal.transcript, as: UTF8.self)
      #expect(!text.contains("\u{1B}[1;31m") && !text.contains("\u{1B}[3"))
      #expect(text.contains("\u{1B}[K[   ") == hasBar)
      #expect(text.contains("\u{1B}") == hasBar)
    }
  }

  @Test(arguments: [5, 16, 20, 40])
  func `the bar fits into any terminal`(_ columns: Int) async throws {
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      let terminal = try folder.terminal(["a.vmt"], columns: columns)
      #expect(try terminal.waitForExit() == .status(0))
      let text = String(decoding: terminal.transcript, as: UTF8.self)
      let bars = text.split(separator: "\r\u{1B}[K").filter { $0.hasSuffix("0/1") }
      #expect(bars.count == 1)
      for bar in bars { #expect(bar.count < columns) }
    }
  }

  // MARK: Interrupted

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends at once by a signal, with whole reports and no worker left`(
    _ signal: Int32
  ) async throws {
    let files = ["a.vmt": Sample.passed, "b.vmt": Sample.failed, "c.vmt": Sample.hung]
    try await TestFolder.with(files) { folder in
      let child = try VMHostRun.start(
        [
          "test", ".", "--jobs", "1", "--step-timeout", "10m", "--timeout", "10m", "--events",
          "e.jsonl", "--junit", "j.xml", "--timings", "t.json",
        ], environment: ["XDG_CACHE_HOME": folder.file("cache")], workingDirectory: folder.path)
      try child.waitForStderr(containing: "[2/3] 1 not passed\n")
      var workers: [Worker] = []
      while workers.isEmpty { workers = try HostDeathTests.workers(of: child) }
      child.kill(signal)
      let output = TestFolder.Output(try child.wait(closingInput: false))
      #expect(output.status == .signaled(signal))
      #expect(
        output.stdout.hasSuffix(
          """
          + < said 1

          incomplete: interrupted after 2 of 3 transcripts.
          1 passed, 1 failed in TIME

          """))
      #expect(output.complaints == "")
      try HostDeathTests.expectEnd(of: workers)
      let run = try TestEventsReader.read(folder.file("e.jsonl"), isPartial: true)
      #expect(run.results.map(\.path) == ["./a.vmt", "./b.vmt"])
      #expect(run.end?.status == 128 + signal)
      #expect(try folder.text("j.xml").hasSuffix("</testsuites>\n"))
      #expect(try folder.text("j.xml").split(separator: "<testcase ").count == 3)
      #expect(try Timings.read(folder.file("t.json")).times.count == 2)
    }
  }

  @Test func `says on a terminal how many were run when Ctrl-C comes`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed, "b.vmt": Sample.hung]) { folder in
      let options = [".", "--jobs", "1", "--step-timeout", "10m", "--timeout", "10m"]
      let terminal = try folder.terminal(options)
      try terminal.read(until: "0/2")
      // Whether the first one is done by then doesn't matter.
      try terminal.write("\u{3}")
      #expect(try terminal.waitForExit() == .signal(SIGINT))
      let lines = terminal.screen.lines
      #expect(lines.contains { $0.hasPrefix("incomplete: interrupted after ") }, "\(lines)")
    }
  }
}
