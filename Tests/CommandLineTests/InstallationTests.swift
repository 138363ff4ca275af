import Foundation
import TestSupport
import Testing

/// vmhost in the folders of an installation, and a plugin that has no runtime elsewhere.
struct InstallationTests {
  /// Puts vmhost and two plugins where an installation has them.
  private static func withInstallation(
    _ body: (_ prefix: TemporaryDirectory, _ vmhost: String) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { prefix in
      let files = FileManager.default
      for folder in ["bin", "lib/vmhost/plugins", "share/vmhost/package/Sources/ViewModelKit"] {
        try files.createDirectory(
          atPath: prefix.file(folder), withIntermediateDirectories: true)
      }
      try prefix.write("", to: "share/vmhost/package/Package.swift")
      for plugin in ["movies", "account"] {
        try files.copyItem(
          atPath: BuildProducts.library(plugin),
          toPath: prefix.file("lib/vmhost/plugins/lib\(plugin).so"))
      }
      let vmhost = prefix.file("bin/vmhost")
      // Copied by another process. A program that this one writes can't run while a process that
      // another test starts has the file open, too.
      _ = try await Self.run(
        "/bin/cp", [BuildProducts.executable("vmhost"), vmhost], in: prefix.path)
      try await body(prefix, vmhost)
    }
  }

  private static func run(_ program: String, _ arguments: [String], in folder: String) async throws
    -> ChildProcess.Output
  {
    try await ChildProcess.run(
      program, arguments, environment: [:], workingDirectory: folder, input: .null,
      within: .seconds(300))
  }

  @Test func `finds the sample plugins, also through a link`() async throws {
    try await Self.withInstallation { prefix, vmhost in
      let link = prefix.file("link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "bin/vmhost")
      for program in [vmhost, link] {
        let output = try await Self.run(program, ["describe", "movies.so"], in: prefix.path)
        #expect(output.stderr == "")
        #expect(output.stdout.hasPrefix("movies 1.0.0"))
      }
      let output = try await Self.run(vmhost, ["describe", "movie.so"], in: prefix.path)
      #expect(output.stderr.contains("Did you mean \"movies.so\"?"))
      #expect(output.stderr.contains(prefix.file("lib/vmhost/plugins/libmovie.so")))
    }
  }

  @Test func `a new project depends on the installed package`() async throws {
    try await Self.withInstallation { prefix, vmhost in
      let output = try await Self.run(vmhost, ["new", "mine"], in: prefix.path)
      #expect(output.stderr == "")
      let manifest = try String(contentsOfFile: prefix.file("mine/Package.swift"), encoding: .utf8)
      #expect(manifest.contains("?? \"\(prefix.file("share/vmhost/package"))\""))
    }
  }

  /// The plugin needs Foundation, which vmhost itself hasn't loaded, and its own search path leads
  /// to a folder that isn't there.
  @Test(arguments: ["run", "test", "lock"], [[], ["--in-process"]])
  func `the installed Swift runtime goes before the plugin's own`(
    _ command: String, _ options: [String]
  ) async throws {
    try await Self.withInstallation { prefix, vmhost in
      let library = prefix.file("lib/vmhost/plugins/libaccount.so")
      let runtime = try #require(try Self.runtime(of: vmhost))
      try Self.replace(runtime, with: "/nowhere" + runtime.dropFirst(8), in: library)
      try prefix.write("vmt 1\n# Nothing.\n@plugin account.so\n", to: "nothing.vmt")
      let arguments =
        switch command {
        case "run": ["run", "account.so"] + options
        case "test": ["test", "nothing.vmt"]
        default: ["lock", "account.so"] + options
        }
      let failed = try await Self.run(vmhost, arguments, in: prefix.path)
      #expect(failed.status != .exited(0))
      #expect((failed.stdout + failed.stderr).contains("libFoundation"), "\(failed)")

      try FileManager.default.createSymbolicLink(
        atPath: prefix.file("lib/vmhost/swift"), withDestinationPath: runtime)
      let output = try await Self.run(vmhost, arguments, in: prefix.path)
      #expect(output.status == .exited(0), "\(output)")
    }
  }

  /// The folder of the toolchain's libraries that a program names.
  private static func runtime(of program: String) throws -> String? {
    let text = try Data(contentsOf: URL(fileURLWithPath: program))
    guard let end = text.range(of: Data("/lib/swift/linux:$ORIGIN".utf8)) else { return nil }
    let start = text[..<end.lowerBound].lastIndex(of: 0).map { $0 + 1 } ?? text.startIndex
    return String(decoding: text[start..<end.lowerBound], as: UTF8.self) + "/lib/swift/linux"
  }

  private static func replace(_ text: String, with other: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let range = try #require(bytes.range(of: Data(text.utf8)))
    try #require(text.utf8.count == other.utf8.count)
    bytes.replaceSubrange(range, with: Data(other.utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
