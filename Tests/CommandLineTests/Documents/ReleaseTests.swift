import Foundation
import HostCore
import TestSupport
import Testing

/// Where a release is named, its version is the program's.
struct ReleaseTests {
  @Test func `the changelog begins with this version and its day`() throws {
    let headings = try Repository.text("CHANGELOG.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") && $0 != "## Unreleased" }
    #expect(headings.first == "## \(HostVersion.number) — \(HostVersion.date)")
  }

  @Test(arguments: [
    "Documentation/Releasing.md", "Examples/ci/github.yml", "Examples/ci/gitlab.yml",
  ])
  func `a document names this version and no other`(_ path: String) throws {
    let versions = try Repository.text(path).matches(of: /[0-9]+\.[0-9]+\.[0-9]+/).map(\.output)
    #expect(!versions.isEmpty)
    #expect(versions.allSatisfy { $0 == HostVersion.number }, "\(versions)")
  }

  @Test func `the programs and places that a release needs are there`() throws {
    let text = try Repository.text("Documentation/Releasing.md")
    let root = try Repository.root()
    for program in [".ci/run", "Packaging/bundle", "Packaging/try"] {
      #expect(text.contains("\n   \(program)\n"))
      #expect(FileManager.default.isExecutableFile(atPath: "\(root)/\(program)"))
    }
    #expect(text.contains("`Sources/HostCore/System/HostVersion.swift`"))
    #expect(text.contains(HostVersion.date))
    // Each as a type's name and its property.
    for match in text.matches(of: /`([A-Z][A-Za-z]+)\.([a-zV]+ersion)`/) {
      let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources")
        .filter { $0.hasSuffix("/\(match.1).swift") }
      let source = try #require(sources.first, "\(match.1)")
      #expect(try Repository.text("Sources/\(source)").contains("let \(match.2)"), "\(match.0)")
    }
  }

  @Test(arguments: [
    "Transcripts.md", "TestEvents.md", "WorkerProtocol.md", "ABI.md", "FrontEnds.md",
    "EffectProviders.md", "Flows.md", "Schemas/lines.schema.json", "Schemas/flow.schema.json",
  ])
  func `each document of a format begins by saying that it is a preview`(_ name: String) throws {
    let beginning = try Repository.text("Documentation/\(name)").split(separator: "\n").prefix(8)
    let says = beginning.contains { $0.contains(/is a preview: it may .* until vmhost 1\.0\./) }
    #expect(says == HostVersion.number.hasPrefix("0."))
  }
}
