import Foundation
import TestSupport
import Testing

/// What `vmhost test` shows of what plugins log and print.
struct TestLogsTests {
  private static let name = "printingfixture.so"
  private static let head = "vmt 1\n@plugin \(name)\n@open printing\n"
  private static let failing =
    head + """
      > puts "one"
      < did "one"
      > quiet "two"
      < did "two"
      > both "three"
      < did "3"
      > log "four"
      < did "four"

      """
  private static let passing = head + "> puts \"one\"\n< did \"one\"\n"
  private static let crashing =
    head + "> log \"one\"\n< did \"one\"\n> crash \"two\"\n< did \"two\"\n"

  /// What is logged and printed up to the first difference of `failing`.
  private static let upToDifference = """
      line 3: @open printing
        # \(name) printed: loading
        # \(name) printed: opening
      line 4: > puts "one"
        # \(name) printed: one
      line 8: > both "three"
        # \(name) printed: three out
        # \(name) printed: three err
        # \(name) printed: three out again
        # info from printing: "three"

    """
  private static let difference = """
    failed: a.vmt:9: expected < did "3", found < did "three"
    the step at a.vmt:8: > both "three"
    - expected (the transcript)   + found (this run)
    - < did "3"
    + < did "three"


    """

  @Test func `a failed transcript shows the lines up to its first difference`() async throws {
    try await TestFolder.with(["a.vmt": Self.failing]) { folder in
      let output = try await folder.test(["a.vmt", "--junit", "j.xml"])
      let logs = "logged and printed up to line 8:\n" + Self.upToDifference
      #expect(output.stdout == Self.difference + logs + "\n1 failed in TIME\n")
      #expect(output.status == .exited(1))
      let junit = try folder.text("j.xml")
        .replacing("&quot;", with: "\"").replacing("&gt;", with: ">")
      #expect(junit.contains(logs.dropLast()), "\(junit)")
    }
  }

  @Test func `a crashed one shows those before the crash once`() async throws {
    try await TestFolder.with(["a.vmt": Self.crashing]) { folder in
      let output = try await folder.test(["a.vmt"])
      #expect(
        output.stdout == """
          crashed: a.vmt:6: \(Self.name) crashed with signal 6 (Aborted) while it handled the \
          input "crash": it called abort, and a plugin doesn't end its process; throw an error.

          logged and printed up to line 6:
            line 3: @open printing
              # \(Self.name) printed: loading
              # \(Self.name) printed: opening
            line 4: > log "one"
              # info from printing: "one"
            line 6: > crash "two"
              # \(Self.name) printed: two

          1 crashed in TIME

          """)
    }
  }

  @Test func `the addresses after a fatal error in Swift are left out`() async throws {
    let text = "vmt 1\n@plugin kitfixture.so\n@open kit.faults\n> log \"x\"\n> trap 3\n< ok\n"
    try await TestFolder.with(["a.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt"])
      let logs = output.stdout.components(separatedBy: "\n\n")[1].split(separator: "\n")
      #expect(
        logs.prefix(6) == [
          "logged and printed up to line 5:", "  line 4: > log \"x\"",
          "    # debug from faults: \"x\"", "    # info from faults: \"x\"",
          "    # warning from faults: \"x\"", "    # error from faults: \"x\"",
        ])
      #expect(logs.count == 6)
      #expect(output.stdout.contains(": Fatal error: Index out of range.\n"))
    }
  }

  @Test func `only the last lines are shown, and only the beginning of each`() async throws {
    let text = Self.head + "> flood \"1000\"\n< did \"1000\"\n> long \"300\"\n< did \"3\"\n"
    try await TestFolder.with(["a.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt"])
      let logs = output.stdout.components(separatedBy: "\n\n")[1].split(separator: "\n")
      let lines = (981...999).map { "    # \(Self.name) printed: line \($0)" }
      let long = String(repeating: "é", count: 200 - "# \(Self.name) printed: ".count)
      #expect(
        Array(logs) == ["logged and printed up to line 6:", "  … 983 earlier lines"]
          + ["  line 4: > flood \"1000\""] + lines.map { $0[...] } + ["  line 6: > long \"300\""]
          + ["    # \(Self.name) printed: \(long)… (\((300 - long.count) * 2) more bytes)"])
    }
  }

  /// One process plays all of them, and loads the plugin once.
  @Test func `with --show-logs all lines of all transcripts are shown`() async throws {
    let files = ["a.vmt": Self.failing, "b.vmt": Self.passing, "c.vmt": Self.passing]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([
        "a.vmt", "b.vmt", "c.vmt", "--show-logs", "--jobs", "1",
      ])
      let end = "  the end of the session\n    # \(Self.name) printed: closing\n\n"
      let passed = { (file: String) in
        """
        passed: \(file)
        logged and printed:
          line 3: @open printing
            # \(Self.name) printed: loading
            # \(Self.name) printed: opening
          line 4: > puts "one"
            # \(Self.name) printed: one

        """ + end
      }
      let failed =
        Self.difference + "logged and printed:\n" + Self.upToDifference
        + "  line 10: > log \"four\"\n    # info from printing: \"four\"\n" + end
      let found = output.stdout.components(separatedBy: "FAILED")[0]
      #expect(found == failed + passed("b.vmt") + passed("c.vmt"))
      #expect(output.summary == "2 passed, 1 failed in TIME")
    }
  }

  @Test func `the limit of lines is that of one transcript`() async throws {
    let text = Self.head + "> flood \"9000\"\n< did \"9000\"\n"
    try await TestFolder.with(["a.vmt": text, "b.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt", "b.vmt", "--show-logs", "--jobs", "1"])
      #expect(output.stdout.split(separator: "\n").count { $0.hasSuffix(": line 8999") } == 2)
    }
  }

  @Test func `without it those that pass show nothing`() async throws {
    try await TestFolder.with(["a.vmt": Self.passing]) { folder in
      let output = try await folder.test(["a.vmt"])
      #expect(output.stdout == "1 passed in TIME\n")
    }
  }

  @Test func `an update shows what it changes, and no logs`() async throws {
    try await TestFolder.with(["a.vmt": Self.failing]) { folder in
      let output = try await folder.test(["a.vmt", "--update"])
      #expect(!output.stdout.contains("logged and printed"), "\(output.stdout)")
      #expect(output.status == .success)
    }
  }

  @Test func `runs that print differently are not nondeterministic`() async throws {
    let text = Self.head + "> address \"one\"\n< did \"one\"\n"
    try await TestFolder.with(["a.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt", "--repeat", "3"])
      #expect(output.stdout == "1 passed in TIME\n")
    }
  }
}
