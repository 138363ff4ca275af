import Foundation
import TestSupport
import Testing

/// The transcripts of the repository, run as their README says.
@Suite struct TranscriptSuiteTests {
  private static let folders = ["Tests/Transcripts", "Examples"]

  /// All transcripts, by their names from the root, but those of a package that has its own tests.
  private static func transcripts() throws -> [String] {
    let root = try Repository.root()
    return try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
        .filter { $0.hasSuffix(".vmt") && !$0.hasPrefix("TestedPackage/") }.sorted()
        .map { "\(folder)/\($0)" }
    }
  }

  @Test func `every transcript passes, and none is without expectations`() async throws {
    let transcripts = try Self.transcripts()
    let count = transcripts.count
    let output = try await VMHostRun.output(
      ["test"] + transcripts, workingDirectory: Repository.root())
    #expect(count > 80)
    #expect(output.lines.count == 1, "\(output.stdout)")
    #expect(output.lines.last?.hasPrefix("\(count) passed in ") == true, "\(output.stdout)")
    #expect(output.status == .success)
  }

  @Test(arguments: ["movies", "account"])
  func `the transcripts of a plugin touch every port that it has`(plugin: String) async throws {
    let output = try await VMHostRun.output(
      ["test", "Tests/Transcripts/\(plugin)", "--port-coverage"],
      workingDirectory: Repository.root())
    #expect(output.lines.filter { $0.hasPrefix("  untouched: ") } == [])
    #expect(output.lines.last?.hasSuffix(" inputs, states and signals are touched.") == true)
    #expect(output.status == .success)
  }

  @Test func `every transcript first says what it shows`() throws {
    for name in try Self.transcripts() {
      let lines = try Repository.text(name).split(separator: "\n", maxSplits: 2)
      #expect(lines[0] == "vmt 1", "\(name)")
      #expect(lines[1].hasPrefix("# ") && lines[1].hasSuffix("."), "\(name)")
    }
  }

  @Test func `the commands of the transcripts' README work`() async throws {
    let readme = try Repository.text("Tests/Transcripts/README.md")
    let commands = try #require(
      readme.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
    let output = try await ChildProcess.run(
      "/bin/sh", ["-ec", String(commands)],
      environment: ["PATH": "\(BuildProducts.directory):/usr/bin:/bin"],
      workingDirectory: Repository.root())
    #expect(output.lines.filter { $0.contains(" passed in ") }.count == 2, "\(output.stdout)")
    #expect(output.stdout.contains("Release Date: Jun 15, 2005"))
    #expect(output.status == .success)
  }

  @Test(
    arguments: [
      (#"< query "batman""#, #"< query "catman""#),
      (#"< loading "fullScreen""#, #"< loading "fullscreen""#),
    ])
  func `one character that differs is found, and its line is named`(
    expectation: String, changed: String
  ) async throws {
    let text = try Repository.text("Tests/Transcripts/movies/list-search.vmt")
    let parts = text.split(separator: expectation)
    try #require(parts.count == 2)
    let number = parts[0].split(separator: "\n", omittingEmptySubsequences: false).count
    try await TemporaryDirectory.with { folder in
      try folder.write(parts.joined(separator: changed), to: "changed.vmt")
      let output = try await VMHostRun.output(
        ["test", "changed.vmt"], workingDirectory: folder.path)
      #expect(
        output.lines.first
          == "failed: changed.vmt:\(number): expected \(changed), found \(expectation)")
      #expect(output.lines.last?.hasPrefix("1 failed in ") == true, "\(output.stdout)")
      #expect(output.status == .exited(1))
    }
  }
}
