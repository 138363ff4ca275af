import HostCore
import TestSupport
import Testing

@testable import vmhost

/// What `vmhost test` says of each transcript, and how it ends.
struct TestVerdictTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let verdict: Verdict
    let status: Int32
    let transcript: String
    var options: [String] = []
    let stdout: String

    var testDescription: String { verdict.rawValue }
  }

  private static let cases = [
    Case(verdict: .passed, status: 0, transcript: Sample.passed, stdout: "1 passed in TIME\n"),
    Case(
      verdict: .unverified, status: 0, transcript: Sample.unverified,
      stdout: """
        a.vmt expects nothing, so nothing was compared. "--update" fills in the expectations.
        1 unverified in TIME

        """),
    Case(
      verdict: .failed, status: 1, transcript: Sample.failed,
      stdout: """
        failed: a.vmt:5: expected < said 2, found < said 1
        the step at a.vmt:4: > say 1
        - expected (the transcript)   + found (this run)
        - < said 2
        + < said 1

        1 failed in TIME

        """),
    Case(
      verdict: .failed, status: 1, transcript: Sample.faulty,
      stdout: """
        failed: a.vmt:4: faults failed in "throwNow": "thrown now"

        logged and printed up to line 4:
          line 4: > throwNow
            # error from faults: "\\"throwNow\\" failed: thrown now"

        1 failed in TIME

        """),
    Case(
      verdict: .invalid, status: 2, transcript: Sample.invalid,
      stdout: """
        invalid: a.vmt:2: there is no directive @plugn. Did you mean "@plugin"?
          2 | @plugn echo.so
            | ^

        1 invalid in TIME

        """),
    Case(
      verdict: .crashed, status: 6, transcript: Sample.crashed,
      stdout: """
        crashed: a.vmt:17: brokenfixture.so crashed with signal 11 (Segmentation fault) while it \
        handled the input "go".

        1 crashed in TIME

        """),
    Case(
      verdict: .crashed, status: 6, transcript: Sample.brokenContract,
      stdout: """
        crashed: a.vmt:17: brokenfixture.so broke its contract at the input "go": broken (broken): \
        it emitted an event of kind 99.

        1 crashed in TIME

        """),
    Case(
      verdict: .timedOut, status: 6, transcript: Sample.hung, options: ["--step-timeout", "300ms"],
      stdout: """
        timed out: a.vmt:17: brokenfixture.so hangs: it did not return within 300ms while it \
        handled the input "go".

        1 timed out in TIME

        """),
    Case(
      verdict: .timedOut, status: 6, transcript: Sample.endless, options: ["--timeout", "200ms"],
      stdout: """
        timed out: a.vmt: it takes longer than 200ms. "--timeout" gives it more.

        1 timed out in TIME

        """),
    Case(
      verdict: .nondeterministic, status: 5, transcript: Sample.nondeterministic,
      options: ["--repeat", "3"],
      stdout: """
        nondeterministic: a.vmt:4: run 2 of 3 emitted something else than the first one in the \
        step of this line.

        1 nondeterministic in TIME

        """),
  ]

  @Test(arguments: cases)
  func `says what is wrong once, and ends with its status`(_ each: Case) async throws {
    try await TestFolder.with(["a.vmt": each.transcript]) { folder in
      let output = try await folder.test(["a.vmt", "--events", "e.jsonl"] + each.options)
      #expect(output.stdout == each.stdout)
      #expect(output.stderr == "")
      #expect(output.status == .exited(each.status))
      let run = try folder.events("e.jsonl")
      #expect(run.results.map(\.verdict) == [each.verdict])
      #expect(run.end?.status == each.status)
    }
  }

  @Test func `in process, what plugins print is not mixed with what vmhost says`() async throws {
    let text = Sample.broken("print").replacing("< rang\n", with: "")
    try await TestFolder.with(["a.vmt": text, "b.vmt": Sample.failed]) { folder in
      let output = try await folder.test([".", "--in-process", "--events", "/dev/null"])
      #expect(output.stdout.hasPrefix("failed: ./b.vmt:5: expected < said 2, found < said 1\n"))
      #expect(output.summary == "1 passed, 1 failed in TIME")
      #expect(output.stderr.contains("a line that a plugin printed\n"))
      #expect(output.status == .exited(1))
    }
  }

  @Test func `in process, a plugin that hangs ends the run, and what there is is reported`()
    async throws
  {
    let files = ["a.vmt": Sample.failed, "b.vmt": Sample.hung, "c.vmt": Sample.passed]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(
        [
          ".", "--in-process", "--step-timeout", "100ms", "--events", "e.jsonl", "--junit", "j.xml",
        ])
      let words = """
        the plugin "broken" hangs: it did not return from the input "go" of broken within 100ms.
        """
      #expect(output.stdout.hasPrefix("failed: ./a.vmt:5: expected < said 2, found < said 1\n"))
      #expect(output.stdout.contains("\ntimed out: ./b.vmt: \(words)\n"), "\(output.stdout)")
      #expect(
        output.stdout.contains(
          "\nincomplete: stopped after 2 of 3 transcripts: with --in-process nothing can end a"
            + " plugin that hangs.\n"))
      #expect(output.summary == "1 failed, 1 timed out in TIME")
      #expect(output.status == .exited(6))
      let run = try folder.events("e.jsonl")
      #expect(run.results.map(\.path) == ["./a.vmt", "./b.vmt"])
      #expect(run.end?.status == 6)
      #expect(try folder.text("j.xml").contains("did not return"))
    }
  }

  @Test func `says where it looked for a plugin that isn't there`() async throws {
    try await TestFolder.with(["a.vmt": Sample.notLoaded]) { folder in
      let output = try await folder.test(["a.vmt"])
      let words = "not loaded: a.vmt:2: Could not load \"nosuch.so\": not found. Looked for "
      #expect(output.stdout.hasPrefix(words))
      #expect(output.stdout.hasSuffix("\n\n1 not loaded in TIME\n"))
      #expect(output.status == .exited(3))
    }
  }

  private static let all = [
    "2-invalid": Sample.invalid, "3-not-loaded": Sample.notLoaded, "6-crashed": Sample.crashed,
    "5-nondeterministic": Sample.nondeterministic, "1-failed": Sample.failed,
    "0-passed": Sample.passed, "0-unverified": Sample.unverified,
  ]

  /// Those whose names begin with these digits; what is first decides.
  @Test(arguments: [[2, 3, 6, 5, 1, 0], [3, 6, 5, 1, 0], [6, 5, 1, 0], [5, 1, 0], [1, 0], [0]])
  func `of several the worst decides`(_ kinds: [Int32]) async throws {
    let chosen = Self.all.filter { each in kinds.contains { each.key.hasPrefix("\($0)") } }
    let files = Dictionary(uniqueKeysWithValues: chosen.map { ("\($0).vmt", $1) })
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--repeat", "2", "--events", "e.jsonl"])
      #expect(output.status == .exited(kinds[0]))
      let run = try folder.events("e.jsonl")
      #expect(run.results.count == files.count)
      #expect(run.end?.status == kinds[0])
      for result in run.results {
        #expect(result.path.hasSuffix("-\(result.verdict.rawValue).vmt"), "\(result)")
      }
    }
  }

  @Test(arguments: [
    ("crash-in-send", [String](), "crashed"), ("unknown-kind", [], "crashed"),
    ("hang-in-send", ["--step-timeout", "2s"], "timed out"),
  ])
  func `a worker that broke is replaced, and what follows passes`(
    _ fault: String, _ options: [String], _ words: String
  ) async throws {
    let files = [
      "a.vmt": Sample.broken(""), "b.vmt": Sample.broken(fault), "c.vmt": Sample.broken(""),
      "d.vmt": Sample.failed, "e.vmt": Sample.passed,
    ]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(["."] + options + ["--jobs", "1"])
      #expect(output.summary == "3 passed, 1 failed, 1 \(words) in TIME")
      #expect(output.status == .exited(6))
    }
  }

  @Test func `shows ten differences of a transcript and counts the others`() async throws {
    let steps = (0..<13).map { "> say \($0)\n< said -1\n" }.joined()
    try await TestFolder.with(["a.vmt": "vmt 1\n@plugin echo.so\n@open echo\n" + steps]) { folder in
      let output = try await folder.test(["a.vmt", "--junit", "j.xml"])
      for number in 0..<10 { #expect(output.stdout.contains("\n+ < said \(number)\n")) }
      #expect(!output.stdout.contains("said 10\n"))
      #expect(output.stdout.contains("+ < said 9\n\n… 3 more failures of this transcript\n\n"))
      #expect(!output.stdout.contains("\n\n\n"))
      #expect(try folder.text("j.xml").contains("… 3 more failures of this transcript"))
    }
  }
}
