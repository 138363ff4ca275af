import Foundation
import TestSupport
import Testing

/// The files for CI engines, checked by the engines' schemas and by shellcheck.
struct CILintTests {
  /// What check-jsonschema says of a file; nil where it is missing.
  private static func complaints(_ path: String, _ engine: CIFile.Engine) async throws -> String? {
    guard let checker = Programs.path(of: "check-jsonschema") else {
      print("check-jsonschema is missing: files for CI aren't checked with it")
      return nil
    }
    let options =
      switch engine {
      case .github: ["--builtin-schema", "vendor.github-workflows"]
      case .gitlab:
        ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]
      }
    let output = try await ChildProcess.run(checker, options + [path])
    guard output.status != .success else { return "" }
    return output.stdout + output.stderr
  }

  @Test(arguments: CIFile.Engine.allCases)
  func `an example follows its engine's schema`(_ engine: CIFile.Engine) async throws {
    let path = try "\(Repository.root())/Examples/ci/\(engine).yml"
    guard let complaints = try await Self.complaints(path, engine) else { return }
    #expect(complaints == "")
    // The checker sees what is wrong.
    try await TemporaryDirectory.with { folder in
      let text = try CIFile(engine).text
      for (right, wrong) in [("needs: build", "neds: build"), ("  script:", "  scrpt:")]
      where text.contains(right) {
        let path = try folder.write(text.replacing(right, with: wrong), to: "wrong.yml")
        let complaints = try #require(try await Self.complaints(path, engine))
        #expect(complaints.contains("Schema validation errors"), "\(complaints)")
      }
    }
  }

  @Test(arguments: [
    ["--language", "swift"], ["--language", "c"], ["--language", "cpp"], ["--language", "rust"],
    ["--url", "https://example.com/vmhost.git", "--version", "1.2.3"],
  ])
  func `the workflow of a new project follows GitHub's schema`(_ options: [String]) async throws {
    try await TemporaryDirectory.with { folder in
      let made = try await VMHostRun.output(
        ["new", "cart"] + options, workingDirectory: folder.path)
      try #require(made.status == .success, "\(made.stderr)")
      let path = folder.file("cart/.github/workflows/test.yml")
      guard let complaints = try await Self.complaints(path, .github) else { return }
      #expect(complaints == "")
    }
  }

  @Test(arguments: CIFile.Engine.allCases)
  func `shellcheck finds nothing in the steps of an example`(_ engine: CIFile.Engine) async throws {
    guard let shellcheck = Programs.path(of: "shellcheck") else {
      print("shellcheck is missing: the steps of files for CI aren't checked with it")
      return
    }
    let file = try CIFile(engine)
    for job in ["build", "test", "report"] {
      for script in file.scripts(of: job) {
        let output = try await ChildProcess.run(
          shellcheck, ["--norc", "--shell=bash", "-"], input: .text(script + "\n"))
        #expect(output.status == .success, "\(job): \(output.stdout)")
      }
    }
  }
}
