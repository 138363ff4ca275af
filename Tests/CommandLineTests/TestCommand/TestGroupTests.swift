import TestSupport
import Testing

@testable import vmhost

/// Equal differences of many transcripts, which `vmhost test` shows once.
struct TestGroupTests {
  /// Transcripts with one change, the last of them with another one too.
  static func files(_ count: Int) -> [String: String] {
    let one = """
      vmt 1
      @plugin echo.so
      # What is said comes back.
      @open echo
      > say 1
      < said 2

      # The end.
      """
    var files: [String: String] = [:]
    for index in 0..<count { files["t/\(1000 + index).vmt"] = one + "\n" }
    files["t/\(1000 + count - 1).vmt"] = one + "\n> say 3\n< said 4\n> say 1\n< said 2\n"
    return files
  }

  @Test func `300 transcripts with one change fit one screen`() async throws {
    var files = Self.files(301)
    files["t/1300.vmt"] = nil
    try await TestFolder.with(files) { folder in
      let terminal = try folder.terminal(["t", "--events", "e.jsonl", "--junit", "j.xml"])
      #expect(try terminal.waitForExit() == .status(1))
      #expect(
        terminal.screen.lines.dropLast() == [
          "failed: t/1000.vmt:6: expected < said 2, found < said 1",
          "the step at t/1000.vmt:5: > say 1",
          "- expected (the transcript)   + found (this run)", "- < said 2", "+ < said 1", "",
          "The same in 299 more transcripts (-v shows all).", "",
        ])
      #expect(terminal.screen.lines.last?.hasPrefix("300 failed in ") == true)
      // The reports have each of them.
      let results = try folder.events("e.jsonl").results
      #expect(results.count == 300)
      #expect(results.allSatisfy { $0.details.contains("+ < said 1") })
      #expect(try folder.text("j.xml").split(separator: "<failure ").count == 301)
    }
  }

  @Test func `a transcript with a change of its own is shown with that one`() async throws {
    try await TestFolder.with(Self.files(4)) { folder in
      let output = try await folder.test(["t"])
      #expect(
        output.stdout == """
          failed: t/1000.vmt:6: expected < said 2, found < said 1
          the step at t/1000.vmt:5: > say 1
          - expected (the transcript)   + found (this run)
          - < said 2
          + < said 1

          failed: t/1003.vmt:10: expected < said 4, found < said 3
          the step at t/1003.vmt:9: > say 3
          - expected (the transcript)   + found (this run)
          - < said 4
          + < said 3

          The same in 2 more transcripts (-v shows all).

          FAILED  t/1000.vmt:6  expected < said 2, found < said 1 (the same in 3 more transcripts)

          4 failed in TIME

          """)
      let one = try await folder.test(["t/1003.vmt"])
      #expect(one.stdout.contains("+ < said 1\n… the same in 1 more step\n\nt/1003.vmt:10: "))
    }
  }

  @Test func `shows all of them if asked to`() async throws {
    try await TestFolder.with(Self.files(40)) { folder in
      for option in ["-v", "--verbose"] {
        let output = try await folder.test(["t", option])
        #expect(output.stdout.split(separator: "\nfailed: t/").count == 40)
        #expect(output.stdout.split(separator: "\nFAILED  t/").count == 41)
        #expect(!output.stdout.contains("The same"))
      }
    }
  }

  @Test func `failures without a difference are alike by what they say`() async throws {
    let files = [
      "a.vmt": Sample.crashed, "b.vmt": Sample.crashed, "c.vmt": Sample.invalid,
      "d.vmt": "vmt 1\n# One line more.\n@plugn echo.so\n", "e.vmt": Sample.faulty,
      "f.vmt": Sample.faulty,
    ]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(["."])
      for (name, isShown) in [
        ("a", true), ("b", false), ("c", true), ("d", false), ("e", true), ("f", false),
      ] {
        #expect(output.stdout.contains(": ./\(name).vmt:") == isShown, "\(name)")
      }
      #expect(output.stdout.contains("\nThe same in 3 more transcripts (-v shows all).\n"))
      #expect(output.status == .exited(2))
    }
  }

  @Test func `an update shows equal changes once, and makes all of them`() async throws {
    try await TestFolder.with(Self.files(4)) { folder in
      let output = try await folder.test(["t", "--update"])
      #expect(output.stdout.split(separator: "\nupdated: ").count == 3)
      #expect(output.summary == "4 updated in TIME")
      #expect(try await folder.test(["t"]).summary == "4 passed in TIME")
    }
  }

  // MARK: The list of changes

  static let list = """
    change 1 of 2, at t/1000.vmt:6 and in 4 more transcripts
    3 | # What is said comes back.
    4 | @open echo
    5 | > say 1
    - expected (the transcript)   + found (this run)
    - < said 2
    + < said 1
    7 |
    8 | # The end.
    in t/1000.vmt:6, t/1001.vmt:6, t/1002.vmt:6, and 2 more (-v shows all)

    change 2 of 2, at t/1004.vmt:10
     7 |
     8 | # The end.
     9 | > say 3
    - expected (the transcript)   + found (this run)
    - < said 4
    + < said 3
    11 | > say 1
    12 | < said 2


    """

  @Test func `lists the changes, and writes nothing`() async throws {
    let files = Self.files(5)
    try await TestFolder.with(files) { folder in
      for environment in [[:], ["CI": "true"]] {
        let output = try await folder.test(["t", "--list-changes"], environment: environment)
        #expect(output.stdout == Self.list + "5 failed in TIME\n")
        #expect(output.complaints == "")
        #expect(output.status == .exited(1))
      }
      let all = try await folder.test(["t", "--list-changes", "-v"])
      #expect(all.stdout.contains("\nin t/1000.vmt:6, t/1001.vmt:6, t/1002.vmt:6, t/1003.vmt:6, "))
      for (name, text) in files { #expect(try folder.text(name) == text) }
    }
  }

  @Test func `lists beside the changes what else is wrong`() async throws {
    let files = ["a.vmt": Sample.failed, "b.vmt": Sample.crashed, "c.vmt": Sample.unverified]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--list-changes"])
      #expect(output.stdout.hasPrefix("crashed: ./b.vmt:17: brokenfixture.so crashed "))
      #expect(output.stdout.contains("\n\nchange 1 of 2, at ./a.vmt:5\n"))
      #expect(output.stdout.contains("\n\nchange 2 of 2, at ./c.vmt:4\n"))
      #expect(output.summary == "1 unverified, 1 failed, 1 crashed in TIME")
      #expect(output.status == .exited(6))
    }
  }
}
