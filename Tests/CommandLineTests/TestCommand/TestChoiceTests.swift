import Basics
import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// Which transcripts `vmhost test` plays.
struct TestChoiceTests {
  private static let files = [
    "t/b.vmt": Sample.passed, "t/a.vmt": Sample.passed, "t/sub/c.vmt": Sample.passed,
    "t/other.txt": "no transcript", "t/.hidden.vmt": Sample.failed,
    "t/.git/x.vmt": Sample.failed, "named.script": Sample.passed,
  ]
  /// What such a folder prints, by the paths in it.
  private static func paths(_ arguments: [String], in folder: TestFolder) async throws -> [String] {
    let output = try await folder.test(arguments + ["--events", "e.jsonl"])
    #expect(output.status == .success, "\(output.stdout)\(output.stderr)")
    return try folder.events("e.jsonl").results.map(\.path).sorted()
  }

  @Test(arguments: [
    (["t"], ["t/a.vmt", "t/b.vmt", "t/sub/c.vmt"]),
    (["t///"], ["t/a.vmt", "t/b.vmt", "t/sub/c.vmt"]),
    (["t/sub", "t/b.vmt"], ["t/b.vmt", "t/sub/c.vmt"]),
    (["t/a.vmt", "t/a.vmt"], ["t/a.vmt"]),
    (["t/a.vmt", "./t/a.vmt", "t/../t//a.vmt"], ["t/a.vmt"]),
    (["t/sub/c.vmt", "./t"], ["./t/a.vmt", "./t/b.vmt", "t/sub/c.vmt"]),
    (["named.script"], ["named.script"]),
    (["t", "--filter", "sub"], ["t/sub/c.vmt"]),
    (["t", "--filter", "t/a", "--filter", "c.vmt"], ["t/a.vmt", "t/sub/c.vmt"]),
    (["t", "--exclude", "sub"], ["t/a.vmt", "t/b.vmt"]),
    (["t", "--exclude", "a", "--exclude", "**/c*"], ["t/b.vmt"]),
    (["t", "named.script", "--filter", "[a-m]*", "--exclude", "sub/"], ["t/a.vmt", "t/b.vmt"]),
  ])
  func `plays what it is told to, each once`(
    _ arguments: [String], _ expected: [String]
  ) async throws {
    try await TestFolder.with(Self.files) { folder in
      let paths = try await Self.paths(arguments, in: folder)
      #expect(paths == expected)
    }
  }

  @Test func `follows links to files, and none to folders`() async throws {
    try await TestFolder.with(["t/a.vmt": Sample.passed]) { folder in
      for (link, target) in [("t/up", ".."), ("t/b.vmt", "a.vmt"), ("t/lost.txt", "nowhere")] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file(link), withDestinationPath: target)
      }
      #expect(try await Self.paths(["t"], in: folder) == ["t/a.vmt", "t/b.vmt"])
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("t/lost.vmt"), withDestinationPath: "nowhere")
      let output = try await folder.test(["t"])
      #expect(
        output.stdout == """
          invalid: t/lost.vmt: could not read the transcript "t/lost.vmt": No such file or \
          directory.

          2 passed, 1 invalid in TIME

          """)
      #expect(output.status == .exited(2))
    }
  }

  @Test(
    arguments: [
      (
        ["t", "--filter", "zzz"], 4,
        "--filter: of 3 transcripts, none matches \"zzz\"."
      ),
      (
        ["t/a.vmt", "--filter", "a", "--filter", "z"], 4,
        "--filter: of 1 transcript, none matches \"z\"."
      ),
      (
        ["t", "--filter", "t/sbu"], 4,
        "--filter: of 3 transcripts, none matches \"t/sbu\". Did you mean \"t/sub\"?"
      ),
      (
        ["t", "--filter", "u"], 4,
        "--filter: of 3 transcripts, none matches \"u\". Did you mean \"*u*\"?"
      ),
      (["t", "--filter", "/"], 4, "--filter: of 3 transcripts, none matches \"/\"."),
      (["t", "--filter", ""], 2, "--filter: the pattern is empty."),
      (["t", "--exclude", ""], 2, "--exclude: the pattern is empty."),
      (
        ["t", "--exclude", "a[b/c]"], 2,
        "--exclude: in \"a[b/c]\" the \"[\" has no \"]\". Write a literal bracket as \"[[]\"."
      ),
      (["t", "--exclude", "t"], 4, "--exclude leaves none of 3 transcripts."),
      (
        ["t", "--tag", "slow"], 4,
        "--tag: of 3 transcripts, none has the tag \"slow\". None has tags; a line such as"
          + " \"@tags slow\" adds one."
      ),
      (
        ["t", "--fail-fast", "--max-failures", "1"], 2,
        "--fail-fast is --max-failures 1: give only one of the two."
      ),
      (
        ["t", "--max-failures", "0"], 2,
        "--max-failures: \"0\" is not a whole number from 1 to 10000."
      ),
      (
        ["t", "--list=json"], 2,
        "\"--list\" can't be \"json\"; it is \"jsonl\". Did you mean \"jsonl\"?\n"
          + "See \"vmhost test --help\"."
      ),
      (
        ["t", "--port-coverage-min", "101"], 2,
        "--port-coverage-min: \"101\" is not a whole number of percent, from 1 to 100."
      ),
      (
        ["t", "--port-coverage-min", "50", "--shard", "1/2"], 2,
        "--port-coverage-min: a shard touches only some of the ports, and the coverage of shards"
          + " isn't merged. Use it in a run without --shard."
      ),
      (["empty"], 4, "there is no transcript (*.vmt) in \"empty\"."),
      (["empty", "empty/"], 4, "there is no transcript (*.vmt) in \"empty\" and \"empty/\"."),
      (["t/none.vmt"], 2, "there is no file or folder \"t/none.vmt\"."),
      (["t/ab.vmt"], 2, "there is no file or folder \"t/ab.vmt\". Did you mean \"t/a.vmt\"?"),
      (["t/sbu/c.vmt"], 2, "there is no file or folder \"t/sbu/c.vmt\". Did you mean \"t/sub\"?"),
      (["named.script/x"], 2, "there is no file or folder \"named.script/x\"."),
      ([""], 2, "there is no file or folder \"\"."),
      (["t", "nowhere"], 2, "there is no file or folder \"nowhere\"."),
      (
        ["/dev/null"], 2,
        "\"/dev/null\" is neither a file nor a folder. A transcript is read twice."
      ),
      (
        ["t", "--updaet"], 2,
        "\"vmhost test\" has no option \"--updaet\". Did you mean \"--update\"?\n"
          + "See \"vmhost test --help\"."
      ),
      (
        ["t", "--update=ptach"], 2,
        "\"--update\" can't be \"ptach\"; it is \"patch\". Did you mean \"patch\"?\n"
          + "See \"vmhost test --help\"."
      ),
      ([], 2, "\"vmhost test\" needs PATH.\nSee \"vmhost test --help\"."),
      (["t", "--jobs", "0"], 2, "--jobs: \"0\" is not a whole number from 1 to 10000."),
      (["t", "-j", "two"], 2, "--jobs: \"two\" is not a whole number from 1 to 10000."),
      (["t", "--repeat", "0"], 2, "--repeat: \"0\" is not a whole number from 1 to 10000."),
      (["t", "--slowest", "-1"], 2, "--slowest: \"-1\" is not a whole number from 1 to 10000."),
      (
        ["t", "--timeout", "5"], 2,
        "--timeout: \"5\" is not \(TimeSpan.form), above 0."
      ),
      (
        ["t", "--timeout", "0s"], 2,
        "--timeout: \"0s\" is not \(TimeSpan.form), above 0."
      ),
      (["t", "--timeout", "25h"], 2, "--timeout: \"25h\" is too long: the longest time is 24h."),
      (
        ["t", "--in-process", "--jobs", "2"], 2,
        "--jobs: --in-process plays one transcript at a"
          + " time."
      ),
      (
        ["t", "--in-process", "--repeat", "2"], 2,
        "--repeat compares separate processes, so it can't be combined with --in-process."
      ),
      (
        ["t", "--last-failed"], 2,
        "--last-failed needs a folder to remember failures in, but neither XDG_CACHE_HOME nor"
          + " HOME is set."
      ),
    ] as [([String], Int32, String)])
  func `says why it plays nothing`(
    _ arguments: [String], _ status: Int32, _ message: String
  ) async throws {
    try await TestFolder.with(Self.files) { folder in
      try FileManager.default.createDirectory(
        atPath: folder.file("empty"), withIntermediateDirectories: false)
      let output = try await folder.test(arguments)
      #expect(output.stdout == "")
      #expect(output.stderr == "vmhost: \(message)\n")
      #expect(output.status == .exited(status))
    }
  }

  @Test(arguments: ["1/0", "0/2", "3/2", "2", "a/b", "1/2/3", "-1/2", "1/100001", ""])
  func `refuses a shard that is none`(_ shard: String) async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t", "--shard", shard])
      #expect(
        output.stderr == """
          vmhost: --shard: "\(shard)" is not a shard such as 2/4: its number, from 1 on, and \
          how many there are.

          """)
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: ["1", "64", "10000"])
  func `plays as many at a time as it is told to`(_ jobs: String) async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t", "--jobs", jobs])
      #expect(output.stdout == "3 passed in TIME\n")
      #expect(output.status == .success)
    }
  }

  @Test func `fail-fast leaves out what comes after a failure`() async throws {
    let files = ["a.vmt": Sample.passed, "b.vmt": Sample.failed, "c.vmt": Sample.failed]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--fail-fast", "--jobs", "1"])
      #expect(
        output.stdout.hasSuffix(
          """
          + < said 1

          incomplete: stopped by --fail-fast after 2 of 3 transcripts.
          1 passed, 1 failed in TIME

          """))
      #expect(output.status == .exited(1))
      // What fails last leaves nothing out.
      let last = try await folder.test(["a.vmt", "b.vmt", "--fail-fast", "--jobs", "1"])
      #expect(!last.stdout.contains("incomplete"))
    }
  }

  @Test(arguments: [(1, 2), (2, 4), (3, 5)])
  func `max-failures leaves out what comes after so many failures`(
    _ limit: Int, _ played: Int
  ) async throws {
    let files = [
      "a.vmt": Sample.passed, "b.vmt": Sample.failed, "c.vmt": Sample.passed,
      "d.vmt": Sample.invalid, "e.vmt": Sample.failed, "f.vmt": Sample.passed,
    ]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--max-failures", "\(limit)", "--jobs", "1"])
      let message = "stopped by --max-failures \(limit) after \(played) of 6 transcripts."
      #expect(output.stdout.contains("\nincomplete: \(message)\n"), "\(output.stdout)")
      let all = try await folder.test([".", "--max-failures", "4", "--jobs", "1"])
      #expect(all.summary == "3 passed, 2 failed, 1 invalid in TIME")
      #expect(!all.stdout.contains("incomplete"))
    }
  }

  // MARK: Those that failed

  @Test func `plays again what failed when it was last played`() async throws {
    let files = ["a.vmt": Sample.passed, "b.vmt": Sample.failed, "c.vmt": Sample.crashed]
    try await TestFolder.with(files) { folder in
      let environment = ["XDG_CACHE_HOME": folder.file("cache")]
      let again = ["--last-failed", "."]
      let nothing = "vmhost: --last-failed: none failed in the last run, so everything is run:"
      let first = try await folder.test(again, environment: environment)
      #expect(first.complaints == "\(nothing) 3 transcripts.")
      #expect(first.summary == "1 passed, 1 failed, 1 crashed in TIME")
      let second = try await folder.test(again, environment: environment)
      #expect(second.complaints == "")
      #expect(second.summary == "1 failed, 1 crashed in TIME")
      // A run of something else forgets nothing, and paths may be written differently.
      _ = try await folder.test(["a.vmt"], environment: environment)
      try folder.folder.write(Sample.passed, to: "b.vmt")
      let third = try await folder.test(
        [folder.file("b.vmt"), "--last-failed"], environment: environment)
      #expect(third.summary == "1 passed in TIME")
      let fourth = try await folder.test(again, environment: environment)
      #expect(fourth.summary == "1 crashed in TIME")
      try folder.folder.write(Sample.passed, to: "c.vmt")
      _ = try await folder.test(["."], environment: environment)
      let last = try await folder.test(["--last-failed", "a.vmt"], environment: environment)
      #expect(last.complaints == "\(nothing) 1 transcript.")
      #expect(try folder.names("cache/vmhost").count == 1)
    }
  }

  @Test func `remembers below HOME where no folder for caches is named`() async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      _ = try await folder.test(
        ["a.vmt"], environment: ["HOME": folder.path, "XDG_CACHE_HOME": "relative"])
      #expect(try folder.names(".cache/vmhost").count == 1)
      #expect(try folder.names() == [".cache", "a.vmt"])
    }
  }

  @Test func `does without a memory where it can't write`() async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(["a.vmt"], environment: ["XDG_CACHE_HOME": "/dev/null"])
      #expect(output.stderr == "")
      #expect(output.status == .exited(1))
    }
  }

  // MARK: Shards

  @Test(arguments: [1, 2, 3, 7])
  func `shards have everything once, the same each time`(_ count: Int) async throws {
    let names = (0..<5).map { "t/\($0).vmt" }
    let files = Dictionary(uniqueKeysWithValues: names.map { ($0, Sample.passed) })
    try await TestFolder.with(files) { folder in
      var all: [String] = []
      for index in 1...count {
        let shard = ["t", "--shard", "\(index)/\(count)"]
        let paths = try await Self.paths(shard, in: folder)
        #expect(try await Self.paths(shard, in: folder) == paths)
        all += paths
      }
      #expect(all.sorted() == names)
    }
  }

  @Test func `an empty shard is fine, and says so`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      var outputs: [String] = []
      for index in 1...2 {
        let output = try await folder.test(
          ["a.vmt", "--shard", "\(index)/2", "--events", "e.jsonl", "--junit", "j.xml"])
        #expect(output.status == .success)
        #expect(try folder.events("e.jsonl").end?.status == 0)
        outputs.append(output.stdout.replacing("\(index)/2", with: "I/2"))
      }
      #expect(
        outputs.sorted() == [
          "1 passed in TIME\n",
          "Shard I/2 is empty: the run has 1 transcript.\nnothing tested in TIME\n",
        ])
    }
  }
}
