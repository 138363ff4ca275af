import CanonicalJSON
import Foundation
import HostCore
import HostShims
import TestSupport
import Testing

/// A plugin that asks the machine itself for time, chance and order sees the session's.
///
/// A sanitizer has functions of its own where vmhost has these.
@Suite(.enabled(if: host_is_sanitized() == 0)) struct DeterminismTests {
  private static let surroundings = [
    "date", "clocks", "uuid", "random", "setOrder", "doubles", "place",
  ]
  private static let concurrency = """
    > task
    > detached
    > group
    + 2s
    > children
    > actors
    > mainActor
    > sleep 300
    + 299ms
    + 1ms
    > race
    > stream
    + idle

    """

  private static func script(_ inputs: [String]) -> String {
    inputs.map { "> \($0)\n" }.joined()
  }

  private static func arguments(_ viewModel: String, _ more: [String] = []) -> [String] {
    ["run", "determinismfixture.so", "--view-model", "sources.\(viewModel)"] + Arguments.text
      + ["--seed", "7", "--time", "2026-01-31T12:00:00.25Z"] + more
  }

  private static func run(
    _ viewModel: String, _ script: String, _ more: [String] = [],
    environment: [String: String] = [:], in folder: String? = nil
  ) async throws -> ChildProcess.Output {
    let output = try await VMHostRun.output(
      arguments(viewModel, more), .text(script), environment: environment,
      workingDirectory: folder)
    #expect(output.stderr == "")
    #expect(output.status == .success)
    return output
  }

  @Test(arguments: [
    ("surroundings", script(surroundings) + "+ 5s\n" + script(surroundings)),
    ("concurrency", concurrency),
  ])
  func `prints the same bytes in every run, whatever surrounds vmhost`(
    _ viewModel: String, _ script: String
  ) async throws {
    let first = try await Self.run(viewModel, script)
    #expect(first.lines.count >= 9)
    let surroundings: [[String: String]] = [
      [:], ["LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"],
      ["SWIFT_DETERMINISTIC_HASHING": "1", "HOME": "/", "XDG_CONFIG_HOME": "/tmp"],
    ]
    try await TemporaryDirectory.with { folder in
      for environment in surroundings {
        let other = try await Self.run(
          viewModel, script, environment: environment, in: folder.path)
        let isSame = other.stdout == first.stdout
        #expect(isSame, "\(environment): \(other.stdout)")
      }
    }
  }

  @Test func `gives the session's time to whoever asks for the machine's`() async throws {
    let output = try await Self.run(
      "surroundings", "> date\n> clocks\n+ 1500ms\n> date\n> clocks\n")
    #expect(
      output.stdout == """
        < saw "1769860800.25"
        < saw "1769860800.250000 1769860800 250000000 0 0.0 seconds 1000.0 seconds"
        < saw "1769860801.75"
        < saw "1769860801.750000 1769860801 750000000 1500000 0.0 seconds 1001.5 seconds"

        """)
  }

  @Test func `gives other random numbers to another seed`() async throws {
    let script = Self.script(["uuid", "random"])
    let first = try await Self.run("surroundings", script)
    let second = try await VMHostRun.output(
      ["run", "determinismfixture.so", "--view-model", "sources.surroundings", "--seed", "8"]
        + Arguments.text, .text(script))
    #expect(Set(first.lines + second.lines).count == 4)
    // Version 4, variant 1.
    let form = /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/
    #expect(Set(first.stdout.matches(of: form).map(\.output)).count == 2)
  }

  @Test func `runs all that Swift runs asynchronously in the session's order and time`()
    async throws
  {
    let output = try await Self.run("concurrency", Self.concurrency)
    #expect(
      output.stdout == """
        < saw "task at 0.0 seconds"
        < saw "detached 4950 at 0.0 seconds"
        < saw "group [0, 25, 3, 11, 6, 14, 22, 17] at 0.4 seconds"
        < saw "children 3 1 at 2.0 seconds"
        < saw "actors [\\"a+\\", \\"b+\\", \\"c+\\", \\"a-\\", \\"b-\\", \\"c-\\"] at 2.0 seconds"
        < saw "main actor at 2.0 seconds"
        < saw "slept 300 at 2.3 seconds"
        < saw "stream [0, 1, 2] at 2.33 seconds"
        < saw "race quick, then cancelled at 2.5 seconds"

        """)
  }

  @Test func `a sleep ends with the session's time and not before`() async throws {
    let output = try await Self.run(
      "concurrency", "> sleep 300\n+ 299999us\n> task\n+ 1us\n> task\n")
    #expect(
      output.stdout == """
        < saw "task at 0.299999 seconds"
        < saw "slept 300 at 0.3 seconds"
        < saw "task at 0.3 seconds"

        """)
  }

  @Test func `a sleep that outlives its instance ends in time by the next one's call`()
    async throws
  {
    let output = try await VMHostRun.output(
      Self.arguments("concurrency"),
      .text(
        """
        @open sources.concurrency as other
        > concurrency.share 500
        + 100ms
        @close concurrency
        > other.share 0
        + 399ms
        > other.task
        + 1ms

        """))
    #expect(
      output.stdout == """
        < saw "task at 0.499 seconds"
        < saw "shared 500 at 0.5 seconds"

        """)
  }

  @Test func `the step limits stop a loop of yields`() async throws {
    let output = try await VMHostRun.output(
      Self.arguments("concurrency"), .text("> task\n> yieldForever\n"))
    #expect(
      output.stdout == """
        < saw "task at 0.0 seconds"
        # error from concurrency: "The plugin's tasks took 100000 turns without an event, as in an \
        endless loop."

        """)
    #expect(
      output.stderr == """
        vmhost: <stdin>:2: determinismfixture.so broke its contract at the input "yieldForever": \
        concurrency (sources.concurrency): poll returned the status -7.

        """)
    #expect(output.status == .exited(6))
  }

  @Test func `a sleep in a loop ends with its session`() async throws {
    let output = try await VMHostRun.output(
      Self.arguments("concurrency"), .text("> sleepForever\n+ 2s\n"))
    #expect(output.lines.count == 2)
    #expect(output.status == .success)
  }

  @Test func `in process the clock and the process are the machine's`() async throws {
    let before = Date().timeIntervalSince1970.rounded(.down)
    let output = try await Self.run("surroundings", "> date\n", ["--in-process"])
    let words = try #require(output.lines.first?.split(separator: "\"").dropFirst().first)
    #expect(try #require(Double(words)) >= before)
    // A sleep is nobody's timer, so that there is nothing to wait for.
    let asleep = try await Self.run("concurrency", "> sleep 60000\n+ idle\n", ["--in-process"])
    #expect(asleep.stdout == "")
  }

  @Test func `the code in Determinism.md is the fixture's`() throws {
    let parts = try Repository.text("Documentation/Determinism.md").split(separator: "<!-- file: ")
      .dropFirst()
    #expect(parts.count == 2)
    for part in parts {
      let file = try #require(part.split(separator: " -->").first)
      let rest = try #require(part.split(separator: "```swift\n").dropFirst().first)
      let code = try #require(rest.split(separator: "```").first)
      let source = try Repository.text(String(file)).split(separator: "\n")
      for line in code.split(separator: "\n") { #expect(source.contains(line), "\(line)") }
    }
  }

  // MARK: Sessions one after another in one worker

  /// What a whole session of one instance emits.
  private func outputs(
    of plugin: any PluginConnection, _ viewModel: String, _ inputs: [String]
  ) throws -> [String] {
    var options = SessionEngine.Options()
    options.seed = 7
    options.epoch = 1_769_860_800_000_000_000
    let session = SessionEngine(options: options, storage: MemoryStorage())
    try session.add(plugin, named: "determinismfixture.so")
    try session.open("sources.\(viewModel)")
    let instance = try #require(session.instances.first)
    var said: [String] = []
    for name in inputs {
      let port = try #require(instance.viewModel.inputs.firstIndex { $0.name == name })
      var batch = InputBatch()
      _ = session.add(to: &batch, instance, port, value: [UInt8]().span, tag: 0)
      try session.deliver(&batch)
      try session.advance(to: session.now + 1_000_000_000)
      said += session.events.records.map { session.events.value(of: $0) }
      session.events.removeAll()
    }
    try session.finish()
    return said
  }

  private func plugin(variation: Int = 0, waitsAwake: Bool = true) throws -> RemotePlugin {
    var sandbox = Sandbox(.bestEffort, worker: try BuildProducts.executable("vmhost"))
    sandbox.variation = variation
    sandbox.waitsAwake = waitsAwake
    return try RemotePlugin(
      path: try BuildProducts.library("determinismfixture"), name: "determinismfixture.so",
      sandbox: sandbox)
  }

  @Test func `a session doesn't show those before it in its worker`() throws {
    let plugin = try plugin()
    let inputs = ["date", "clocks", "uuid", "random", "setOrder"]
    let first = try outputs(of: plugin, "surroundings", inputs)
    // Leaves behind a timer, a loop, and a clock that went far.
    let asynchronous = ["group", "stream", "race", "actors"]
    let left = try outputs(of: plugin, "concurrency", asynchronous + ["sleepForever"])
    #expect(try outputs(of: plugin, "surroundings", inputs) == first)
    #expect(try outputs(of: plugin, "concurrency", asynchronous + ["sleepForever"]) == left)
    #expect(left.last == "\"tick at 5.0 seconds\"")
    #expect(try outputs(of: plugin, "surroundings", ["globals"]) == ["\"1\""])
    // The author's own variables are beyond reach: only another worker forgets them.
    #expect(try outputs(of: plugin, "surroundings", ["globals"]) == ["\"2\""])
  }

  @Test func `addresses don't show how the worker waited for its inputs`() throws {
    let inputs = [String](repeating: "addresses", count: 50)
    let awake = try outputs(of: try plugin(), "surroundings", inputs)
    #expect(try outputs(of: try plugin(waitsAwake: false), "surroundings", inputs) == awake)
  }

  // MARK: What can only be noticed

  @Test func `a variation shows what depends on the order of sets and on addresses`() throws {
    let inputs = ["setOrder", "addresses"]
    let usual = try outputs(of: try plugin(), "surroundings", inputs)
    #expect(try outputs(of: try plugin(), "surroundings", inputs) == usual)
    let varied = try outputs(of: try plugin(variation: 1), "surroundings", inputs)
    #expect(varied[0] != usual[0])
    #expect(varied[1] != usual[1])
    let again = try outputs(of: try plugin(variation: 2), "surroundings", inputs)
    #expect(again[0] != varied[0])
  }

  @Test func `a variation changes nothing else`() throws {
    let inputs = ["date", "clocks", "uuid", "random", "doubles"]
    let usual = try outputs(of: try plugin(), "surroundings", inputs)
    #expect(try outputs(of: try plugin(variation: 1), "surroundings", inputs) == usual)
  }

  @Test func `a strict sandbox takes a variation`() throws {
    guard try Confinement.probe().missing().isEmpty else { return }
    var sandbox = Sandbox(.strict, worker: try BuildProducts.executable("vmhost"))
    sandbox.variation = 3
    #expect(!sandbox.confinement.layers.contains(.fixedAddresses))
    let plugin = try RemotePlugin(
      path: try BuildProducts.library("echo"), name: "echo.so", sandbox: sandbox)
    #expect(plugin.manifest.id == "echo")
  }

  /// With them a run twice over can be seen to differ.
  @Test(arguments: ["processID", "usage"])
  func `nobody controls what a process asks the system itself`(_ input: String) throws {
    let found = try (0..<5).map { _ in
      try outputs(of: try plugin(), "surroundings", [input])
    }
    #expect(Set(found).count > 1)
  }
}
