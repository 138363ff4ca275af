import Foundation
import HostCore
import TestSupport
import Testing

/// Transcripts that an app or a test plays.
struct TranscriptTests {
  // Foundation has one too.
  private typealias Host = HostCore.Host

  private static let hosts = [Host(), Host(isolation: .inProcess)]

  private static func play(
    _ text: String, with host: Host = hosts[0], stepTimeout: Duration = .seconds(10)
  ) async throws -> TranscriptResult {
    try await TemporaryDirectory.with { folder in
      try folder.write(text, to: "a.vmt")
      return try await Transcript(folder.file("a.vmt")).play(with: host, stepTimeout: stepTimeout)
    }
  }

  @Test(arguments: [0, 1]) func `a transcript passes`(host: Int) async throws {
    let result = try await Self.play(
      "vmt 1\n@plugin echo.so\n@open echo\n> say \"größe\"\n< said \"größe\"\n",
      with: Self.hosts[host])
    #expect(result.verdict == .passed)
    #expect(result.steps == 2)
    #expect(result.differences.isEmpty)
    #expect(result.description.hasSuffix("a.vmt: passed"))
  }

  @Test(arguments: [0, 1]) func `a difference is a value, and reads as a diff`(
    host: Int
  ) async throws {
    let result = try await Self.play(
      "vmt 1\n@plugin echo.so\n@open echo\n> say \"a\"\n< said \"b\"\n> say \"c\"\n< said \"c\"\n",
      with: Self.hosts[host])
    #expect(result.verdict == .failed)
    #expect(result.steps == 3)
    let difference = try #require(result.differences.first)
    #expect(result.differences.count == 1)
    #expect(difference.line == 5)
    #expect(difference.stepLine == 4)
    #expect(difference.summary == "expected < said \"b\", found < said \"a\"")
    #expect(difference.expected == ["< said \"b\""])
    #expect(difference.found == ["< said \"a\""])
    #expect(difference.description.hasSuffix("- < said \"b\"\n+ < said \"a\""))
  }

  @Test func `a transcript that says so is skipped, and says why`() async throws {
    let text = "vmt 1\n@skip waits for the server\n@plugin nosuch.so\n@open echo\n"
    let result = try await Self.play(text)
    #expect(result.verdict == .skipped)
    #expect(result.skipReason == "waits for the server")
    #expect(result.steps == 0)
    #expect(result.differences.isEmpty)
    #expect(result.description.hasSuffix("a.vmt: skipped (waits for the server)"))
    let wrong = try await Self.play(text + "> say [\n")
    #expect(wrong.verdict == .invalid)
    #expect(wrong.skipReason == nil)
  }

  @Test func `a result has what was logged and printed up to its first difference`() async throws {
    let head = "vmt 1\n@plugin printingfixture.so\n@open printing\n> both \"a\"\n"
    let result = try await Self.play(head + "< did \"b\"\n> puts \"c\"\n< did \"c\"\n")
    let name = "printingfixture.so"
    let logs = """
      logged and printed up to line 4:
        line 3: @open printing
          # \(name) printed: loading
          # \(name) printed: opening
        line 4: > both "a"
          # \(name) printed: a out
          # \(name) printed: a err
          # \(name) printed: a out again
          # info from printing: "a"
      """
    #expect(result.logs == logs)
    #expect(result.description.hasSuffix("+ < did \"a\"\n\n" + logs))
    let passed = try await Self.play(head + "< did \"a\"\n")
    #expect(passed.verdict == .passed && passed.logs == "")
    let crashed = try await Self.play(head + "< did \"a\"\n> crash \"x\"\n")
    #expect(crashed.verdict == .crashed)
    #expect(crashed.logs.hasSuffix("  line 6: > crash \"x\"\n    # \(name) printed: x"))
    #expect(!crashed.description.contains("last log lines"))
  }

  @Test func `very many differences are counted`() async throws {
    let steps = (1...30).map { "> say \($0)\n< said \"no\"\n" }.joined()
    let result = try await Self.play("vmt 1\n@plugin echo.so\n@open echo\n" + steps)
    #expect(result.verdict == .failed)
    #expect(result.differences.count + result.moreDifferences == 30)
    #expect(result.description.hasSuffix("more differences"))
  }

  struct Wrong: Sendable {
    let text: String
    let verdict: TranscriptResult.Verdict
    let line: Int
    let words: String
  }

  @Test(arguments: [
    Wrong(text: "", verdict: .invalid, line: 0, words: "it is empty"),
    Wrong(text: "vmt 1\nhello\n", verdict: .invalid, line: 2, words: "no line begins with"),
    Wrong(
      text: "vmt 1\n@plugin echo.so\n@open echo\n> said \"x\"\n< said \"x\"\n", verdict: .failed,
      line: 4, words: "echo has no input \"said\""),
    Wrong(
      text: "vmt 1\n@plugin nothing.so\n@open echo\n< said \"x\"\n", verdict: .notLoaded, line: 2,
      words: "Could not load \"nothing.so\""),
    Wrong(
      text: "vmt 1\n@plugin echo.so\n@open echo\n> say \"x\"\n", verdict: .unverified, line: 0,
      words: ""),
  ])
  func `a transcript that can't be played says why`(wrong: Wrong) async throws {
    let result = try await Self.play(wrong.text)
    #expect(result.verdict == wrong.verdict)
    #expect(result.differences.first?.line ?? 0 == wrong.line)
    let summary = result.differences.first?.summary ?? ""
    #expect(wrong.words.isEmpty ? summary.isEmpty : summary.contains(wrong.words), "\(result)")
  }

  @Test func `a file that isn't there is invalid`() async throws {
    let result = try await Transcript("/nowhere/a.vmt").play(with: Self.hosts[0])
    #expect(result.verdict == .invalid)
    #expect(result.description.contains("could not read the transcript \"/nowhere/a.vmt\""))
  }

  @Test(arguments: [
    ("crash-in-send", TranscriptResult.Verdict.crashed, "crashed with signal 11"),
    ("hang-in-send", .timedOut, "did not return within 200ms"),
  ])
  func `a plugin that breaks down is told from one that differs`(
    _ fault: String, _ verdict: TranscriptResult.Verdict, _ words: String
  ) async throws {
    let result = try await Self.play(
      "vmt 1\n@plugin brokenfixture.so\n@open broken {\"fault\":\"\(fault)\",\"key\":null}\n"
        + "< second 2\n> go\n",
      stepTimeout: .milliseconds(200))
    #expect(result.verdict == verdict, "\(result)")
    #expect(result.differences.last?.summary.contains(words) == true, "\(result)")
  }

  @Test func `all of it must come to an end`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(
        "vmt 1\n@plugin kitfixture.so\n@open kit.ticker\n> start\n+ 1000000h\n",
        to: "a.vmt")
      let transcript = Transcript(folder.file("a.vmt"))
      let result = try await transcript.play(timeout: .milliseconds(300))
      #expect(result.verdict == .timedOut, "\(result)")
      let task = Task { try await transcript.play() }
      task.cancel()
      await #expect(throws: HostError.self) { try await task.value }
    }
  }

  @Test func `without the program for confined plugins nothing is played`() async throws {
    await #expect(throws: HostError.self) {
      try await Self.play(
        "vmt 1\n", with: Host(isolation: .confined(worker: "/nowhere", memory: 1)))
    }
  }

  @Test func `all transcripts of a folder are found, in order`() throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    for name in ["b.vmt", "a/c.vmt", "a.vmt", "d.txt", ".hidden.vmt"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("a"), withIntermediateDirectories: true)
      try folder.write("vmt 1\n", to: name)
    }
    let names = try Transcript.all(in: folder.path + "/").map {
      $0.path.dropFirst(folder.path.count + 1)
    }
    #expect(names == ["a/c.vmt", "a.vmt", "b.vmt"])
    #expect(throws: HostError.self) { try Transcript.all(in: folder.file("nowhere")) }
    #expect(throws: HostError.self) { try Transcript.all(in: "/dev") }
  }

  // MARK: Recording

  @Test(arguments: [0, 1]) func `a recorded session passes as a transcript`(
    host: Int
  ) async throws {
    let host = Self.hosts[host]
    try await TemporaryDirectory.with { folder in
      let path = folder.file("session.vmt")
      let options = SessionOptions(clock: .virtual, seed: 1, time: .zero)
      let session = try await host.session(plugins: ["movies.so"], options: options)
      try await session.record(to: path)
      let list = try await session.open("movies.list")
      try await list.send("didSearch", "jaws")
      try await session.idle()
      await session.close()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix("vmt 1\n@recorded "))
      #expect(text.contains("\n> didSearch \"jaws\"\n"))
      #expect(text.hasSuffix("\n@end\n"))
      let result = try await Transcript(path).play(with: host)
      #expect(result.verdict == .passed, "\(result)")
    }
  }

  @Test func `answers of an app's own handlers are recorded`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("session.vmt")
      let session = try await Self.hosts[0].session(
        plugins: ["kitfixture.so"],
        options: SessionOptions(
          clock: .virtual,
          effects: ["geo.locate": .handler { _ in JSONValue.object(["city": "Paris"]) }]))
      try await session.record(to: path)
      let instance = try await session.open("kit.effects")
      try await instance.send("locate", JSONValue.object(["city": "Oslo"]))
      try await session.idle()
      await session.close()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\n? 1 geo.locate {\"city\":\"Oslo\"}\n! 1 {\"city\":\"Paris\"}\n"))
      #expect(try await Transcript(path).play().verdict == .passed)
    }
  }

  @Test func `a session is recorded once, from its beginning, into a new file`() async throws {
    try await TemporaryDirectory.with { folder in
      let session = try await Self.hosts[0].session(plugins: ["echo.so"])
      try folder.write("mine", to: "taken.vmt")
      for path in [folder.file("taken.vmt"), folder.file("nowhere/a.vmt")] {
        await #expect(throws: HostError.self) { try await session.record(to: path) }
      }
      #expect(try String(contentsOfFile: folder.file("taken.vmt"), encoding: .utf8) == "mine")
      try await session.record(to: folder.file("a.vmt"))
      await #expect(throws: HostError.self) { try await session.record(to: folder.file("b.vmt")) }
      let other = try await Self.hosts[0].session(plugins: ["echo.so"])
      _ = try await other.open("echo")
      await #expect(throws: HostError.self) { try await other.record(to: folder.file("c.vmt")) }
      await session.close()
      await other.close()
      // Nothing has happened in it.
      #expect(!FileManager.default.fileExists(atPath: folder.file("a.vmt")))
    }
  }
}
