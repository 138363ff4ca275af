import TestSupport
import Testing

/// Plugins of released versions of the ABI (`Tests/Compatibility`), with the host of today.
struct CompatibilityTests {
  @Test(arguments: try ReleasedPlugin.all())
  func `a released plugin passes its transcripts`(_ plugin: ReleasedPlugin) async throws {
    try await TemporaryDirectory.with { libraries in
      guard try await plugin.compile(into: libraries) else { return }
      // From that folder, since a library of this name in the present one would come first.
      func vmhost(_ arguments: [String]) async throws -> ChildProcess.Output {
        try await VMHostRun.output(
          arguments + ["--plugin-path", libraries.path], workingDirectory: libraries.path)
      }

      let description = try await vmhost(["describe", "\(plugin.name).so"])
      #expect(description.lines.first == "\(plugin.name) 1.0.0")
      #expect(description.status == .success, "\(description.stderr)")

      let test = try ["test", "\(Repository.root())/\(plugin.folder)", "--port-coverage"]
      let count = try plugin.transcripts().count
      for mode in [[], ["--in-process"]] {
        let output = try await vmhost(test + mode)
        #expect(output.stdout.hasPrefix("\(count) passed in "), "\(output.stdout)")
        #expect(output.lines.filter { $0.hasPrefix("  untouched: ") } == [])
        #expect(output.status == .success, "\(output.stderr)")
      }
    }
  }

  /// A session with what no transcript holds: a refusal, a fault or a log line.
  struct Session {
    let script: String
    var options: [String] = []
    var output = ""
    /// What the plugin says of an input, answer or config that it refuses.
    var refusal = ""
    let status: Int32
  }

  private static let echo = [
    Session(script: "@open echo\n> say", refusal: "the input say needs a value", status: 2)
  ]
  private static let todo = [
    Session(
      script: "@open todo.list\n> add \"\"", refusal: "a title has 1 to 20 characters", status: 2),
    Session(script: "@open todo.list\n> finish 3", refusal: "there is no item 3", status: 2),
    Session(
      script: "@open todo.list\n> suggest\n! 1 7", output: "< suggesting true\n",
      refusal: "a title is a string", status: 2),
    Session(
      script: "@open todo.list\n> pick",
      output: "# info from list: \"nothing is left to pick\"\n", status: 0),
    Session(
      script: "@storage todo 5\n@open todo.list",
      output: "# fault of list in \"storage.get\": \"what is stored is no list\"\n", status: 1),
  ]
  private static let tools = [
    Session(
      script: "@open tools.stopwatch {\"tick\":1}",
      refusal: "tools.stopwatch can't take this config: tick: expected a string, found 1",
      status: 2),
    Session(
      script: "@open tools.converter\n> to \"USD\"\n> to \"EURO\"", output: "< loading true\n",
      refusal: "a currency has three letters, such as \"EUR\" (€)", status: 2),
    Session(
      script: "@timezone Asia/Tokyo\n@open tools.stopwatch",
      output: "# debug from stopwatch: \"in Asia/Tokyo, in a process that is the plugin's\"\n",
      status: 0),
    Session(
      script: "@open tools.stopwatch", options: ["--in-process"],
      output: "# debug from stopwatch: \"in UTC, in a process that is shared\"\n", status: 0),
  ]

  @Test(arguments: [("1.0", "echo", echo), ("1.0", "todo", todo), ("1.0", "tools", tools)])
  func `what a released plugin refuses and logs arrives`(
    _ release: String, _ name: String, _ sessions: [Session]
  ) async throws {
    let plugin = try #require(
      try ReleasedPlugin.all().first { $0.release == release && $0.name == name })
    try await TemporaryDirectory.with { folder in
      guard try await plugin.compile(into: folder) else { return }
      for session in sessions {
        let script = try folder.write("@plugin \(name).so\n\(session.script)\n", to: "script.vmt")
        let output = try await VMHostRun.output(
          ["run", "--script", script] + Arguments.text + session.options,
          workingDirectory: folder.path)
        #expect(output.stdout.contains(session.output), "\(output.stdout)")
        #expect(output.stderr.contains(session.refusal), "\(output.stderr)")
        #expect(output.stderr.isEmpty == session.refusal.isEmpty, "\(output.stderr)")
        #expect(output.status == .exited(session.status), "\(session.script)")
      }
    }
  }

  @Test(arguments: try ReleasedPlugin.releases())
  func `the header keeps what a release has`(_ release: String) async throws {
    let root = try Repository.root()
    try await Compiler.cxx.run(
      ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        + ["-I", "\(root)/Sources/PluginABI/include"]
        + ["\(root)/\(ReleasedPlugin.root)/\(release)/layout.cpp"])
  }
}
