import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// Transcripts that `vmhost test --update` rewrites, or doesn't.
struct TestUpdateTests {
  static let old = """
    vmt 1
    # A comment that stays.

    @plugin echo.so
    @open echo
    >  say   1
    # Between a step and its lines.
    < said 2

    > say {"b":1, "a":2}
    <  said {"a":2,"b":1.0}

    # What comes at the end.
    > say 3
    < said 4
    < said 5

    """
  static let new =
    old
    .replacing("< said 2\n", with: "< said 1\n")
    .replacing("< said 4\n< said 5\n", with: "< said 3\n")

  @Test func `rewrites what differs and no other byte, after showing it`() async throws {
    try await TestFolder.with(["a.vmt": Self.old, "b.vmt": Sample.passed]) { folder in
      let output = try await folder.test([".", "--update"])
      #expect(
        output.stdout == """
          failed: ./a.vmt:8: expected < said 2, found < said 1
          the step at ./a.vmt:6: >  say   1
          - expected (the transcript)   + found (this run)
          - < said 2
          + < said 1

          ./a.vmt:15: expected < said 4, found < said 3 (and 1 more difference)
          the step at ./a.vmt:14: > say 3
          - expected (the transcript)   + found (this run)
          - < said 4
          + < said 3
          - < said 5
          updated: ./a.vmt

          1 passed, 1 updated in TIME

          """)
      #expect(
        output.complaints == """
          vmhost: 1 transcript was rewritten, so that nothing differs any more and the status is \
          0. Look at the differences, and run the tests again.
          """)
      #expect(output.status == .success)
      #expect(try folder.text("a.vmt") == Self.new)
      #expect(try folder.names() == ["a.vmt", "b.vmt"])
      let again = try await folder.test([".", "--update"])
      #expect(again.stdout == "2 passed in TIME\n")
      #expect(again.complaints == "")
    }
  }

  /// With handles that may be left out, and with the secret as a recording has it and as it is.
  private static let freeForms = """
    \(Transcript.broken.replacing("@open broken\n", with: "@open broken as p\n"))
    > emit "16 0 second 1\\n16 0 second \\"U0VDUkVUX2tleQ==\\""
    < p.second 1
    < p.second "SECRET_key"
    > emit "16 0 second 1\\n16 0 second \\"U0VDUkVUX2tleQ==\\"\\n16 0 second 2\\n16 0 second \
    \\"U0VDUkVUX2tleQ==\\"\\n16 0 second [\\"U0VDUkVUX2tleQ==\\",4]\\n16 0 rang"
    < p.second 1
    <  p.second   "SECRET_key"
    < second 2
    < second "U0VDUkVUX2tleQ=="
    < p.second ["SECRET_key",3]
    < p.rang

    """

  @Test func `leaves alone what only has another form, beside what differs`() async throws {
    try await TestFolder.with(["a.vmt": Self.freeForms]) { folder in
      let output = try await folder.test(["a.vmt", "--update"])
      let parts = output.stdout.split(separator: "\nthe step at ", maxSplits: 1)
      #expect(
        parts.first
          == """
          failed: a.vmt:15: expected < p.second ["SECRET_key",3], found < p.second ["SECRET_key",4]
          """)
      #expect(
        parts.last?.drop { $0 != "\n" } == """

          - expected (the transcript)   + found (this run)
            < p.second 1
            < p.second "SECRET_key"
            < second 2
            < second "U0VDUkVUX2tleQ=="
          - < p.second ["SECRET_key",3]
          + < p.second ["SECRET_key",4]
            < p.rang
          updated: a.vmt

          1 updated in TIME

          """)
      #expect(output.status == .success)
      #expect(try folder.text("a.vmt") == Self.freeForms.replacing("3]", with: "4]"))
      #expect(try await folder.test(["a.vmt"]).stdout == "1 passed in TIME\n")
    }
  }

  @Test func `fills in what a script emits`() async throws {
    try await TestFolder.with(["a.vmt": Sample.unverified]) { folder in
      let output = try await folder.test(["a.vmt", "--update", "--events", "e.jsonl"])
      #expect(
        output.stdout == """
          unverified: a.vmt
          the step at a.vmt:4: > say 1
          - expected (the transcript)   + found (this run)
          + < said 1
          filled in: a.vmt

          1 filled in, in TIME

          """)
      #expect(output.status == .success)
      #expect(try folder.text("a.vmt") == Sample.passed)
      #expect(try folder.events("e.jsonl").results.map(\.verdict) == [.unverified])
      #expect(try await folder.test(["a.vmt"]).stdout == "1 passed in TIME\n")
    }
  }

  @Test func `a script that emits nothing stays unverified`() async throws {
    try await TestFolder.with(["a.vmt": "vmt 1\n@plugin echo.so\n@open echo\n"]) { folder in
      let output = try await folder.test(["a.vmt", "--update"])
      #expect(
        output.stdout == """
          a.vmt expects nothing, so nothing was compared.
          1 unverified in TIME

          """)
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test func `keeps line ends of either kind`() async throws {
    let mixed = Self.old.replacing("lines.\n", with: "lines.\r\n")
    try await TestFolder.with(["a.vmt": mixed]) { folder in
      _ = try await folder.test(["a.vmt", "--update"])
      // What is put after a line ends as that line does.
      let expected = Self.new.replacing("lines.\n< said 1\n", with: "lines.\r\n< said 1\n")
      #expect(try folder.text("a.vmt") == expected)
    }
    let all = Self.old.replacing("\n", with: "\r\n")
    try await TestFolder.with(["a.vmt": all]) { folder in
      _ = try await folder.test(["a.vmt", "--update"])
      #expect(try folder.text("a.vmt") == Self.new.replacing("\n", with: "\r\n"))
    }
  }

  @Test func `keeps the rights of a file, and a link to it`() async throws {
    try await TestFolder.with(["real/a.vmt": Sample.failed]) { folder in
      #expect(unsafe chmod(folder.file("real/a.vmt"), 0o640) == 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("link.vmt"), withDestinationPath: "real/a.vmt")
      let output = try await folder.test(["link.vmt", "--update"])
      #expect(output.status == .success)
      #expect(try Files.target(ofLink: folder.file("link.vmt")) == "real/a.vmt")
      #expect(try folder.text("real/a.vmt") == Sample.passed)
      #expect(try folder.names("real") == ["a.vmt"])
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("real/a.vmt"))
      #expect(attributes[.posixPermissions] as? Int == 0o640)
    }
  }

  @Test func `fills in a request whose answer is still to be written`() async throws {
    let script =
      "vmt 1\n@plugin movies.so\n@open movies.list {\"source\":\"tmdb\"}\n"
      + "> didSearch \"x\"\n"
    try await TestFolder.with(["a.vmt": script]) { folder in
      let output = try await folder.test(["a.vmt", "--update"])
      #expect(
        output.stdout.hasPrefix(
          """
          failed: a.vmt:4: left over: request 1 of list, "http", is still open at the end. Answer \
          it with "! 1 …".

          a.vmt:3: found < items [], which no line expects (and 5 more differences)

          """))
      #expect(
        output.stdout.hasSuffix(
          """
          filled in: a.vmt, but it still fails.
          * nothing answers request 1 yet.

          FAILED  a.vmt:4  left over: request 1 of list, "http", is still open at the end. Answer \
          it with "! 1 …".

          1 failed in TIME

          """))
      #expect(
        output.stderr == """
          vmhost: 1 transcript was rewritten, and the status is that of the remaining failures. \
          Look \
          at the differences, and run the tests again.

          """)
      #expect(output.status == .exited(1))
      let text = try folder.text("a.vmt")
      #expect(text.hasPrefix(script.replacing("> didSearch \"x\"\n", with: "< items []\n")))
      #expect(text.contains("\n? 1 http {\n"))
      // With the answer it is whole.
      try folder.folder.write(text + "! 1 error {\"code\":\"offline\"}\n", to: "a.vmt")
      #expect(try await folder.test(["a.vmt", "--update"]).summary == "1 updated in TIME")
      #expect(try await folder.test(["a.vmt"]).summary == "1 passed in TIME")
    }
  }

  @Test func `leaves alone what somebody changed meanwhile`() async throws {
    try await TestFolder.with(["a.vmt": Sample.hung, "b.vmt": Sample.failed]) { folder in
      let child = try VMHostRun.start(
        ["test", ".", "--update", "--jobs", "2", "--step-timeout", "3s"],
        workingDirectory: folder.path)
      // The second one is played, and waits for the first to be shown.
      try child.waitForStderr(containing: "[1/2]")
      let changed = Sample.failed + "# Another line.\n"
      try folder.folder.write(changed, to: "b.vmt")
      let output = TestFolder.Output(try child.wait(closingInput: false))
      #expect(
        output.stdout.contains(
          "\nnot updated: ./b.vmt: it was changed during the run.\n"))
      #expect(output.status == .exited(6))
      #expect(try folder.text("b.vmt") == changed)
    }
  }

  private static let whole = "nothing is accepted from a run that didn't reach its end."

  @Test(
    arguments: [
      ("crashed", Sample.crashed, [], 6, whole), ("broken", Sample.brokenContract, [], 6, whole),
      ("hung", Sample.hung, ["--step-timeout", "2s"], 6, whole),
      ("invalid", Sample.invalid, [], 2, whole), ("lost", Sample.notLoaded, [], 3, whole),
      ("faulty", Sample.faulty, [], 1, "a step failed with a fault."),
      (
        "by chance", Sample.nondeterministic, [], 5,
        "lines that differ from run to run are not accepted."
      ),
      (
        "by chance, with lines", Sample.nondeterministic + "< saw \"another order\"\n",
        ["--repeat", "3"], 5, "lines that differ from run to run are not accepted."
      ),
    ] as [(String, String, [String], Int32, String)])
  func `leaves alone what failed in another way, and accepts the others`(
    _ name: String, _ transcript: String, _ options: [String], _ status: Int32, _ reason: String
  ) async throws {
    let files = ["\(name).vmt": transcript, "z.vmt": Sample.failed]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--update"] + options)
      #expect(output.stdout.contains("\nnot updated: ./\(name).vmt: \(reason)\n\n"))
      #expect(output.summary.contains(", 1 ") && output.summary.hasPrefix("1 updated, "))
      #expect(
        output.complaints == """
          vmhost: 1 transcript was rewritten, and the status is that of the remaining failures. \
          Look \
          at the differences, and run the tests again.
          """)
      #expect(output.status == .exited(status))
      #expect(try folder.text("\(name).vmt") == transcript)
      #expect(try folder.text("z.vmt") == Sample.passed)
    }
  }

  @Test(arguments: ["1", "true", "yes"], ["--update", "--update=patch"])
  func `refuses where CI is set`(_ value: String, _ option: String) async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(["a.vmt", option], environment: ["CI": value])
      #expect(output.stdout == "")
      #expect(
        output.stderr == """
          vmhost: --update: the variable CI is set, and a person must read differences before \
          they are accepted. Leave out --update in CI.

          """)
      #expect(output.status == .exited(2))
      #expect(try folder.text("a.vmt") == Sample.failed)
    }
  }

  @Test(arguments: ["", "false"])
  func `a variable CI that says no is none`(_ value: String) async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      _ = try await folder.test(["a.vmt", "--update"], environment: ["CI": value])
      #expect(try folder.text("a.vmt") == Sample.passed)
    }
  }

  @Test func `says which file it could not write, and goes on`() async throws {
    // More than a file may have under the limit that the shell sets.
    let long = Sample.failed + String(repeating: "# A comment.\n", count: 100_000)
    try await TestFolder.with(["a.vmt": long, "b.vmt": Sample.failed]) { folder in
      let output = try await ChildProcess.run(
        "/bin/sh",
        [
          "-c",
          "ulimit -f 1000; exec '\(BuildProducts.executable("vmhost"))' test . --update"
            + " --in-process",
        ],
        environment: VMHostRun.environment, workingDirectory: folder.path)
      let reason = "it could not be written: File too large."
      #expect(output.stdout.contains("+ < said 1\nnot updated: ./a.vmt: \(reason)\n\n"))
      #expect(output.lines.last?.hasPrefix("1 updated, 1 failed in ") == true)
      #expect(output.status == .exited(74))
      #expect(try folder.text("a.vmt") == long)
      #expect(try folder.text("b.vmt") == Sample.passed)
      #expect(try folder.names() == ["a.vmt", "b.vmt"])
    }
  }
}
