import Foundation
import TestSupport
import Testing

/// The tutorial, done as it says from the first line to the last.
@Suite struct TutorialTests {
  private static func steps() throws -> [TutorialStep] {
    try TutorialStep.steps(of: Repository.text("Documentation/Authoring.md"))
  }

  @Test func `who does what the tutorial says sees what it shows`() async throws {
    let steps = try Self.steps()
    #expect(steps.count > 20)
    try await TemporaryDirectory.with { directory in
      let reader = try TutorialReader(
        in: directory, library: "repositories", sources: "Sources/Repositories")
      for step in steps { try await reader.follow(step) }
    }
  }

  @Test func `the tutorial comes by every stage that is built`() throws {
    let stages = try Self.steps().map(\.argument).filter { $0.hasPrefix("Examples/Tutorial/") }
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root())/Examples/Tutorial")
    #expect(stages == folders.sorted().map { "Examples/Tutorial/\($0)" })
  }

  @Test func `its packages have the library that it runs`() async throws {
    let manifests = try Self.steps().filter { $0.argument == "Package.swift" }
    #expect(manifests.count == 2)
    for (manifest, targets) in zip(manifests, [["regular"], ["regular", "test"]]) {
      let package = try await Self.package(manifest.block)
      let products = try #require(package["products"] as? [[String: Any]])
      #expect(products.count == 1)
      #expect(products.first?["name"] as? String == "repositories")
      let type = products.first?["type"] as? [String: Any]
      #expect(type?["library"] as? [String] == ["dynamic"])
      let kinds = (package["targets"] as? [[String: Any]])?.map { $0["type"] as? String }
      #expect(kinds == targets)
    }
  }

  /// What SwiftPM reads in a manifest.
  private static func package(_ manifest: String) async throws -> [String: Any] {
    try await TemporaryDirectory.with { directory in
      try directory.write(manifest, to: "Package.swift")
      let output = try await ChildProcess.run(
        "/usr/bin/env", ["swift", "package", "dump-package"], workingDirectory: directory.path,
        within: .seconds(300))
      #expect(output.status == .success, "\(output.stderr)")
      return try #require(
        try JSONSerialization.jsonObject(with: Data(output.stdoutBytes)) as? [String: Any])
    }
  }

  @Test func `its tests are those of the package that is tested`() throws {
    let folder = "Examples/TestedPackage"
    let steps = try Self.steps()
    let test = steps.first { $0.argument.hasSuffix("/TranscriptTests.swift") }
    #expect(
      test?.block == (try Repository.text("\(folder)/Tests/CartTests/TranscriptTests.swift")))

    // The manifests differ in what is named after the plugin, and in where vmhost is.
    let manifest = try Repository.text("\(folder)/Package.swift")
      .replacing("Cart", with: "Repositories").replacing("cart", with: "repositories")
      .replacing("(name: \"vmhost\", path: \"../..\")", with: "(path: \"../vmhost\")")
    #expect(steps.last { $0.argument == "Package.swift" }?.block == manifest)
  }
}
