import TestSupport
import Testing

@testable import vmhost

/// Tags, and the list of what would be played.
struct TestTagsTests {
  private static func echo(_ lines: String) -> String {
    Sample.passed.replacing("vmt 1\n", with: "vmt 1\n\(lines)")
  }

  private static let files = [
    "t/a.vmt": Sample.passed,
    "t/b.vmt": echo("@tags slow network\n"),
    "t/c.vmt": echo("@tags größe\n# why\n@tags größe slow\n"),
    "t/d.vmt": echo("@skip waits for a server\n@tags network\n"),
    "t/e.vmt": "vmt 1\n@tgas slow\n@plugin echo.so\n",
  ]

  @Test(arguments: [
    ([], "abcde"),
    (["--tag", "slow"], "bce"),
    (["--tag", "gro\u{308}ße"], "ce"),
    (["--tag", "network", "--tag", "größe"], "bcde"),
    (["--exclude-tag", "slow"], "ade"),
    (["--exclude-tag", "slow", "--exclude-tag", "network"], "ae"),
    (["--tag", "slow", "--exclude-tag", "network"], "ce"),
    (["--tag", "slow", "--filter", "[a-c]"], "bc"),
    (["--tag", "slow", "--exclude", "e"], "bc"),
    (["--tag", "network", "--shard", "1/1"], "bde"),
  ])
  func `choose transcripts, and never hide a mistake before the first step`(
    _ options: [String], _ expected: String
  ) async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t", "--list"] + options)
      let marks = ["t/d.vmt": "  # skipped: waits for a server"]
      let paths = expected.map { "t/\($0).vmt" }
      #expect(output.stdout == paths.map { "\($0)\(marks[$0] ?? "")\n" }.joined())
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test(
    arguments: [
      (
        ["--tag", "slwo"], 4,
        "--tag: of 5 transcripts, none has the tag \"slwo\". Did you mean \"slow\"?"
      ),
      (
        ["--tag", "slow", "--tag", "zzz"], 4,
        "--tag: of 5 transcripts, none has the tag \"zzz\". There are: \"größe\", \"network\","
          + " \"slow\"."
      ),
      (
        ["--filter", "a", "--tag", "slow"], 4,
        "--tag: of 1 transcript, none has the tag \"slow\". None has tags; a line such as"
          + " \"@tags slow\" adds one."
      ),
      (
        ["--filter", "b", "--exclude-tag", "slow"], 4, "--exclude-tag leaves none of 1 transcript."
      ),
      (["--tag", ""], 4, "--tag: of 5 transcripts, none has the tag \"\". There are: \"größe\","),
    ] as [([String], Int32, String)])
  func `that nothing has are an error`(
    _ options: [String], _ status: Int32, _ message: String
  ) async throws {
    try await TestFolder.with(Self.files) { folder in
      for arguments in [["t"], ["t", "--list"]] {
        let output = try await folder.test(arguments + options)
        #expect(output.stdout == "")
        #expect(output.stderr.hasPrefix("vmhost: \(message)"), "\(output.stderr)")
        #expect(output.status == .exited(status))
      }
    }
  }

  @Test func `and paths that exclude nothing are only told`() async throws {
    try await TestFolder.with(Self.files.filter { $0.key < "t/c" }) { folder in
      let output = try await folder.test(["t", "--exclude-tag", "slwo", "--exclude", "t/ab"])
      #expect(
        output.complaints == """
          vmhost: --exclude: of 2 transcripts, none matches "t/ab". Did you mean "t/a"?
          vmhost: --exclude-tag: of 2 transcripts, none has the tag "slwo". Did you mean "slow"?
          """)
      #expect(output.summary == "2 passed in TIME")
    }
  }

  // MARK: The list

  @Test func `a list as JSON Lines has the tags and the reasons`() async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t", "--list=jsonl"])
      #expect(
        output.stdout == """
          {"kind":"transcript","path":"t/a.vmt","tags":[]}
          {"kind":"transcript","path":"t/b.vmt","tags":["slow","network"]}
          {"kind":"transcript","path":"t/c.vmt","tags":["größe","slow"]}
          {"kind":"transcript","path":"t/d.vmt","tags":["network"],"skip":"waits for a server"}
          {"kind":"transcript","path":"t/e.vmt","tags":[]}

          """)
    }
  }

  @Test func `a list plays nothing, and writes no report`() async throws {
    try await TestFolder.with(["a.vmt": Sample.hung]) { folder in
      let output = try await folder.test(
        ["a.vmt", "--list", "--junit", "j.xml", "--events", "e.jsonl", "--port-coverage-file", "c"])
      #expect(output.stdout == "a.vmt\n")
      #expect(try folder.names() == ["a.vmt"])
    }
  }

  @Test func `lists of shards and of those that failed are what these play`() async throws {
    let names = (0..<5).map { "t/\($0).vmt" }
    let files = Dictionary(
      uniqueKeysWithValues: names.map { ($0, $0 == "t/3.vmt" ? Sample.failed : Sample.passed) })
    try await TestFolder.with(files) { folder in
      var listed: [String] = []
      for index in 1...7 {
        let shard = ["t", "--shard", "\(index)/7"]
        let output = try await folder.test(shard + ["--list"])
        let paths = output.stdout.split(separator: "\n").map(String.init)
        _ = try await folder.test(shard + ["--events", "e.jsonl"])
        #expect(try folder.events("e.jsonl").results.map(\.path) == paths)
        let isEmpty =
          output.stderr == "vmhost: Shard \(index)/7 is empty: the run has 5 transcripts.\n"
        #expect(isEmpty == paths.isEmpty)
        #expect(output.status == .success)
        listed += paths
      }
      #expect(listed.sorted() == names)
      let environment = ["XDG_CACHE_HOME": folder.file("cache")]
      _ = try await folder.test(["t"], environment: environment)
      let failed = try await folder.test(
        ["t", "--last-failed", "--list"], environment: environment)
      #expect(failed.stdout == "t/3.vmt\n")
    }
  }

  @Test func `a list lets no file steer the terminal`() async throws {
    let skipping = Self.echo("@skip a\u{9b}b\n")
    try await TestFolder.with(["\u{1b}[2J.vmt": skipping]) { folder in
      for list in ["--list", "--list=jsonl"] {
        let output = try await folder.test([".", list])
        // JSON has escapes for only some control characters.
        let unsafe: Set<Unicode.Scalar> = list == "--list" ? ["\u{1b}", "\u{9b}"] : ["\u{1b}"]
        #expect(unsafe.isDisjoint(with: output.stdout.unicodeScalars), "\(output.stdout)")
        #expect(output.stdout.split(separator: "\n").count == 1)
      }
    }
  }
}
