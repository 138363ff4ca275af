import TestSupport
import Testing

/// What one event, and one plugin, may cost vmhost.
struct QuotaTests {
  private static let size = 32 << 20
  /// A loaded machine may take more than the default's time for so many bytes.
  private static let limit = ["--limit", "bytes=32M", "--step-timeout", "5m"]
  private static let tooMuch =
    "it emitted and read more than 33554432 bytes in one step. \"--limit bytes=SIZE\" allows more"

  private static func line(_ act: String) -> String { "> go \"\(act)\"\n" }

  private static func transcript(_ lines: String) -> String {
    "vmt 1\n@plugin greedy.so\n@open greedy\n\(lines)"
  }

  // MARK: Memory

  @Test(
    .serialized,
    arguments: [
      ("emit", "at the input \"go\""),
      ("storage-chain", "at the reply to \"storage.get\""),
      ("large-key-chain", "at the reply to \"storage.get\""),
      ("timer-chain", "at the reply to \"timer\""),
      ("quick-timer-chain", "at the reply to \"timer\""),
    ], [["--format", "text"], ["--format", "jsonl"], ["--record", "r.vmt"], ["--in-process"]])
  func `a step ends at its bytes, however it goes on, and the host stays below three times that`(
    _ row: (act: String, place: String), _ options: [String]
  ) async throws {
    try await GreedyPlugin.with { folder in
      let run = try GreedyPlugin.run(
        ["run", "greedy.so", "--clock", "virtual"] + options + Self.limit,
        Self.line(row.act) + "+ 1s\n", in: folder)
      let number = row.place.contains("timer") ? 2 : 1
      #expect(
        run.stderr
          == "vmhost: <stdin>:\(number): greedy.so broke its contract \(row.place): greedy"
          + " (greedy): \(Self.tooMuch).\n")
      #expect(run.status == .exited(6))
      #expect(run.peak < 3 * Self.size, "\(run.peak >> 20) MiB")
    }
  }

  @Test(
    arguments: [
      ["run", "greedy.so", "--format", "text"], ["run", "greedy.so", "--format", "jsonl"],
      ["run", "greedy.so", "--record", "r.vmt"], ["run", "greedy.so", "--in-process"],
    ])
  func `the steps of a batch don't pile up`(_ command: [String]) async throws {
    try await GreedyPlugin.with { folder in
      let run = try GreedyPlugin.run(
        command + Self.limit, String(repeating: Self.line("emit-some"), count: 4), in: folder)
      #expect(run.stderr == "")
      #expect(run.status == .success)
      #expect(run.peak < 3 * Self.size, "\(run.peak >> 20) MiB")
    }
  }

  @Test(
    arguments: [
      ["replay", "a.vmt", "--format", "text"], ["replay", "a.vmt", "--format", "jsonl"],
      ["replay", "a.vmt", "--format", "jsonl", "--in-process"], ["test", "a.vmt"],
    ])
  func `the steps of a transcript don't pile up`(_ command: [String]) async throws {
    try await GreedyPlugin.with { folder in
      try folder.write(
        Self.transcript(String(repeating: Self.line("emit-some"), count: 4)), to: "a.vmt")
      let run = try GreedyPlugin.run(command + Self.limit, in: folder)
      #expect(run.stderr == "")
      #expect(run.status == .success)
      #expect(run.peak < 3 * Self.size, "\(run.peak >> 20) MiB")
    }
  }

  @Test(
    arguments: [["replay", "--keep-going", "a.vmt"], ["test", "a.vmt"]],
    ["emit", "storage-chain", "timer-chain", "large-key-chain"])
  func `a step of a transcript has the same limits`(
    _ command: [String], _ act: String
  ) async throws {
    try await GreedyPlugin.with { folder in
      // An expectation has the worker play it first.
      try folder.write(
        Self.transcript("\(Self.line(act))< said 1\n+ 1s\n"), to: "a.vmt")
      let run = try GreedyPlugin.run(command + Self.limit, in: folder)
      #expect(run.status == .exited(6))
      if command[0] == "replay" { #expect(run.stderr.contains(Self.tooMuch), "\(run.stderr)") }
      #expect(run.peak < 3 * Self.size, "\(run.peak >> 20) MiB")
    }
  }

  @Test func `with the limits that nobody changes, a gigabyte stays below 600 MB`() async throws {
    try await GreedyPlugin.with { folder in
      for act in ["emit", "storage-chain", "timer-chain"] {
        let run = try GreedyPlugin.run(
          ["run", "greedy.so", "--clock", "virtual", "--step-timeout", "5m"],
          Self.line(act) + "+ 1s\n", in: folder)
        #expect(run.status == .exited(6))
        #expect(run.stderr.contains("more than 200000000 bytes in one step"))
        #expect(run.peak < 600_000_000, "\(run.peak >> 20) MiB")
      }
    }
  }

  @Test func `the states of a plugin have the bytes of a step together`() async throws {
    try await GreedyPlugin.with { folder in
      // A longer value of one state takes the place of the one before.
      let run = try GreedyPlugin.run(
        ["run", "greedy.so", "--limit", "bytes=300M"],
        Self.line("emit-state") + Self.line("emit-state"), in: folder)
      #expect(run.status == .success)
      let second = ["--view-model", "greedy=a", "--view-model", "greedy=b"]
      let other = try GreedyPlugin.run(
        ["run", "greedy.so", "--limit", "bytes=200M"] + second,
        "> a.go \"emit-state\"\n> b.go \"emit-state\"\n", in: folder)
      #expect(
        other.stderr
          == "vmhost: <stdin>:2: greedy.so broke its contract at the input \"go\": b (greedy): its"
          + " states have more than 209715200 bytes. \"--limit bytes=SIZE\" allows more.\n")
      #expect(other.status == .exited(6))
    }
  }

  @Test func `of lines that come faster than the plugin takes them, some megabytes wait`()
    async throws
  {
    let text = String(repeating: "0123456789", count: 100_000)
    let lines = String(repeating: "> say \"\(text)\"\n", count: 150)
    try await TemporaryDirectory.with { folder in
      let run = try GreedyPlugin.run(["run", "echo.so", "--clock", "virtual"], lines, in: folder)
      #expect(run.stderr == "")
      #expect(run.status == .success)
      // 64 MB are for going back.
      #expect(run.peak < 150_000_000, "\(run.peak >> 20) MiB")
    }
  }

  // MARK: Counts

  @Test(
    arguments: [
      ("emit", ["events=1000"], "it emitted more than 1000 events in one step", "events=NUMBER"),
      ("requests", [], "it emitted more than 100000 events in one step", "events=NUMBER"),
      ("timers", [], "it emitted more than 100000 events in one step", "events=NUMBER"),
      ("cancels", [], "it emitted more than 100000 events in one step", "events=NUMBER"),
      (
        "more-requests", ["open-requests=20"], "more than 20 of its requests are open",
        "open-requests=NUMBER"
      ),
      (
        "more-requests", ["requests=20"], "it made more than 20 requests in one step",
        "requests=NUMBER"
      ),
      ("more-timers", ["timers=20"], "more than 20 of its timers are waiting", "timers=NUMBER"),
      (
        "more-cancels", ["requests=20", "timers=1"], "it made more than 20 requests in one step",
        "requests=NUMBER"
      ),
    ])
  func `a limit that is exceeded is named, and so is its option`(
    _ act: String, _ limits: [String], _ words: String, _ option: String
  ) async throws {
    try await GreedyPlugin.with { folder in
      let options = limits.flatMap { ["--limit", $0] }
      let run = try GreedyPlugin.run(
        ["run", "greedy.so", "--effect", "http=none"] + options, Self.line(act), in: folder)
      #expect(
        run.stderr
          == "vmhost: <stdin>:1: greedy.so broke its contract at the input \"go\": greedy (greedy):"
          + " \(words). \"--limit \(option)\" allows more.\n")
      #expect(run.status == .exited(6))
    }
  }

  @Test(
    arguments: [
      ("more-requests", 4, "more than 10000 of its requests are open"),
      ("more-timers", 4, "more than 100000 of its timers are waiting"),
    ])
  func `what waits is counted over all steps, and for all instances of a plugin`(
    _ act: String, _ steps: Int, _ words: String
  ) async throws {
    try await GreedyPlugin.with { folder in
      let names = ["a", "b"]
      let lines = (0..<steps).map { "> \(names[$0 % 2]).go \"\(act)\"\n" }.joined()
      let run = try GreedyPlugin.run(
        ["run", "greedy.so", "--effect", "http=none", "--clock", "virtual"]
          + names.flatMap { ["--view-model", "greedy=\($0)"] }, lines, in: folder)
      #expect(
        run.stderr.hasPrefix(
          "vmhost: <stdin>:\(steps): greedy.so broke its contract at the input \"go\": b (greedy):"
            + " \(words)."), "\(run.stderr)")
      #expect(run.status == .exited(6))
      // Those of an instance that has been closed don't count.
      let closing = (0..<4).map { _ in "\(Self.line(act))@close greedy\n@open greedy\n" }.joined()
      let other = try GreedyPlugin.run(
        ["run", "greedy.so", "--effect", "http=none", "--clock", "virtual"], closing, in: folder)
      #expect(other.stderr == "")
      #expect(other.status == .success)
    }
  }

  @Test func `10,000 running timers and all that they emit are no trouble`() async throws {
    try await GreedyPlugin.with { folder in
      let run = try GreedyPlugin.run(
        ["run", "greedy.so", "--clock", "virtual"], Self.line("repeated-timers") + "+ 3s\n",
        in: folder)
      #expect(
        run.stderr
          == "vmhost: the input ended while the plugin was waiting for a timer. End it with"
          + " \"+ idle\" to wait.\n")
      #expect(run.status == .success)
    }
  }

  @Test(arguments: ["silent-chain", "slow-chain"])
  func `a chain has the time of one step`(_ act: String) async throws {
    try await GreedyPlugin.with { folder in
      let run = try GreedyPlugin.run(
        [
          "run", "greedy.so", "--step-timeout", "500ms", "--limit", "events=10000000",
          "--limit", "requests=10000000",
        ], Self.line(act), in: folder)
      let found = [
        "it was not idle after 500ms. \"--step-timeout\" gives it more.",
        // The end came while the plugin was at work.
        "hangs: it did not return within 500ms while it handled a reply.",
      ].contains { run.stderr.contains($0) }
      #expect(found, "\(run.stderr)")
      #expect(run.status == .exited(6))
    }
  }

  // MARK: The store

  @Test(arguments: ["memory", "s.db"])
  func `a full store refuses more, says so once, and has room again`(
    _ store: String
  ) async throws {
    try await GreedyPlugin.with { folder in
      // Two values of a million bytes and no third one.
      let arguments = [
        "run", "greedy.so", "--format", "text", "--clock", "virtual", "--store", store,
        "--limit", "storage=2500000",
      ]
      let message =
        "\"000003\" doesn't fit into the store: \"greedy\" may keep 2500000 bytes there. Deleting"
        + " makes room, and \"--limit storage=SIZE\" allows more."
      let escaped = message.replacing("\"", with: "\\\"")
      try await VMHostRun.expect(
        arguments, .text(Self.line("fill") + Self.line("delete") + Self.line("keep")),
        workingDirectory: folder.path,
        stdout: """
          < held 0
          # error from greedy: "\(escaped)"
          < failed {
              "code": "storage-full",
              "message": "\(escaped)"
            }

          """)
      if store == "memory" { return }
      // The second session finds it over its quota: it may still shrink.
      let again = [
        "run", "greedy.so", "--format", "text", "--store", store, "--limit", "storage=1K",
      ]
      let output = try await VMHostRun.output(
        again, .text(Self.line("keep") + Self.line("delete") + Self.line("keep-little")),
        workingDirectory: folder.path)
      #expect(output.stdout.split(separator: "\n").filter { $0.hasPrefix("#") }.count == 1)
      #expect(output.status == .success)
    }
  }
}
