import TestSupport
import Testing

/// Transcripts for tests: how they begin, and what vmhost makes of them.
enum Transcript {
  /// The fixture that emits whatever its input `emit` says. Its first frame is in lines 4 and 5.
  static let broken = broken()
  /// The view model that says back what it is told, in lines up to 3.
  static let echo = "vmt 1\n@plugin echo.so\n@open echo\n"
  /// Makes a request for each input, one after the other, in lines up to 3.
  static let effects = "vmt 1\n@plugin kitfixture.so\n@open kit.effects as list\n"
  /// Works that take a second each, in lines up to 4.
  static let works = "vmt 1\n@plugin kitfixture.so\n@open kit.works as works\n< busy false\n"

  /// The fixture with a fault of its own.
  static func broken(_ fault: String? = nil) -> String {
    let config = fault.map { "{\"fault\":\"\($0)\",\"key\":null}" }
    return """
      vmt 1
      @plugin brokenfixture.so
      @open broken\(config.map { " \($0)" } ?? "")
      < info {"config":\(config ?? "{\"key\":\"SECRET_key\"}"),"epoch":0,"locale":"en_US",\
      "seed":16294208416658607535,"time":0,"timeZone":"UTC"}
      < second 2

      """
  }

  /// The line of an input that has the fixture emit these events.
  static func emit(_ events: String...) -> String {
    let text = events.joined(separator: "\\n").replacing("\"", with: "\\\"")
    return "> emit \"\(text)\"\n"
  }

  /// The head of each diff.
  static let legend = "- expected (the transcript)   + found (this run)"

  /// Replays a transcript, as text unless `options` say otherwise.
  static func replay(
    _ text: String, _ options: [String] = ["--format", "text"]
  ) async throws -> ChildProcess.Output {
    try await run("replay", text, options)
  }

  /// Runs a command on a transcript, `a.vmt`, in a folder of its own.
  static func run(
    _ command: String, _ text: String, _ options: [String] = []
  ) async throws -> ChildProcess.Output {
    try await TemporaryDirectory.with { folder in
      try folder.write(text, to: "a.vmt")
      return try await VMHostRun.output(
        [command, "a.vmt"] + options, workingDirectory: folder.path)
    }
  }

  /// Expects that a replay complains in these words, behind `vmhost: a.vmt:`, and ends with this
  /// status.
  static func expectComplaint(
    of text: String, _ words: String, status: Int32, _ options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await replay(text, ["--format", "text"] + options)
    let expected = words.isEmpty ? "" : "vmhost: a.vmt:\(words)\n"
    #expect(output.stderr == expected, sourceLocation: sourceLocation)
    #expect(output.status == .exited(status), sourceLocation: sourceLocation)
  }

  /// Expects that it passes.
  static func expectPass(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await run("test", text)
    let hasPassed = output.lines.last?.hasPrefix("1 passed in ") == true
    #expect(hasPassed, "\(output.stdout.prefix(2000))", sourceLocation: sourceLocation)
    #expect(output.status == .success, sourceLocation: sourceLocation)
  }
}
