import TestSupport
import Testing

/// What a plugin prints stands at the step that printed it.
struct PrintTests {
  private static let name = "printingfixture.so"
  private static let beginning = "# \(name) printed: loading\n# \(name) printed: opening\n"
  private static let end = "# \(name) printed: closing\n"

  private static func printed(_ text: String) -> String { "# \(name) printed: \(text)\n" }

  private static func did(_ text: String) -> String { "< did \"\(text)\"\n" }

  /// What comes of inputs that are written at once, such as `puts 1`.
  private static func run(_ inputs: [String]) async throws -> String {
    let lines = inputs.map { input in
      let words = input.split(separator: " ")
      return "> \(words[0]) \"\(words[1])\"\n"
    }
    let output = try await VMHostRun.output(
      ["run", name] + Arguments.text, .text(lines.joined()))
    #expect(output.stderr == "")
    #expect(output.status == .success)
    #expect(output.stdout.hasPrefix(beginning))
    #expect(output.stdout.hasSuffix(end))
    return String(output.stdout.dropFirst(beginning.count).dropLast(end.count))
  }

  @Test(arguments: ["puts", "printf", "errors", "perror", "write", "writev", "syscall"])
  func `a line stands before what its step emits, however it is printed`(
    _ way: String
  ) async throws {
    let text = try await Self.run(["quiet 0", "\(way) 1", "quiet 2", "\(way) 3", "\(way) 4"])
    let line = { Self.printed(way == "perror" ? "\($0): No such file or directory" : $0) }
    #expect(
      text == Self.did("0") + line("1") + Self.did("1") + Self.did("2") + line("3") + Self.did("3")
        + line("4") + Self.did("4"))
  }

  @Test(arguments: [("part", "puts"), ("errorsPart", "errors")])
  func `a line in parts stands at the step that ends it`(
    _ part: String, _ end: String
  ) async throws {
    let text = try await Self.run(["\(part) 1", "quiet 2", "\(part) 3", "\(end) 4", "quiet 5"])
    #expect(
      text == Self.did("1") + Self.did("2") + Self.did("3") + Self.printed("134") + Self.did("4")
        + Self.did("5"))
  }

  @Test func `both streams and the log are in the order of the plugin`() async throws {
    let text = try await Self.run(["log 0", "both 1", "both 2"])
    let both = { (text: String) in
      Self.printed("\(text) out") + Self.printed("\(text) err") + Self.printed("\(text) out again")
        + "# info from printing: \"\(text)\"\n" + Self.did(text)
    }
    #expect(text == "# info from printing: \"0\"\n" + Self.did("0") + both("1") + both("2"))
  }

  @Test func `what vmhost can't notice stands where its exchange ends`() async throws {
    let text = try await Self.run(["quiet 0", "raw 1", "quiet 2", "puts 3", "quiet 4"])
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("#") } == [1, 3].map { "# \(Self.name) printed: \($0)" })
    #expect(lines.filter { $0.hasPrefix("<") } == (0...4).map { "< did \"\($0)\"" })
  }

  // MARK: Many lines

  private static let ways = ["quiet", "puts", "quiet", "errors", "quiet", "quiet", "write"]

  @Test(arguments: ["live", "virtual"], [true, false])
  func `of 1,000 lines in one pipe, each print is at its step`(
    _ clock: String, _ hasNumbers: Bool
  ) async throws {
    let inputs = (1...1000).map { number in
      let seq = hasNumbers ? ",\"seq\":\(number)" : ""
      let way = Self.ways[number % Self.ways.count]
      return "{\"kind\":\"input\",\"name\":\"\(way)\",\"value\":\"\(number)\"\(seq)}\n"
    }
    let output = try await VMHostRun.output(
      ["run", Self.name, "--format", "jsonl", "--clock", clock], .text(inputs.joined()))
    #expect(output.status == .success)
    var expected = ["loading", "opening"].map(Self.log)
    for number in 1...1000 {
      if Self.ways[number % Self.ways.count] != "quiet" { expected.append(Self.log("\(number)")) }
      expected.append(
        "{\"kind\":\"output\",\"instance\":\"printing\",\"name\":\"did\",\"value\":\"\(number)\"}")
      if hasNumbers {
        expected.append("{\"kind\":\"done\",\"seq\":\(number),\"step\":\(number + 1)}")
      }
    }
    expected.append(Self.log("closing"))
    // Without the first line, the last one and the times.
    let found = output.lines.dropFirst().dropLast().map { $0.replacing(/"t":[0-9.]+,/, with: "") }
    #expect(found == expected)
  }

  private static func log(_ text: String) -> String {
    "{\"kind\":\"log\",\"plugin\":\"\(name)\",\"level\":\"info\",\"message\":\"\(text)\"}"
  }

  @Test func `of a million lines in one step 10,000 are shown, and the session goes on`()
    async throws
  {
    let output = try await VMHostRun.output(
      ["run", Self.name] + Arguments.text, .text("> flood \"1000000\"\n> quiet \"1\"\n"))
    #expect(output.status == .success)
    let lines = output.lines
    #expect(lines.count { $0.hasPrefix("#") } == 10_001)
    #expect(
      Array(lines.suffix(3)) == [
        "# \(Self.name) printed: (more lines are not shown)", "< did \"1000000\"", "< did \"1\"",
      ])
  }

  @Test func `a very long line is split between characters`() async throws {
    let text = try await Self.run(["long 20000", "puts 1"])
    let whole = 8192
    let parts = [whole, whole, 20000 - 2 * whole].map {
      Self.printed(String(repeating: "é", count: $0))
    }
    #expect(text == parts.joined() + Self.did("20000") + Self.printed("1") + Self.did("1"))
  }

  // MARK: Ends, plugins and replays

  @Test func `before a crash comes what was printed, in its place`() async throws {
    let input = "> puts \"1\"\n> quiet \"2\"\n> crash \"3\"\n> puts \"4\"\n"
    try await VMHostRun.expect(
      ["run", Self.name] + Arguments.text, .text(input),
      stdout: Self.beginning + Self.printed("1") + Self.did("1") + Self.did("2")
        + Self.printed("3"),
      stderr: """
        vmhost: <stdin>:3: \(Self.name) crashed with signal 6 (Aborted) while it handled the input \
        "crash": it called abort, and a plugin doesn't end its process; throw an error.
          Its last log lines:
            printed: loading
            printed: opening
            printed: 1
            printed: 3

        """, status: 6)
  }

  @Test func `two plugins keep their lines apart`() async throws {
    let script = """
      @plugin \(Self.name)
      @plugin brokenfixture.so
      @open printing
      @open broken {"fault":"print","key":null}
      > printing.puts "1"
      > broken.go
      > printing.both "2"
      > broken.go

      """
    let output = try await VMHostRun.output(["run"] + Arguments.text, .text(script))
    #expect(output.status == .success)
    let other = "# brokenfixture.so printed: a line that a plugin printed\n"
    let expected =
      Self.printed("1") + "< printing.did \"1\"\n" + other + Self.printed("2 out")
      + Self.printed("2 err") + Self.printed("2 out again") + "# info from printing: \"2\"\n"
      + "< printing.did \"2\"\n" + other
    #expect(output.stdout.hasSuffix(expected + Self.end), "\(output.stdout)")
    #expect(output.stdout.hasPrefix(Self.beginning))
  }

  @Test func `a replay shows the same lines at the same steps`() async throws {
    let inputs = "> quiet \"0\"\n> puts \"1\"\n+ 1s\n> both \"2\"\n> part \"3\"\n> errors \"4\"\n"
    try await TemporaryDirectory.with { folder in
      let live = try await VMHostRun.output(
        ["run", Self.name, "--record", folder.file("a.vmt")] + Arguments.text, .text(inputs))
      let replay = try await VMHostRun.output(
        ["replay", folder.file("a.vmt"), "--format", "text"])
      #expect(live.status == .success && replay.status == .success)
      let isEvent = { (line: String) in line.hasPrefix("#") || line.hasPrefix("<") }
      #expect(replay.lines.filter(isEvent) == live.lines.filter(isEvent))
      #expect(replay.stdout.contains("> puts \"1\"\n" + Self.printed("1") + Self.did("1")))
    }
  }
}
