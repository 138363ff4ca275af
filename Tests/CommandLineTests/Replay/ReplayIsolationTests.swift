import Foundation
import TestSupport
import Testing

/// A replay touches nothing that is real.
struct ReplayIsolationTests {
  @Test(arguments: ["replay", "test"])
  func `connects to nobody, whatever a transcript asks for`(_ command: String) async throws {
    try await LoopbackServer.with { _ in
      .json("{}")
    } run: { server in
      let request = "? 1 http {\"method\":\"GET\",\"url\":\"\(server.url)/\"}\n"
      for (expected, words) in [
        ("", "the plugin made one more request: found ? 1 http"),
        (request, "left over: request 1 of list, \"http\", is still open at the end."),
        (request + "+ idle\n+ 1h\n", "left over: request 1 of list, \"http\", is still open"),
      ] {
        let text = Transcript.effects + "> get \"\(server.url)/\"\n\(expected)> ping\n"
        let output = try await Transcript.run(
          command, text.replacing("> ping\n", with: expected.isEmpty ? "> ping\n< result 1\n" : ""))
        #expect((output.stdout + output.stderr).contains(words))
        #expect(output.status == .exited(1))
      }
      // And one that it answers itself.
      try await Transcript.expectPass(
        Transcript.effects + "> get \"\(server.url)/\"\n\(request)! 1 {\"status\":204}\n"
          + "< result \"204 text \"\n")
      #expect(server.connections == 0)
    }
  }

  @Test func `leaves stored values alone`() async throws {
    try await TemporaryDirectory.with { folder in
      let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.file("data")]
      let session = Arguments.kit("effects") + ["--store", "store"]
      let store = try await VMHostRun.output(
        session, .text("> storageSet {\"key\":\"a\",\"value\":\"mine\"}\n"),
        environment: environment, workingDirectory: folder.path)
      #expect(store.stdout == "< result \"set\"\n", "\(store.stderr)")
      let before = try Self.files(in: folder.path)
      let text =
        Transcript.effects + """
          > storageGet "a"
          < result "nothing"
          > storageSet {"key":"a","value":"other"}
          < result "set"
          > storageSet {"key":"b","value":1}
          < result "set"

          """
      try folder.write(text, to: "a.vmt")
      for command in ["replay", "test"] {
        let output = try await VMHostRun.output(
          [command, "a.vmt"], environment: environment, workingDirectory: folder.path)
        #expect(output.status == .success, "\(output.stdout)")
      }
      try FileManager.default.removeItem(atPath: folder.file("a.vmt"))
      let after = try Self.files(in: folder.path).filter { !$0.key.contains("cache") }
      let isSame = before == after
      #expect(isSame, "\(before.keys) \(after.keys)")
      let read = try await VMHostRun.output(
        session, .text("> storageGet \"a\"\n> storageList \"\"\n"), environment: environment,
        workingDirectory: folder.path)
      #expect(read.stdout == "< result \"\\\"mine\\\"\"\n< result \"a\"\n")
    }
  }

  private static func files(in folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
    return files
  }

  @Test func `gives a plugin the name of a secret, and knows none`() async throws {
    let text = """
      vmt 1
      @plugin brokenfixture.so
      @open broken {"token":"$secret:tmdb"}

      """
    let output = try await TemporaryDirectory.with { folder in
      try folder.write(text, to: "a.vmt")
      return try await VMHostRun.output(
        ["replay", "a.vmt", "--format", "text"], environment: ["tmdb": "hidden", "TMDB": "hidden"],
        workingDirectory: folder.path)
    }
    #expect(
      output.stdout.contains("\"token\": \"SECRET_tmdb\""), "\(output.stdout)\(output.stderr)")
    #expect(!output.stdout.contains("hidden"))
  }

  /// The text of a step comes from whoever wrote the transcript.
  @Test func `shows nothing that steers a terminal`() async throws {
    let output = try await Transcript.replay(
      Transcript.echo + "> say \"\u{9b}31m\u{7f}\"\n< said \"\u{9b}32m\"\n")
    let isHarmless = !(output.stdoutBytes + output.stderrBytes).contains {
      $0 < 0x20 && $0 != 0x0a || $0 == 0x7f || $0 == 0x9b || $0 == 0xc2
    }
    #expect(isHarmless, "\(output.stdout)\(output.stderr)")
    #expect(
      output.stdout == "@open echo\n> say \"\\u009b31m\\u007f\"\n< said \"\\u009b31m\\u007f\"\n")
    #expect(output.status == .exited(1))
  }
}
