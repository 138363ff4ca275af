import Foundation
import TestSupport
import Testing

/// What stands where in the files that are tested, and what becomes of it.
@Suite struct TestFileTests {
  private static let effects = "vmt 1\n@plugin kitfixture.so\n@open kit.effects\n"

  @Test func `an update leaves stored values directly behind their step`() async throws {
    try await TemporaryDirectory.with { folder in
      let script = Self.effects + "> storageGet \"k\"\n@storage k {\n    \"a\": 1\n  }\n"
      let path = try folder.write(script, to: "a.vmt")
      let update = try await VMHostRun.output(["test", "--update", path])
      #expect(update.status == .success, "\(update.stdout)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == script + "< result \"{\\\"a\\\":1}\"\n")
      #expect(try await VMHostRun.output(["test", path]).status == .success)
    }
  }

  @Test func `a step doesn't see what is stored behind what it emits`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write(
        Self.effects + "@storage k 5\n> storageGet \"k\"\n< result \"5\"\n@storage k 6\n"
          + "> storageGet \"k\"\n< result \"6\"\n", to: "a.vmt")
      for mode in [[], ["--in-process"]] {
        let output = try await VMHostRun.output(["test", path] + mode)
        #expect(output.status == .success, "\(output.stdout)")
      }
    }
  }

  @Test(arguments: [
    ("{\"kind\":\"open\",\"viewModel\":\"echo\"}\n@seed 5\n", Int32(2)),
    ("{\"kind\":\"open\",\"viewModel\":\"echo\"}\n", Int32(0)),
  ])
  func `steps in JSON are judged alike by a worker and the host`(
    open: String, status: Int32
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write(
        "vmt 1\n@plugin echo.so\n" + open + "> say 1\n< said 1\n", to: "a.vmt")
      for mode in [[], ["--in-process"]] {
        let output = try await VMHostRun.output(["test", path] + mode)
        #expect(output.status == .exited(status), "\(output.stdout)")
      }
    }
  }

  @Test func `a secret is known by a config in JSON, too`() async throws {
    let text = try Repository.text("Tests/Transcripts/movies/list-search.vmt")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("@open ") })
    let config = try #require(line.firstIndex(of: "{"))
    let open = #"{"kind":"open","viewModel":"movies.list","config":"# + line[config...] + "}"
    try await TemporaryDirectory.with { folder in
      let path = try folder.write(text.replacing(line, with: open), to: "a.vmt")
      let output = try await VMHostRun.output(["test", path])
      #expect(output.status == .success, "\(output.stdout)")
    }
  }

  @Test func `a patch names files from a folder of any name`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(
        "vmt 1\n@plugin echo.so\n@open echo\n> say 1\n", to: "üü/sub/x.vmt")
      let output = try await VMHostRun.output(
        ["test", "--update=patch", "sub/x.vmt"], workingDirectory: folder.file("üü"))
      #expect(output.stdout.hasPrefix("--- a/sub/x.vmt\n+++ b/sub/x.vmt\n"), "\(output.stdout)")
    }
  }

  @Test func `what an update mended has not failed last`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write(
        "vmt 1\n@plugin echo.so\n@open echo\n> say 1\n< said 2\n", to: "a.vmt")
      let cache = ["XDG_CACHE_HOME": folder.file("cache")]
      func test(_ options: String...) async throws -> ChildProcess.Output {
        try await VMHostRun.output(["test", path] + options, environment: cache)
      }
      #expect(try await test().status == .exited(1))
      #expect(try await test("--update").status == .success)
      let output = try await test("--last-failed")
      #expect(output.stderr.contains("none"), "\(output.stderr)")
      #expect(output.status == .success)
    }
  }

  @Test func `an update keeps the line breaks of a file without the last one`() async throws {
    try await TemporaryDirectory.with { folder in
      let lines = ["vmt 1", "@plugin echo.so", "@open echo", "> say 1", "< said 2"]
      let path = try folder.write(lines.joined(separator: "\r\n"), to: "a.vmt")
      #expect(try await VMHostRun.output(["test", "--update", path]).status == .success)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == (lines.dropLast() + ["< said 1", ""]).joined(separator: "\r\n"))
    }
  }

  @Test func `what is edited while it is played is kept`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("a.vmt")
      let text = """
        vmt 1
        @plugin hostilefixture.so
        @open acting {"act":"send:write-file:\(path)"}
        > go
        < count "not this"

        """
      try folder.write(text, to: "a.vmt")
      let output = try await VMHostRun.output(["test", "--update", "--in-process", path])
      #expect(
        output.stdout.contains("not updated: \(path): it was changed during the run.\n"),
        "\(output.stdout)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text + "x")
    }
  }

  @Test func `a crash that only a repetition has is seen`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write(
        "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n> globals\n"
          + "< saw \"1\"\n> crashIfVaried\n", to: "a.vmt")
      #expect(try await VMHostRun.output(["test", path]).status == .success)
      let output = try await VMHostRun.output(["test", "--repeat", "2", path])
      #expect(
        output.stdout.hasPrefix(
          "nondeterministic: \(path):6: run 2 of 2 crashed, as the first one did not: "),
        "\(output.stdout)")
      #expect(output.status == .exited(5))
    }
  }

  @Test func `many jobs need no more files than a process may ever open`() async throws {
    let count = try FileManager.default
      .subpathsOfDirectory(atPath: "\(Repository.root())/Tests/Transcripts")
      .count { $0.hasSuffix(".vmt") }
    try #require(count > 16)
    let command =
      "ulimit -Sn 64 && exec '\(try BuildProducts.executable("vmhost"))' test --jobs 16"
      + " Tests/Transcripts"
    let output = try await ChildProcess.run(
      "/bin/sh", ["-ec", command], environment: VMHostRun.environment,
      workingDirectory: Repository.root(), within: .seconds(300))
    #expect(output.lines.last?.hasPrefix("\(count) passed in ") == true, "\(output.stdout)")
  }
}
