import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// The reports of `vmhost test`.
struct TestReportsTests {
  private static let files = [
    "t/crashed.vmt": Sample.crashed, "t/failed.vmt": Sample.failed, "t/invalid.vmt": Sample.invalid,
    "t/not-loaded.vmt": Sample.notLoaded, "t/passed.vmt": Sample.passed,
    "t/nondeterministic.vmt": Sample.nondeterministic, "t/timed-out.vmt": Sample.hung,
    "t/unverified.vmt": Sample.unverified,
  ]

  @Test func `have one result a transcript, and are whole`() async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test([
        "t", "t/passed.vmt", "--repeat", "2", "--step-timeout", "2s", "--events", "e.jsonl",
        "--junit", "j.xml", "--slowest", "3", "--port-coverage",
      ])
      let run = try folder.events("e.jsonl")
      #expect(run.run == TestEvents.Run(shard: .whole, of: Self.files.keys.sorted(), count: 8))
      #expect(run.results.map(\.path).sorted() == Self.files.keys.sorted())
      for result in run.results {
        #expect(result.path == "t/\(result.verdict.rawValue).vmt")
        #expect(result.summary.isEmpty == (result.verdict.outcome == .success))
      }
      #expect(run.end?.status == 2)
      let junit = try folder.text("j.xml")
      for name in Self.files.keys {
        #expect(junit.split(separator: " file=\"\(name)\"").count == 2)
      }
      #expect(
        junit.hasPrefix(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <testsuites name="vmhost" tests="8" failures="2" errors="4" skipped="1" time="
          """))
      let slowest = try #require(output.stdout.split(separator: "\nSlowest:\n").last)
      // Times of more than ten seconds make the others stand to the right.
      let times = slowest.split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(times.prefix { $0.hasPrefix("TIME  t/") }.count == 3)
      #expect(output.stdout.contains("\n\nPort coverage: "))
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: [
    ("--events", "no/e.jsonl"), ("--junit", "no/j.xml"), ("--junit", "."), ("--events", "."),
  ])
  func `that can't be written stop the run before it begins`(
    _ option: String, _ path: String
  ) async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t", option, path])
      let reason = path == "." ? "Is a directory" : "No such file or directory"
      #expect(output.stdout == "")
      #expect(output.stderr == "vmhost: could not write \"\(path)\": \(reason).\n")
      #expect(output.status == .exited(74))
    }
  }

  @Test func `replace those of an earlier run at once`() async throws {
    let files = [
      "a.vmt": Sample.passed, "b.vmt": Sample.hung, "j.xml": "old", "e.jsonl": "old",
    ]
    try await TestFolder.with(files) { folder in
      let child = try VMHostRun.start(
        [
          "test", ".", "--jobs", "1", "--junit", "j.xml", "--events", "e.jsonl", "--step-timeout",
          "10m", "--timeout", "10m",
        ], workingDirectory: folder.path)
      try child.waitForStderr(containing: "[1/2]\n")
      child.kill(SIGKILL)
      #expect(try child.wait(closingInput: false).status == .signaled(SIGKILL))
      #expect(try !folder.text("j.xml").contains("old"))
      let message = Failure.message { () throws(Failure) in
        _ = try TestEventsReader.read(folder.file("e.jsonl"))
      }
      #expect(message?.contains("stopped early") == true)
      let run = try TestEventsReader.read(folder.file("e.jsonl"), isPartial: true)
      #expect(run.results.map(\.path) == ["./a.vmt"])
    }
  }

  @Test func `say the true status where another can't be written at the end`() async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(
        ["a.vmt", "--events", "e.jsonl", "--junit", "/dev/full"],
        environment: ["XDG_CACHE_HOME": folder.path])
      #expect(output.summary == "1 failed in TIME")
      #expect(output.stderr == "vmhost: could not write \"/dev/full\": No space left on device.\n")
      #expect(output.status == .exited(74))
      #expect(try folder.events("e.jsonl").end?.status == 74)
      #expect(try folder.names("vmhost").count == 1)
    }
  }

  @Test func `go to a pipe as well`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      let output = try await folder.test(["a.vmt", "--junit", "/dev/stdout"])
      #expect(output.stdout.split(separator: "<?xml").count == 2)
      #expect(output.stdout.hasPrefix("1 passed in TIME\n<?xml "))
    }
  }

  // MARK: Timings

  @Test func `timings are brought up to date without shards, and only read with them`()
    async throws
  {
    let old = "{\"gone.vmt\": 5, \"t/failed.vmt\": 3000, \"t/passed.vmt\": 4000}"
    let files = Self.files.filter { ["t/failed.vmt", "t/passed.vmt"].contains($0.key) }
    try await TestFolder.with(files.merging(["t.json": old]) { $1 }) { folder in
      // By their hashes they would not be in shards of their own in each case; by their times
      // they are.
      for (shard, path) in [("1/2", "t/passed.vmt"), ("2/2", "t/failed.vmt")] {
        _ = try await folder.test(
          ["t", "--timings", "t.json", "--shard", shard, "--events", "e.jsonl"])
        #expect(try folder.events("e.jsonl").results.map(\.path) == [path])
      }
      #expect(try folder.text("t.json") == old)
      _ = try await folder.test(["t", "--timings", "t.json"])
      let timings = try Timings.read(folder.file("t.json"))
      #expect(timings["gone.vmt"] == 5_000_000_000)
      for name in files.keys { #expect(timings[name].map { $0 < 3_000_000_000_000 } == true) }
      // Without a file there are none yet.
      _ = try await folder.test(["t", "--timings", "new.json"])
      #expect(try Timings.read(folder.file("new.json")).times.count == 2)
      try folder.folder.write("[]", to: "bad.json")
      let bad = try await folder.test(["t", "--timings", "bad.json"])
      #expect(bad.stderr.hasPrefix("vmhost: bad.json:1:1: this file is invalid: "))
      #expect(bad.status == .exited(2))
    }
  }

  // MARK: Port coverage

  private static let movies = "vmt 1\n@plugin movies.so\n@open movies.list\n"

  @Test(arguments: [
    ("", "0 of 26", ["input movies.list.viewDidLoad", "state movies.list.labels"]),
    (FirstFrame.movies, "6 of 26", ["input movies.list.viewDidLoad"]),
    (FirstFrame.movies + "> viewDidLoad\n", "7 of 26", []),
    ("> viewDidLoad\n", "1 of 26", ["state movies.list.labels"]),
  ])
  func `port coverage counts a first frame that has lines`(
    _ lines: String, _ count: String, _ untouched: [String]
  ) async throws {
    try await TestFolder.with(["a.vmt": Self.movies + lines]) { folder in
      let output = try await folder.test(["a.vmt", "--port-coverage"])
      #expect(
        output.stdout.contains(
          "\nPort coverage: \(count) inputs, states and signals are touched.\n"),
        "\(output.stdout)")
      for port in untouched { #expect(output.stdout.contains("\n  untouched: \(port)\n")) }
      let named = ["input movies.list.viewDidLoad", "state movies.list.labels"]
      for port in named where !untouched.contains(port) { #expect(!output.stdout.contains(port)) }
    }
  }

  @Test func `port coverage counts what is closed in the step that touches it`() async throws {
    let flow = """
      {"start":{"open":"movies.list"},
        "on":{"list.showMovieQueriesSuggestions":[
            {"open":"movies.suggestions"},
            {"feed":"suggestions.didSelect","value":{"query":"jaws"}}],
          "suggestions.didSelectQuery":{"close":"suggestions"}}}
      """
    let own = """
      {"start":{"open":"movies.suggestions"},
        "on":{"suggestions.didSelectQuery":[
          {"close":"suggestions"},{"open":"movies.details","config":{"movie":{"id":"1"}}}]}}
      """
    let transcripts = [
      "a.vmt": "vmt 1\n@plugin movies.so\n@flow a.json\n@open movies.list\n"
        + "> showQueriesSuggestions\n",
      "b.vmt": "vmt 1\n@plugin movies.so\n@flow b.json\n@open movies.suggestions\n"
        + "> didSelect {\"query\":\"jaws\"}\n",
    ]
    try await TestFolder.with(transcripts.merging(["a.json": flow, "b.json": own]) { $1 }) {
      folder in
      for (name, ports) in [
        ("a.vmt", ["state movies.suggestions.items", "signal movies.suggestions.didSelectQuery"]),
        (
          "b.vmt",
          ["signal movies.suggestions.didSelectQuery", "input movies.suggestions.didSelect"]
        ),
      ] {
        let output = try await folder.test([name, "--port-coverage"])
        #expect(output.stdout.contains("untouched: input movies.details."), "\(output.stdout)")
        for port in ports { #expect(!output.stdout.contains(port), "\(output.stdout)") }
      }
    }
  }

  @Test(arguments: ["--junit", "--events", "--html"])
  func `have the differences as text`(_ option: String) async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(["a.vmt", option, "report"])
      #expect(output.status == .exited(1))
      let report = try folder.text("report")
      #expect(report.contains("- expected (the transcript)   + found (this run)"), "\(report)")
    }
  }

  // MARK: GitHub

  private static let github = ["GITHUB_ACTIONS": "true"]

  @Test func `annotates for GitHub, and lets no plugin do so`() async throws {
    let command = "::error file=/etc/passwd::##[add-mask]x"
    let text = """
      vmt 1
      @plugin echo.so
      @open echo
      > say "\(command)"
      < said ["\(command)"]
      > say ["\(command)", "and to be long enough for several lines it has some more to say here"]
      < said []

      """
    try await TestFolder.with(["a.vmt": text, "b.vmt": Sample.passed]) { folder in
      let output = try await folder.test(["."], environment: Self.github)
      var lines = output.stdout.split(separator: "\n").map(String.init)
      let start = "::stop-commands::"
      #expect(lines.first?.hasPrefix(start) == true)
      let token = lines.removeFirst().dropFirst(start.count)
      let end = try #require(lines.firstIndex(of: "::\(token)::"))
      // GitHub takes these for commands wherever commands aren't stopped.
      #expect(lines[..<end].contains { $0.contains("##[add-mask]") })
      #expect(!lines[..<end].contains { $0.contains(token) })
      #expect(lines[lines.index(before: end)] == "1 passed, 1 failed in TIME")
      let annotations = lines[end...].dropFirst()
      #expect(annotations.count == 1)
      let annotation = try #require(annotations.first)
      #expect(annotation.hasPrefix("::error file=a.vmt,line=5,title=failed::"))
      #expect(annotation.contains("- expected (the transcript)   + found (this run)"))
      #expect(output.complaints == "")
      let again = try await folder.test(["."], environment: Self.github)
      #expect(!again.stdout.contains(token))
    }
  }

  @Test func `brings the commands of GitHub back whatever happens`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed, "b.vmt": Sample.passed]) { folder in
      for arguments in [["."], [".", "--events", "/dev/full"], [".", "--timings", "no/t.json"]] {
        let output = try await folder.test(arguments, environment: Self.github)
        let lines = output.stdout.split(separator: "\n")
        let tokens = lines.filter { $0.hasPrefix("::") }.map { $0.split(separator: ":").last }
        #expect(tokens.isEmpty || tokens.count == 2 && tokens[0] == tokens[1], "\(output.stdout)")
      }
    }
  }

  @Test func `merging lets no plugin give commands to GitHub either`() async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      _ = try await folder.test(["a.vmt", "--events", "e.jsonl"])
      let output = try await VMHostRun.output(
        ["merge-reports", "e.jsonl"], environment: Self.github, workingDirectory: folder.path)
      let lines = output.lines
      let token = try #require(lines.first?.split(separator: ":").last)
      #expect(lines.first == "::stop-commands::\(token)")
      #expect(lines.last == "::\(token)::")
      #expect(output.status == .exited(1))
    }
  }

  @Test(arguments: [["GITHUB_ACTIONS": "false"], [:], ["CI": "true"]])
  func `annotates nowhere else`(_ environment: [String: String]) async throws {
    try await TestFolder.with(["a.vmt": Sample.failed]) { folder in
      let output = try await folder.test(["a.vmt"], environment: environment)
      #expect(!output.stdout.contains("::"))
    }
  }
}
