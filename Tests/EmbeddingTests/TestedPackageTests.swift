import Foundation
import TestSupport
import Testing

/// The example of a package whose transcripts are tests, as its author runs them.
struct TestedPackageTests {
  private static let example = "Examples/TestedPackage"

  @Test func `its tests pass, and fail with the difference where a golden is changed`()
    async throws
  {
    try await TemporaryDirectory.with { folder in
      try Self.copy(to: folder.path)
      let passed = try await Self.test(in: folder.path)
      #expect(passed.status == .success, "\(passed.stdout)\n\(passed.stderr)")
      #expect(passed.stdout.contains("\"plays as it is written\" with 2 test cases passed"))
      #expect(passed.stdout.contains("\"the total counts each line"))

      let golden = "Tests/CartTests/Transcripts/add.vmt"
      let text = try String(contentsOfFile: folder.file(golden), encoding: .utf8)
      try folder.write(text.replacing("< total 700", with: "< total 701"), to: golden)
      let failed = try await Self.test(in: folder.path)
      #expect(failed.status != .success)
      let lines = failed.stdout.split(separator: "\n").map { $0.drop { "± ↳\t".contains($0) } }
      #expect(lines.contains("- total 701") || lines.contains("- < total 701"), "\(failed.stdout)")
      #expect(lines.contains("+ < total 700"))
      #expect(failed.stdout.contains("expected < total 701, found < total 700"))
      #expect(failed.stdout.contains("1 issue"))
    }
  }

  /// Copies the example, which elsewhere depends on vmhost by another path.
  private static func copy(to folder: String) throws {
    let source = try "\(Repository.root())/\(example)"
    for name in ["Package.swift", "Sources", "Tests"] {
      try FileManager.default.copyItem(
        atPath: "\(source)/\(name)", toPath: "\(folder)/\(name)")
    }
    let manifest = "\(folder)/Package.swift"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let dependency = ".package(name: \"vmhost\", path: \"../..\")"
    try #require(text.contains(dependency))
    try text.replacing(
      dependency, with: ".package(name: \"vmhost\", path: \"\(Repository.root())\")"
    ).write(toFile: manifest, atomically: true, encoding: .utf8)
  }

  private static func test(in folder: String) async throws -> ChildProcess.Output {
    try await ChildProcess.run(
      "/usr/bin/env", ["swift", "test"], workingDirectory: folder, within: .seconds(1500))
  }

  @Test func `the documentation shows the example's test and manifest`() throws {
    let page = try Repository.text("Documentation/Testing.md")
    for file in ["Package.swift", "Tests/CartTests/TranscriptTests.swift"] {
      let source = try Repository.text("\(Self.example)/\(file)")
      #expect(page.contains("<!-- file: \(Self.example)/\(file) -->\n```swift\n\(source)```\n"))
    }
  }
}
