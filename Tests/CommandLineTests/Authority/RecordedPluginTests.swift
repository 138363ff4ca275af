import Foundation
import HostCore
import TestSupport
import Testing

/// Transcripts that were recorded with another library than the one that plays them.
struct RecordedPluginTests {
  /// A folder with two recordings of a plugin that was built otherwise since, with the hashes of
  /// both libraries.
  private static func withRecordings(
    _ body: (_ folder: TemporaryDirectory, _ recorded: String, _ found: String) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let library = folder.file("film.so")
      try await PosingPlugin.compile("film", to: library)
      let recorded = try SHA256.digest(ofFile: library)
      for name in ["a.vmt", "b.vmt"] {
        _ = try await Recording.of(
          ["run", "film.so", "--clock", "virtual"], .text("> measure\n"), in: folder, as: name)
      }
      try FileManager.default.removeItem(atPath: library)
      try await PosingPlugin.compile("film", to: library, loaded: "built again")
      try await body(folder, recorded, try SHA256.digest(ofFile: library))
    }
  }

  private static func text(_ name: String, in folder: TemporaryDirectory) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  @Test(arguments: [[], ["--sandbox", "strict"], ["--show-logs"]])
  func `test says it once, and passes`(_ more: [String]) async throws {
    try await Self.withRecordings { folder, recorded, found in
      let output = try await VMHostRun.output(
        ["test", "a.vmt", "b.vmt"] + more, workingDirectory: folder.path)
      #expect(output.stdout.contains("2 passed"))
      // Before it there is the progress.
      #expect(
        output.stderr.hasSuffix(
          """
          vmhost: film is not the library that 2 transcripts were recorded with: its SHA-256 is \
          \(found), and was \(recorded).

          """))
      #expect(output.status == .success)
    }
  }

  @Test func `replay says it once for all`() async throws {
    try await Self.withRecordings { folder, recorded, found in
      let output = try await VMHostRun.output(
        ["replay", "a.vmt", "b.vmt", "--format", "text"], workingDirectory: folder.path)
      #expect(
        output.stderr == """
          vmhost: film is not the library that 2 transcripts were recorded with: its SHA-256 is \
          \(found), and was \(recorded).

          """)
      #expect(output.status == .success)
    }
  }

  @Test func `--strict-plugins fails them`() async throws {
    try await Self.withRecordings { folder, recorded, found in
      let words = """
        film is not the library that this was recorded with: its SHA-256 is \(found), and was \
        \(recorded).
        """
      let test = try await VMHostRun.output(
        ["test", "a.vmt", "b.vmt", "--strict-plugins", "--junit", "j.xml"],
        workingDirectory: folder.path)
      #expect(test.stdout.contains(words) && test.stdout.contains("2 failed"), "\(test.stdout)")
      #expect(!test.stderr.contains("film"))
      #expect(test.status == .exited(1))
      #expect(try Self.text("j.xml", in: folder).contains(words))
      try await VMHostRun.expect(
        ["replay", "a.vmt", "--strict-plugins", "--format", "text"], workingDirectory: folder.path,
        stdout: """
          @open film.box
          # film.so printed: built again
          > measure
          < length 0

          """,
        stderr: "vmhost: a.vmt: \(words)\n",
        status: 1)
      for command in ["replay", "test"] {
        try await VMHostRun.expect(
          [command, "a.vmt", "--strict-plugins", "--in-process"], workingDirectory: folder.path,
          stderr: "vmhost: --strict-plugins needs plugins in processes of their own, so it can't"
            + " be combined with --in-process.\n", status: 2)
      }
    }
  }

  @Test func `an update notes the library that it was made for, in files that it changes`()
    async throws
  {
    try await Self.withRecordings { folder, recorded, found in
      let before = try Self.text("a.vmt", in: folder)
      let other = try Self.text("b.vmt", in: folder).replacing("length 0", with: "length 9")
      try folder.write(other, to: "b.vmt")
      let output = try await VMHostRun.output(
        ["test", "a.vmt", "b.vmt", "--update"], workingDirectory: folder.path)
      #expect(output.status == .success, "\(output.stdout)")
      #expect(try Self.text("a.vmt", in: folder) == before)
      #expect(
        try Self.text("b.vmt", in: folder)
          == other.replacing("length 9", with: "length 0").replacing(recorded, with: found))
    }
  }
}
