import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// `vmhost test --review`, with a person who decides.
struct TestReviewTests {
  private static let question = "Accept it? [a, r, s, A, R, S, q, ?] "

  /// A review of some files, which asks about the first change.
  private static func review(
    _ folder: TestFolder, _ arguments: [String] = ["t"]
  ) throws -> PseudoTerminal {
    let terminal = try folder.terminal(arguments + ["--review"], rows: 60, ["NO_COLOR": "1"])
    try terminal.read(until: question)
    return terminal
  }

  /// What a file is once a change of `TestGroupTests.files` is accepted.
  private static func accepted(_ text: String?, first: Bool, second: Bool) -> String? {
    let once = first ? text?.replacing("< said 2\n", with: "< said 1\n") : text
    return second ? once?.replacing("< said 4\n", with: "< said 3\n") : once
  }

  private static func expect(
    _ folder: TestFolder, _ files: [String: String], first: Bool, second: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (name, text) in files {
      #expect(
        try folder.text(name) == accepted(text, first: first, second: second),
        sourceLocation: sourceLocation)
    }
    #expect(try folder.names("t") == files.keys.map { String($0.dropFirst(2)) }.sorted())
  }

  @Test func `shows a change with the lines around it, and asks`() async throws {
    try await TestFolder.with(TestGroupTests.files(5)) { folder in
      let terminal = try Self.review(folder)
      let lines = terminal.screen.lines
      let heading = "change 1 of 2, at t/1000.vmt:6 and in 4 more transcripts"
      #expect(
        lines == [
          heading, "3 | # What is said comes back.", "4 | @open echo", "5 | > say 1",
          "- expected (the transcript)   + found (this run)", "- < said 2", "+ < said 1", "7 |",
          "8 | # The end.", "", "Accept it? [a, r, s, A, R, S, q, ?]",
        ])
      try terminal.write("?")
      try terminal.read(until: Self.question)
      #expect(terminal.screen.lines.contains { $0.hasPrefix("a  accept: ") })
      try terminal.write("q")
      #expect(try terminal.waitForExit() == .status(1))
    }
  }

  @Test(arguments: ["a", "A"])
  func `accepts the same change of 300 transcripts with one key`(_ key: String) async throws {
    var files = TestGroupTests.files(301)
    files["t/1300.vmt"] = nil
    try await TestFolder.with(files) { folder in
      let terminal = try Self.review(folder)
      try terminal.write(key)
      #expect(try terminal.waitForExit() == .status(0))
      let lines = terminal.screen.lines
      #expect(
        lines.contains("Accept it? [a, r, s, A, R, S, q, ?] accepted: 300 transcripts rewritten"))
      #expect(lines.contains("1 change: 1 accepted"))
      #expect(lines.contains { $0.hasPrefix("300 updated in ") })
      try Self.expect(folder, files, first: true, second: true)
      #expect(try await folder.test(["t"]).summary == "300 passed in TIME")
    }
  }

  struct Case: Sendable {
    let keys: [String]
    let first: Bool
    let second: Bool
    let status: Int32
    let counts: String
    let summary: String
  }

  @Test(arguments: [
    Case(
      keys: ["a", "a"], first: true, second: true, status: 0, counts: "2 accepted",
      summary: "5 updated in "),
    Case(
      keys: ["A"], first: true, second: true, status: 0, counts: "2 accepted",
      summary: "5 updated in "),
    Case(
      keys: ["a", "r"], first: true, second: false, status: 1, counts: "1 accepted, 1 rejected",
      summary: "4 updated, 1 failed in "),
    Case(
      keys: ["s", "a"], first: false, second: true, status: 1, counts: "1 accepted, 1 skipped",
      summary: "5 failed in "),
    Case(
      keys: ["R"], first: false, second: false, status: 1, counts: "2 rejected",
      summary: "5 failed in "),
    Case(
      keys: ["S"], first: false, second: false, status: 1, counts: "2 skipped",
      summary: "5 failed in "),
    Case(
      keys: ["a", "q"], first: true, second: false, status: 1, counts: "1 accepted, 1 left over",
      summary: "4 updated, 1 failed in "),
    Case(
      keys: ["a", "\u{3}"], first: true, second: false, status: 1,
      counts: "1 accepted, 1 left over", summary: "4 updated, 1 failed in "),
    Case(
      keys: ["\u{4}"], first: false, second: false, status: 1, counts: "2 left over",
      summary: "5 failed in "),
    // Keys that mean nothing here decide nothing.
    Case(
      keys: ["\u{1B}[A\u{1B}[B\u{1B}OC\r\n\t xYy1", "\u{4}"], first: false, second: false,
      status: 1, counts: "2 left over", summary: "5 failed in "),
  ])
  func `writes what is accepted, and nothing else`(_ each: Case) async throws {
    let files = TestGroupTests.files(5)
    try await TestFolder.with(files) { folder in
      let terminal = try Self.review(folder)
      for (index, key) in each.keys.enumerated() {
        try terminal.write(key)
        if index + 1 < each.keys.count && "aArs".contains(key) {
          try terminal.read(until: Self.question)
        }
      }
      #expect(try terminal.waitForExit() == .status(each.status))
      let lines = terminal.screen.lines
      #expect(lines.contains("2 changes: \(each.counts)"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix(each.summary) }, "\(lines)")
      let rejected = lines.count { $0.hasPrefix("rejected: t/") }
      #expect(rejected == (each.keys == ["R"] ? 2 : each.keys.contains("r") ? 1 : 0))
      try Self.expect(folder, files, first: each.first, second: each.second)
    }
  }

  @Test func `says of a transcript with a part accepted where it still fails`() async throws {
    let text = """
      vmt 1
      @plugin echo.so
      @open echo
      > say 1
      < said 2
      < said 3
      > say 3
      < said 4

      """
    try await TestFolder.with(["a.vmt": text]) { folder in
      let terminal = try Self.review(folder, ["a.vmt"])
      try terminal.write("a")
      try terminal.read(until: Self.question)
      try terminal.write("s")
      #expect(try terminal.waitForExit() == .status(1))
      #expect(
        terminal.screen.lines.contains("FAILED  a.vmt:7  expected < said 4, found < said 3"))
      #expect(
        try await folder.test(["a.vmt"]).stdout.hasPrefix(
          "failed: a.vmt:7: expected < said 4, found < said 3\n"))
    }
  }

  @Test func `does not take what was typed before the question for an answer`() async throws {
    let files = ["t/a.vmt": Sample.hung, "t/b.vmt": Sample.failed]
    try await TestFolder.with(files) { folder in
      let terminal = try folder.terminal(
        ["t", "--review", "--step-timeout", "1s"], rows: 60, ["NO_COLOR": "1"])
      try terminal.read(until: "0/2")
      try terminal.write("A\n")
      try terminal.read(until: Self.question)
      try terminal.write("q")
      #expect(try terminal.waitForExit() == .status(6))
      #expect(terminal.screen.lines.contains("1 change: 1 left over"))
      #expect(try folder.text("t/b.vmt") == Sample.failed)
    }
  }

  @Test func `asks for nothing where nothing can be accepted`() async throws {
    let files = [
      "a.vmt": Sample.passed, "b.vmt": Sample.crashed, "c.vmt": Sample.nondeterministic,
    ]
    try await TestFolder.with(files) { folder in
      let terminal = try folder.terminal([".", "--review"], rows: 60, ["NO_COLOR": "1"])
      #expect(try terminal.waitForExit() == .status(6))
      let lines = terminal.screen.lines
      #expect(
        lines.contains(
          "not updated: ./c.vmt: lines that differ from run to run are not"
            + " accepted."))
      #expect(!lines.contains { $0.contains("Accept it?") || $0.contains("change") })
    }
  }

  // MARK: Interrupted

  @Test(arguments: [SIGHUP, SIGTERM, SIGINT])
  func `a signal leaves whole files and the terminal as it was`(_ signal: Int32) async throws {
    let files = TestGroupTests.files(5)
    try await TestFolder.with(files) { folder in
      let terminal = try Self.review(folder)
      let line = try terminal.openTerminal()
      defer { close(line) }
      #expect(try !Self.isCooked(line))
      try terminal.write("a")
      try terminal.read(until: Self.question)
      terminal.signal(signal)
      #expect(try terminal.waitForExit() == .signal(signal))
      #expect(try Self.isCooked(line))
      try Self.expect(folder, files, first: true, second: false)
    }
  }

  private static func isCooked(_ terminal: Int32) throws -> Bool {
    var mode = termios()
    try #require(unsafe tcgetattr(terminal, &mode) == 0)
    return mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }

  @Test func `a closed terminal ends it, and what was accepted stays`() async throws {
    let files = TestGroupTests.files(5)
    try await TestFolder.with(files) { folder in
      var terminal: PseudoTerminal? = try PseudoTerminal(columns: 80, rows: 60)
      let line = try #require(try terminal?.openTerminal())
      // It isn't the controlling terminal, so no signal comes when it is closed.
      let child = try ChildProcess(
        "/bin/sh",
        [
          "-c", "exec '\(BuildProducts.executable("vmhost"))' test t --review <$0 >$0",
          Files.target(ofLink: "/proc/self/fd/\(line)"),
        ],
        environment: VMHostRun.environment, workingDirectory: folder.path)
      try terminal?.read(until: Self.question)
      try terminal?.write("a")
      try terminal?.read(until: Self.question)
      close(line)
      terminal = nil
      #expect(try child.wait(closingInput: false).status == .exited(74))
      try Self.expect(folder, files, first: true, second: false)
    }
  }

  @Test func `a file that can't be written stays whole, and is left over`() async throws {
    // More than a file may have under the limit that the shell sets.
    let long = Sample.failed + String(repeating: "# A comment.\n", count: 100_000)
    let files = ["t/a.vmt": long, "t/b.vmt": Sample.failed]
    try await TestFolder.with(files) { folder in
      let terminal = try PseudoTerminal(columns: 80, rows: 60)
      try terminal.start(
        "/bin/sh",
        [
          "-c",
          "cd '\(folder.path)' && ulimit -f 1000 && exec '\(BuildProducts.executable("vmhost"))'"
            + " test t --review --in-process",
        ])
      try terminal.read(until: Self.question)
      try terminal.write("A")
      #expect(try terminal.waitForExit() == .status(74))
      let lines = terminal.screen.lines
      #expect(lines.contains("not updated: t/a.vmt: it could not be written: File too large."))
      #expect(lines.contains("1 change: 1 left over"))
      #expect(try folder.text("t/a.vmt") == long)
      #expect(try folder.text("t/b.vmt") == Sample.passed)
      #expect(try folder.names("t") == ["a.vmt", "b.vmt"])
    }
  }

  @Test func `leaves alone what somebody changed meanwhile`() async throws {
    let files = TestGroupTests.files(3)
    try await TestFolder.with(files) { folder in
      let terminal = try Self.review(folder)
      let changed = try folder.text("t/1001.vmt") + "# Another line.\n"
      try folder.folder.write(changed, to: "t/1001.vmt")
      try terminal.write("A")
      #expect(try terminal.waitForExit() == .status(1))
      #expect(
        terminal.screen.lines.contains(
          "not updated: t/1001.vmt: it was changed during the run."))
      #expect(try folder.text("t/1001.vmt") == changed)
      #expect(try folder.text("t/1000.vmt") != files["t/1000.vmt"])
    }
  }

  // MARK: Refused

  @Test(arguments: [
    (
      ["--review"], [:],
      "--review needs a terminal for standard input and output. --list-changes shows"
        + " the same changes, and --update accepts all of them."
    ),
    (
      ["--review"], ["CI": "true"],
      "--review: the variable CI is set, and a person must read differences before they are"
        + " accepted. Leave out --review in CI."
    ),
    (["--review", "--update"], [:], "--review can't be combined with --update."),
    (["--list-changes", "--review"], [:], "--list-changes can't be combined with --review."),
    (["--update=patch", "--list-changes"], [:], "--list-changes can't be combined with --update."),
  ])
  func `says why it can't be`(
    _ arguments: [String], _ environment: [String: String], _ words: String
  ) async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(["a.vmt"] + arguments, environment: environment)
      #expect(output.stdout == "")
      #expect(output.stderr == "vmhost: \(words)\n")
      #expect(output.status == .exited(2))
      #expect(try folder.text("a.vmt") == Sample.failed)
    }
  }
}
