import Foundation
import TestSupport
import Testing

/// Projects that `vmhost new` makes, in the hands of their author.
struct NewProjectTests {
  @Test(arguments: ["swift", "c", "cpp", "rust"])
  func `a new project is built, run and tested as its README says`(
    _ language: String
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let clone =
        try language == "swift" ? Self.clone(in: folder, "another name") : Repository.root()
      let output = try await Self.run(
        "\(Repository.root())/Examples/plugins/try", [language],
        ["VMHOST": BuildProducts.executable("vmhost"), "VMHOST_CLONE": clone], in: folder)
      print(output.stdout, terminator: "")
      #expect(output.status == .success, "\(output.stdout)\(output.stderr)")
    }
  }

  @Test func `a new project takes the kit from a repository of any name`() async throws {
    guard let git = Programs.path(of: "git") else {
      print("git is missing: a project that takes the kit from a repository isn't tried")
      return
    }
    try await TemporaryDirectory.with { folder in
      let clone = try Self.clone(in: folder, "fork.git")
      for arguments in [
        ["init", "-q"], ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "All"],
        ["tag", "1.2.3"],
      ] {
        let output = try await Self.run(git, ["-C", clone] + arguments, in: folder)
        try #require(output.status == .success, "\(output.stderr)")
      }
      let made = try await VMHostRun.output(
        ["new", "my-cart", "--url", "file://\(clone)", "--version", "1.2.3"],
        workingDirectory: folder.path)
      #expect(made.status == .success, "\(made.stderr)")
      let built = try await Self.run(
        "/usr/bin/env",
        [
          "swift", "build", "--package-path", folder.file("my-cart"),
          // What SwiftPM knows of another repository of this name.
          "--cache-path", folder.file("cache"), "--security-path", folder.file("security"),
        ], in: folder)
      #expect(built.status == .success, "\(built.stdout)\(built.stderr)")
      let tested = try await VMHostRun.output(
        ["test", "Transcripts", "--plugin-path", ".build/debug"],
        workingDirectory: folder.file("my-cart"))
      #expect(tested.stdout.hasPrefix("1 passed in "), "\(tested.stdout)\(tested.stderr)")
    }
  }

  /// Copies the package, as a clone has it.
  private static func clone(in folder: TemporaryDirectory, _ name: String) throws -> String {
    let root = try Repository.root()
    let clone = folder.file(name)
    try FileManager.default.createDirectory(atPath: clone, withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: root)
    where !name.hasPrefix(".") {
      try FileManager.default.copyItem(atPath: "\(root)/\(name)", toPath: "\(clone)/\(name)")
    }
    return clone
  }

  private static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:],
    in folder: TemporaryDirectory
  ) async throws -> ChildProcess.Output {
    try await ChildProcess.run(
      program, arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      workingDirectory: folder.path, within: .seconds(1500))
  }
}
