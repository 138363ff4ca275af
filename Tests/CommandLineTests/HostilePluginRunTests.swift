import TestSupport
import Testing

/// Hostile plugins as a user meets them: one clear sentence, the status that goes with it, and all
/// that came before.
struct HostilePluginRunTests {
  private static func arguments(_ act: String) -> [String] {
    ["run", "hostilefixture.so", "--config", "{\"act\":\"\(act)\"}", "--step-timeout", "300ms"]
      + ["--sandbox", "best-effort"] + Arguments.text
  }

  private static func called(_ function: String) -> String {
    "it called \(function), and a plugin doesn't end its process; throw an error."
  }

  private static let first = "< count 0\n"
  private static let both = "< count 0\n< count 1\n"

  @Test(
    arguments: [
      (
        "create:abort", "",
        "crashed with signal 6 (Aborted) while it opened acting: \(called("abort"))"
      ),
      (
        "create:exit:3", "",
        "ended its process (exit status 3) while it opened acting: \(called("exit"))"
      ),
      ("create:sleep", "", "hangs: it did not return within 300ms while it opened acting."),
      (
        "destroy:overflow-stack", both,
        "crashed with signal 11 (Segmentation fault) while it closed acting."
      ),
      (
        "destroy:exit:0", both,
        "ended its process (exit status 0) while it closed acting: \(called("exit"))"
      ),
      (
        "destroy:ignore-signals", both,
        "hangs: it did not return within 300ms while it closed acting."
      ),
    ])
  func `ends with 6 and one sentence when a plugin breaks down as it is opened or closed`(
    _ act: String, _ stdout: String, _ words: String
  ) async throws {
    try await VMHostRun.expect(
      Self.arguments(act), .text("> go\n"), stdout: stdout,
      stderr: "vmhost: hostilefixture.so \(words)\n", status: 6)
  }

  @Test(
    arguments: [
      ("send:kill-itself", "crashed with signal 9 (Killed)"),
      ("poll:run-nonsense", "crashed with signal 4 (Illegal instruction)"),
      ("send:stop-itself", "hangs: it did not return within 300ms"),
      ("poll:spin", "hangs: it did not return within 300ms"),
    ])
  func `names the line at which a plugin broke down`(
    _ act: String, _ words: String
  ) async throws {
    try await VMHostRun.expect(
      Self.arguments(act), .text("# a comment\n> go\n> go\n"), stdout: Self.first,
      stderr: "vmhost: <stdin>:2: hostilefixture.so \(words) while it handled the input \"go\".\n",
      status: 6)
  }

  @Test func `names the line that closed an instance that broke down in that`() async throws {
    try await VMHostRun.expect(
      Self.arguments("destroy:abort"), .text("> go\n@close acting\n> go\n"), stdout: Self.both,
      stderr: """
        vmhost: <stdin>:2: hostilefixture.so crashed with signal 6 (Aborted) while it closed \
        acting: \(Self.called("abort"))

        """,
      status: 6)
  }

  @Test func `shows what a plugin could not do, and nothing that steers a terminal`() async throws {
    try await VMHostRun.expect(
      Self.arguments("send:read-file:/etc/passwd"), .text("> go\n"),
      stdout: """
        < count 0
        # hostilefixture.so printed: vmhost: while it handled the input "go", it called open on \
        "/etc/passwd", and a confined plugin has no files; use Storage or another effect
        # hostilefixture.so printed: read-file: Permission denied
        < count 1

        """)
    try await VMHostRun.expect(
      Self.arguments("send:print-nonsense"), .text("> go\n"),
      stdout: """
        < count 0
        # hostilefixture.so printed: \u{fffd}\u{fffd}\u{fffd}\u{fffd}[2J\u{fffd}]0;owned\u{fffd}
        # hostilefixture.so printed: print-nonsense: done
        < count 1

        """
    )
  }

  @Test func `ends with 6 when a plugin breaks down as it is loaded`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try FixtureLibrary.copy(of: "hostilefixture", choosing: "load:abort", in: folder)
      let output = try await VMHostRun.output(
        ["run", path] + Arguments.text)
      #expect(
        output.stderr.hasPrefix(
          "vmhost: Could not load \"\(path)\": it crashed with signal 6 (Aborted) while it was"
            + " loaded: \(Self.called("abort"))\n  Its last log lines:\n    printed: "))
      #expect(output.status == .exited(6))
    }
  }
}
