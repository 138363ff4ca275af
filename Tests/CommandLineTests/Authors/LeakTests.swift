import Foundation
import TestSupport
import Testing

/// Instances that live on after they were closed, and inputs that keep the process.
struct LeakTests {
  private static let leaky =
    ["run", "confinedfixture.so", "--view-model", "confined.leaky"] + Arguments.text

  @Test(arguments: [[], ["--backtrace"], ["--timings"]])
  func `a session ends with the instances that live on`(_ more: [String]) async throws {
    let output = try await VMHostRun.output(
      Self.leaky + more,
      .text(
        """
        @open confined.leaky as second
        @open confined.leaky as sound {"leaks":false}
        @close second
        > leaky.tap

        """))
    let notices = output.stderr.split(separator: "\n").filter { $0.contains("live") }
    #expect(
      notices == [
        "vmhost: 2 instances of confined.leaky live on after they were closed: a retain cycle?"
      ])
    #expect(output.stdout == "< leaky.done\n")
    #expect(output.status == .success)
  }

  @Test func `one is one, and nothing is said of none`() async throws {
    try await VMHostRun.expect(
      Self.leaky,
      stderr:
        "vmhost: 1 instance of confined.leaky lives on after it was closed: a retain cycle?\n")
    try await VMHostRun.expect(Self.leaky + ["--config", "{\"leaks\":false}"])
    // None is left to close at the end.
    try await VMHostRun.expect(
      Self.leaky, .text("@close leaky\n"),
      stderr:
        "vmhost: 1 instance of confined.leaky lives on after it was closed: a retain cycle?\n")
    // A task of another thread may still hold it.
    try await VMHostRun.expect(Self.leaky + ["--in-process"])
    // A plugin that doesn't know.
    try await VMHostRun.expect(
      Arguments.echo + ["--config", "{}"], .text(""))
  }

  // MARK: Reports that a plugin makes itself

  /// Runs the broken fixture with a fault of its report.
  ///
  /// - Returns: what is on standard error, with `PLUGIN` for its path, and the status.
  private static func report(
    _ fault: String, _ script: String
  ) async throws -> (stderr: String, status: TestSupport.ExitStatus) {
    try await TemporaryDirectory.with { folder in
      let path = try FixtureLibrary.copy(of: "brokenfixture", choosing: fault, in: folder)
      let output = try await VMHostRun.output(
        ["run", path, "--config", "{\"key\":null}", "--step-timeout", "300ms"] + Arguments.text,
        .text(script))
      return (output.stderr.replacing(path, with: "PLUGIN"), output.status)
    }
  }

  @Test(arguments: [
    ("leaks-crash", "crashed with signal 11 (Segmentation fault)"),
    ("leaks-hang", "hangs: it did not return within 300ms"),
  ])
  func `a plugin that doesn't survive its report ends the session with an error`(
    _ fault: String, _ words: String
  ) async throws {
    let atEnd = try await Self.report(fault, "")
    #expect(atEnd.stderr == "vmhost: PLUGIN \(words) while it closed broken.\n")
    #expect(atEnd.status == .exited(6))
    let afterwards = try await Self.report(fault, "@close broken\n")
    #expect(
      afterwards.stderr == "vmhost: PLUGIN \(words) while it was asked for its leaks.\n")
    #expect(afterwards.status == .exited(6))
  }

  @Test(arguments: ["leaks-null", "leaks-huge", "leaks-not-json"])
  func `nothing is said of what isn't a report`(_ fault: String) async throws {
    for script in ["", "@close broken\n"] {
      let (stderr, status) = try await Self.report(fault, script)
      #expect(stderr == "")
      #expect(status == .success)
    }
  }

  @Test func `no more can live on than there were`() async throws {
    let (stderr, status) = try await Self.report("leaks-many", "")
    #expect(
      stderr == "vmhost: 1 instance of broken lives on after it was closed: a retain cycle?\n")
    #expect(status == .success)
  }

  // MARK: Test runs

  private static let head = "vmt 1\n@plugin confinedfixture.so\n"
  private static let leak = head + "@open confined.leaky\n> tap\n< done\n"

  @Test func `a test run tells of all its transcripts, and they pass`() async throws {
    try await TestFolder.with([
      "a.vmt": Self.leak, "b.vmt": Self.leak,
      "c.vmt": Self.head + "@open confined.leaky {\"leaks\":false}\n> tap\n< done\n",
    ]) { folder in
      let output = try await folder.test([".", "--step-timeout", "60s"])
      #expect(output.stdout == "3 passed in TIME\n")
      #expect(
        Self.notices(output.stderr) == """
          vmhost: 2 instances of confined.leaky live on after they were closed, in 2 transcripts: \
          a retain cycle?

          """)
      #expect(output.status == .success)
    }
  }

  // MARK: Slow inputs

  @Test func `tests take out what depends on the machine, and nothing else`() {
    let kept = "vmhost: the input took 3 ms.\n"
    let output = ChildProcess.Output(
      stdoutBytes: [],
      stderrBytes: Array(
        """
        vmhost: echo: "say" took 223 ms.
        \(kept)vmhost: kit.effects: the reply to "storage.get" took 157 ms.

        """.utf8), status: .success)
    #expect(output.asOnFastMachine.stderr == kept)
  }

  private static let slow =
    ["run", "confinedfixture.so", "--view-model", "confined.slow"] + Arguments.text
    + ["--step-timeout", "60s"]

  /// What is on standard error, without the progress and the times.
  private static func notices(_ text: String) -> String {
    withoutTimes(text).split(separator: "\n").filter { !$0.hasPrefix("[") }
      .map { "\($0)\n" }.joined()
  }

  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/took \d+ ms/, with: "took TIME")
  }

  @Test(arguments: [[], ["--timings"]])
  func `an input that keeps the process is told, once a session`(
    _ more: [String]
  ) async throws {
    let output = try await VMHostRun.output(
      Self.slow + more, .text("> quick\n> busy 400\n> quick\n> asleep 400\n> busy 400\n"),
      showsSlowSteps: true)
    let notices = Self.withoutTimes(output.stderr).split(separator: "\n").filter {
      $0.hasSuffix("took TIME.")
    }
    #expect(
      notices == [
        "vmhost: confined.slow: \"busy\" took TIME.",
        "vmhost: confined.slow: \"asleep\" took TIME.",
      ])
    #expect(output.stdout == String(repeating: "< done\n", count: 5))
    #expect(output.status == .success)
  }

  @Test func `a test run tells of each input once, and its transcripts pass`() async throws {
    let slow = Self.head + "@open confined.slow\n> busy 400\n< done\n> quick\n< done\n"
    try await TestFolder.with(["a.vmt": slow, "b.vmt": slow]) { folder in
      let output = try await folder.test(
        [".", "--step-timeout", "60s"], showsSlowSteps: true)
      #expect(output.stdout == "2 passed in TIME\n")
      #expect(Self.notices(output.stderr) == "vmhost: confined.slow: \"busy\" took TIME.\n")
      #expect(output.status == .success)
    }
  }

  @Test func `timings show each step, and a table of all`() async throws {
    let output = try await VMHostRun.output(
      Self.slow + ["--timings"], .text("> quick\n> quick\n> quick\n"))
    #expect(output.stdout == "< done\n< done\n< done\n")
    let lines = output.stderr.replacing(/\d+\.\d{3} ms/, with: "TIME").split(separator: "\n")
    let step = "vmhost: TIME confined.slow"
    #expect(
      Array(lines.prefix(5)) == ["\(step) (opening)"]
        + Array(repeating: "\(step) quick", count: 3) + ["\(step) (closing)"])
    #expect(lines.count == 9)
    let table = lines.dropFirst(5).map { $0.split(separator: " ").joined(separator: " ") }
    #expect(table.first == "max median count step")
    #expect(
      Set(table.dropFirst()) == [
        "TIME TIME 3 confined.slow quick", "TIME TIME 1 confined.slow (opening)",
        "TIME TIME 1 confined.slow (closing)",
      ])
  }

  // MARK: The document

  @Test func `the document says what is said`() throws {
    let page = try Repository.text("Documentation/Mistakes.md")
    let sections = page.components(separatedBy: "\n## ")
    let section = try #require(sections.first { $0.hasPrefix("Leaks and slow handlers\n") })
    for words in [
      "3 instances of cart.list live on after they were closed: a retain cycle?",
      "cart.list: \"didSearch\" took 240 ms.",
    ] {
      #expect(section.contains("| \(words) |"))
    }
  }
}
