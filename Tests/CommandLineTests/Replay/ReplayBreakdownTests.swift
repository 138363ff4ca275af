import TestSupport
import Testing

/// Plugins that don't load, crash, hang or break their contract in the midst of a transcript.
struct ReplayBreakdownTests {
  /// What breaks down at `go`, in line 9, after what is said in line 7.
  private static func steps(_ fault: String) -> String {
    Transcript.broken(fault) + "+ 1s\n" + Transcript.emit("16 0 said 1") + "< said 1\n"
      + "> go\n< rang\n" + Transcript.emit("16 0 said 2") + "< said 2\n"
  }

  @Test(
    arguments: [
      (
        "crash-in-send", 7,
        "brokenfixture.so crashed with signal 11 (Segmentation fault) while it handled the input"
          + " \"emit\".", "crashed"
      ),
      (
        "kill-in-send", 7,
        "brokenfixture.so crashed with signal 9 (Killed) while it handled the input \"emit\".",
        "crashed"
      ),
      (
        "hang-in-poll", 9,
        "brokenfixture.so hangs: it did not return within 1s while it handled the input \"go\".",
        "timed out"
      ),
      (
        "unknown-output", 9,
        "brokenfixture.so broke its contract at the input \"go\": broken (broken): it emitted"
          + " \"sang\", which isn't in its manifest.", "crashed"
      ),
      (
        "request-unannounced", 9,
        "brokenfixture.so broke its contract at the input \"go\": broken (broken): it asked for"
          + " \"teleport\", which isn't among the requests in its manifest.", "crashed"
      ),
      (
        "crash-in-create", 3,
        "brokenfixture.so crashed with signal 11 (Segmentation fault) while it opened broken.",
        "crashed"
      ),
    ])
  func `names the line at which a plugin breaks down, and shows what came before`(
    _ fault: String, line: Int, words: String, verdict: String
  ) async throws {
    let options = ["--step-timeout", "1s"]
    let text = Self.steps(fault)
    let output = try await Transcript.replay(text, ["--format", "text"] + options)
    #expect(output.stderr == "vmhost: a.vmt:\(line): \(words)\n")
    #expect(output.status == .exited(6))
    #expect(output.stdout.contains("\n< second 2\n+ 1s\n") == (line > 3), "\(output.stdout)")
    #expect(output.stdout.contains("\n< said 1\n> go\n") == (line > 7), "\(output.stdout)")
    #expect(!output.stdout.contains("said 2\n"))
    let test = try await Transcript.run("test", text, options)
    #expect(test.lines.first == "\(verdict): a.vmt:\(line): \(words)")
    #expect(test.status == .exited(6))
  }

  /// Inputs are delivered together, and the one that asked is none of the last.
  @Test func `names the input in whose step a reply brings a plugin down`() async throws {
    let inputs = ["17 1 storage.get {\"key\":\"a\"}", "16 0 said 1", "16 0 said 2"]
    let text = Transcript.broken("crash-at-reply") + inputs.map { Transcript.emit($0) }.joined()
    try await Transcript.expectComplaint(
      of: text,
      "6: brokenfixture.so crashed with signal 11 (Segmentation fault) while it handled a reply.",
      status: 6)
    let refusing = text.replacing("crash-at-reply", with: "refuse-replies")
    try await Transcript.expectComplaint(
      of: refusing,
      """
      6: broken refused the reply to its "storage.get": no answer was wanted
        6 | \(Transcript.emit(inputs[0]).dropLast())
          |   ^
      """, status: 1)
  }

  @Test(arguments: [
    ("crash-in-destroy", "crashed with signal 11 (Segmentation fault)"),
    ("hang-in-destroy", "hangs: it did not return within 1s"),
  ])
  func `says which transcript's end brings a plugin down, also after a difference`(
    _ fault: String, words: String
  ) async throws {
    let sentence = "brokenfixture.so \(words) while it closed broken."
    try await Transcript.expectComplaint(
      of: Transcript.broken(fault), " \(sentence)", status: 6, ["--step-timeout", "1s"])
    try await Transcript.expectComplaint(
      of: Transcript.broken(fault) + Transcript.emit("16 0 said 1") + "< rang\n",
      """
      7: expected < rang, found < said 1
      \(Transcript.legend)
      - < rang
      + < said 1
      vmhost: a.vmt: \(sentence)
      """, status: 6, ["--step-timeout", "1s"])
    try await Transcript.expectComplaint(
      of: Transcript.broken(fault) + "@close broken\n", "6: \(sentence)", status: 6,
      ["--step-timeout", "1s"])
  }

  @Test(
    arguments: [
      ("@plugin nope.so\n", 2), ("# later\n@plugin nope.so\n", 3),
      ("@plugin echo.so\n@open echo\n> say 1\n< said 1\n@plugin nope.so\n", 6),
      // It belongs to the step, and is at fault itself.
      ("@plugin echo.so\n@open echo\n> say 1\n@plugin nope.so\n< said 1\n", 5),
    ])
  func `names the line of a plugin that would not load`(_ lines: String, line: Int) async throws {
    let output = try await Transcript.replay("vmt 1\n" + lines)
    let place = "vmhost: a.vmt:\(line): Could not load \"nope.so\": not found. Looked for "
    #expect(output.stderr.hasPrefix(place), "\(output.stderr)")
    #expect(output.status == .exited(3))
    let test = try await Transcript.run("test", "vmt 1\n" + lines)
    #expect(
      test.lines.first?.hasPrefix("not loaded: a.vmt:\(line): Could not load \"nope.so\"") == true)
    #expect(test.status == .exited(3))
  }

  @Test func `goes on to the next transcript after one that broke down`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.steps("crash-in-send"), to: "a.vmt")
      try folder.write(Transcript.broken + Transcript.emit("16 0 rang") + "< rang\n", to: "b.vmt")
      for (options, isPlayed) in [([], false), (["--keep-going"], true)] {
        let output = try await VMHostRun.output(
          ["replay", "a.vmt", "b.vmt", "--format", "text"] + options,
          workingDirectory: folder.path)
        #expect(output.stdout.hasSuffix("\n< rang\n") == isPlayed, "\(output.stdout)")
        #expect(output.status == .exited(6))
      }
    }
  }

  @Test func `a fault of the plugin's own code fails, and the rest is played`() async throws {
    let text = """
      vmt 1
      @plugin kitfixture.so
      @open kit.faults as f
      > throwNow
      > fine
      < ok

      """
    let output = try await Transcript.replay(text)
    #expect(
      output.stdout == """
        @open kit.faults as f
        > throwNow
        # error from f: "\\"throwNow\\" failed: thrown now"
        # fault of f in "throwNow": "thrown now"
        > fine
        < ok

        """)
    #expect(output.status == .exited(1))
  }

  @Test func `shows what a plugin prints and logs`() async throws {
    let output = try await Transcript.replay(
      Transcript.broken("print") + "> go\n" + "+ 5ms\n")
    #expect(output.stdout.contains("# brokenfixture.so printed: a line that a plugin printed\n"))
    #expect(output.status == .success)
  }
}
