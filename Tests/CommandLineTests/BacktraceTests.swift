import Foundation
import HostCore
import TestSupport
import Testing

/// `--backtrace`: after a crash or a hang, where it happened.
@Suite struct BacktraceTests {
  private static let flags = ["--backtrace"]
  private static let notInstalled =
    "vmhost: no backtrace: swift-backtrace was not found. It is a part of the Swift toolchain:"
    + " install one, and say where it is with"
    + " SWIFT_BACKTRACE=swift-backtrace=/usr/libexec/swift/linux/swift-backtrace.\n"

  /// Whether the toolchain whose runtime these tests use has a backtracer: not all do.
  private static let isInstalled = {
    let maps = String(decoding: (try? Files.read("/proc/self/maps")) ?? [], as: UTF8.self)
    let runtime = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let start = runtime?.firstIndex(of: "/"), let runtime else { return false }
    let folder = URL(fileURLWithPath: String(runtime[start...])).deletingLastPathComponent()
    return FileManager.default.isExecutableFile(
      atPath: folder.path + "/../../../libexec/swift/linux/swift-backtrace")
  }()

  /// Expects these sentences, then a trace that has all of `words` and no frame of vmhost, or the
  /// sentence that there can be none.
  private static func expect(
    _ output: ChildProcess.Output, _ sentences: String, _ words: [String], status: Int32 = 6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let stderr = withoutLogLines(output.stderr)
    #expect(stderr.hasPrefix(sentences), sourceLocation: sourceLocation)
    #expect(output.status == .exited(status), sourceLocation: sourceLocation)
    let trace = stderr.dropFirst(sentences.count)
    guard isInstalled else {
      #expect(String(trace) == notInstalled, sourceLocation: sourceLocation)
      return
    }
    for word in words { #expect(trace.contains(word), sourceLocation: sourceLocation) }
    for word in [" in vmhost", "vmhost:", "Platform", "took"] {
      #expect(!trace.contains(word), sourceLocation: sourceLocation)
    }
  }

  /// The last log lines are for other tests, and the standard library's lines change.
  private static func withoutLogLines(_ text: String) -> String {
    text.replacing(/Swift\/\w+\.swift:\d+/, with: "Swift/PLACE")
      .replacing(/\ {2}Its last log lines:\n(\ {4}.*\n)+/, with: "")
  }

  private static func crashed(_ place: String, _ activity: String, replaying what: String) -> String
  {
    """
    vmhost: \(place)brokenfixture.so crashed with signal 11 (Segmentation fault) while it \
    \(activity).
    vmhost: replaying \(what) without confinement for a backtrace …

    """
  }

  @Test(arguments: [
    ("crash-in-create", "broken_create", "", "opened broken", "1 event"),
    ("crash-in-send", "broken_send", "<stdin>:2: ", "handled the input \"go\"", "2 events"),
    ("crash-in-destroy", "broken_destroy", "<stdin>:4: ", "closed broken", "4 events"),
  ])
  func `names the function and the line of a crash`(
    _ fault: String, _ function: String, _ place: String, _ activity: String, _ events: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault) + Self.flags, .text("# a comment\n> go\n> go\n@close broken\n"))
    Self.expect(
      output, Self.crashed(place, activity, replaying: events), ["\(function) + ", "instance.c:"])
  }

  @Test func `names the function and the line of a trap in Swift`() async throws {
    let output = try await VMHostRun.output(
      Arguments.kit("faults") + Self.flags, .text("> trap 0\n> trap 2\n> trap 3\n"))
    #expect(output.stdout == "< ok\n< ok\n")
    Self.expect(
      output,
      """
      vmhost: <stdin>:3: kitfixture.so crashed while it handled the input "trap": Swift/PLACE: \
      Fatal error: Index out of range.
      vmhost: replaying 4 events without confinement for a backtrace …

      """, ["static KitFaults.element(at:) + ", "KitFaults.swift:"])
  }

  @Test func `replays what several instances were asked, answers too`() async throws {
    let inputs = (1...300).map { "> good.emit \"16 0 said \($0)\"\n" }.joined()
    let output = try await VMHostRun.output(
      ["run"] + Arguments.text + Self.flags,
      .text(
        """
        @plugin brokenfixture.so
        @open broken as good {"fault":""}
        @open broken as bad {"fault":"crash-at-reply"}
        @open broken as closed {"fault":""}
        @close closed
        > bad.emit "17 1 timer {\\"after\\":\\"1s\\"}"
        \(inputs)+ 1s
        > good.emit "16 0 said 301"

        """))
    #expect(output.lines.filter { $0.hasPrefix("< good.said ") }.count == 300)
    Self.expect(
      output, Self.crashed("<stdin>:307: ", "handled a reply", replaying: "306 events"),
      ["broken_send + ", "instance.c:"])
  }

  @Test(arguments: [
    ("spin-in-send", "broken_send", "> go\n", "handled the input \"go\"", "2 events"),
    ("spin-in-poll", "broken_poll", "> go\n", "handled the input \"go\"", "2 events"),
    ("spin-in-destroy", "broken_destroy", "@close broken\n", "closed broken", "2 events"),
  ])
  func `names the function in which a plugin hangs`(
    _ fault: String, _ function: String, _ input: String, _ activity: String, _ events: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault) + Self.flags + ["--step-timeout", "300ms"], .text(input))
    Self.expect(
      output,
      """
      vmhost: <stdin>:1: brokenfixture.so hangs: it did not return within 300ms while it \
      \(activity).
      vmhost: replaying \(events) without confinement for a backtrace …

      """, ["  0 \(function) + ", "instance.c:"])
  }

  @Test func `names the function that crashes while the library is loaded`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("broken.so")
      try Self.library(with: "crash-in-constructor").write(to: URL(fileURLWithPath: path))
      let output = try await VMHostRun.output(["run", path] + Arguments.text + Self.flags)
      Self.expect(
        output,
        """
        vmhost: Could not load "\(path)": it crashed with signal 11 (Segmentation fault) while it \
        was loaded.
        vmhost: replaying the loading of the plugin without confinement for a backtrace …

        """, ["broken_construct + ", "broken.c:"])
    }
  }

  /// The fixture with a fault of the whole library.
  private static func library(with fault: String) throws -> Data {
    let folder = try TemporaryDirectory()
    let path = try FixtureLibrary.copy(of: "brokenfixture", choosing: fault, in: folder)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `traces nothing if the library was built anew meanwhile`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("broken.so")
      try Self.library(with: "").write(to: URL(fileURLWithPath: path))
      let child = try VMHostRun.start(
        ["run", path, "--config", "{\"fault\":\"crash-in-send\"}"] + Arguments.jsonl + Self.flags)
      while let line = try child.readLine(), !line.contains("\"second\"") {}
      try Self.library(with: "other").write(to: URL(fileURLWithPath: path), options: .atomic)
      try child.writeLine("> go")
      let output = try child.wait()
      #expect(
        output.stderr == """
          vmhost: <stdin>:1: \(path) crashed with signal 11 (Segmentation fault) while it handled \
          the input "go".
          vmhost: replaying 2 events without confinement for a backtrace …
          vmhost: no backtrace: \(path) has changed since it was loaded. Run it again.

          """)
      #expect(output.status == .exited(6))
    }
  }

  @Test(arguments: [
    (
      "crash-unless-traced", "crashed with signal 11 (Segmentation fault)",
      "the replay did not crash: the crash may depend on confinement, timing or memory."
    ),
    (
      "hang-unless-traced", "hangs: it did not return within 300ms",
      "the replay did not hang: the hang may depend on confinement, timing or memory."
    ),
    (
      "kill-in-send", "crashed with signal 9 (Killed)",
      "no backtrace: the replay crashed with signal 9 (Killed) while it handled the input \"go\","
        + " which Swift's backtracer does not catch."
    ),
  ])
  func `says so if the replay shows nothing`(
    _ fault: String, _ ending: String, _ words: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken(fault) + Self.flags + ["--step-timeout", "300ms"], .text("> go\n"))
    // Without a backtracer nobody can tell that it would not have seen anything.
    let isUntold = fault == "kill-in-send" && !Self.isInstalled
    #expect(
      output.stderr == """
        vmhost: <stdin>:1: brokenfixture.so \(ending) while it handled the input "go".
        vmhost: replaying 2 events without confinement for a backtrace …

        """ + (isUntold ? Self.notInstalled : "vmhost: \(words)\n"))
    #expect(output.status == .exited(6))
  }

  @Test(arguments: [
    (["SWIFT_ROOT": "/nowhere"], true, notInstalled),
    (
      ["SWIFT_BACKTRACE": "color=no,swift-backtrace=/nowhere"], false,
      notInstalled.replacing(
        "swift-backtrace was not found", with: "there is no /nowhere, which SWIFT_BACKTRACE names")
    ),
    (
      ["SWIFT_BACKTRACE": "swift-backtrace=/bin/false"], true,
      "vmhost: no backtrace: swift-backtrace failed.\n"
    ),
  ])
  func `says what to install where no backtracer is`(
    _ variables: [String: String], _ replays: Bool, _ words: String
  ) async throws {
    let output = try await VMHostRun.output(
      Arguments.broken("crash-in-send") + Self.flags, .text("> go\n"), environment: variables)
    let sentences = Self.crashed("<stdin>:1: ", "handled the input \"go\"", replaying: "2 events")
    let said = replays ? sentences : sentences.replacing(/vmhost: replaying.*\n/, with: "")
    #expect(output.stderr == said + words)
    #expect(output.status == .exited(6))
  }

  @Test func `finds the trace behind all that a plugin prints`() async throws {
    let output = try await VMHostRun.output(
      Arguments.broken("crash-after-lines") + Self.flags, .text("> go\n"))
    Self.expect(
      output, Self.crashed("<stdin>:1: ", "handled the input \"go\"", replaying: "2 events"),
      ["  0 broken_send + ", "instance.c:"])
    let trace = Self.withoutLogLines(output.stderr)
    #expect(!trace.contains("a line that a plugin printed\n"))
  }

  @Test func `hides secrets in a trace`() async throws {
    let output = try await VMHostRun.output(
      Arguments.broken("crash-in-send") + Self.flags + ["--secret", "key=KEY"], .text("> go\n"),
      environment: ["KEY": "broken_send"])
    Self.expect(
      output, Self.crashed("<stdin>:1: ", "handled the input \"go\"", replaying: "2 events"),
      ["  0 SECRET_key + "])
    #expect(!output.stderr.contains("broken_send"))
  }

  @Test func `changes nothing where no plugin crashes`() async throws {
    let search = ChildProcess.Input.text("> didSearch \"jaws\"\n+ idle\n> didSelectItem 0\n")
    let plain = try await VMHostRun.output(Arguments.movies, search)
    let recorded = try await VMHostRun.output(Arguments.movies + Self.flags, search)
    #expect(recorded.stdout == plain.stdout)
    #expect(recorded.stderr == "")
    #expect(recorded.status == .success)
    // A plugin that breaks its contract has no place where it happened.
    let broken = try await VMHostRun.output(
      Arguments.broken("bad-json") + Self.flags, .text("> go\n"))
    #expect(broken.stderr.hasPrefix("vmhost: <stdin>:1: brokenfixture.so broke its contract"))
    #expect(
      broken.stderr.hasSuffix("\nvmhost: no backtrace: the plugin neither crashed nor hung.\n"))
    #expect(broken.stderr.split(separator: "\n").count == 2)
    #expect(broken.status == .exited(6))
  }

  @Test func `needs a plugin in a process of its own`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--in-process", "--backtrace"],
      stderr: "vmhost: --backtrace needs plugins in processes of their own, so it can't be"
        + " combined with --in-process.\n", status: 2)
  }
}
