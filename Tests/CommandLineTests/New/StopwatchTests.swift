import Foundation
import TestSupport
import Testing

/// `Examples/plugins`: one view model in four languages, which no transcript can tell apart.
struct StopwatchTests {
  enum Language: String, CaseIterable, Sendable {
    case swift, c, cpp, rust
  }

  private static let examples = "Examples/plugins"

  /// Builds `stopwatch.so` in a folder; false where there is no compiler that the tests can do
  /// without.
  private static func build(_ language: Language, in folder: TemporaryDirectory) async throws
    -> Bool
  {
    let root = try Repository.root()
    let strict = [
      "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
      "-I", "\(root)/Sources/PluginABI/include", "-I", "\(root)/\(examples)/c",
    ]
    let output = ["-o", folder.file("stopwatch.so")]
    switch language {
    case .swift:
      try FileManager.default.copyItem(
        atPath: BuildProducts.library("stopwatch"), toPath: folder.file("stopwatch.so"))
    case .c:
      try await Compiler.c.run(["-std=c11", "\(root)/\(examples)/c/stopwatch.c"] + strict + output)
    case .cpp:
      try await Compiler.cxx.run(
        ["-std=c++17", "\(root)/\(examples)/cpp/stopwatch.cpp"] + strict + output)
    case .rust:
      guard let rustc = Programs.path(of: "rustc") else {
        print("rustc is missing: the stopwatch in Rust isn't tried")
        return false
      }
      try await Compiler(path: rustc).run(
        [
          "--edition", "2021", "--crate-type", "cdylib", "-D", "warnings",
          "-C", "linker=\(Compiler.c.path)", "\(root)/\(examples)/rust/src/lib.rs",
        ] + output)
    }
    return true
  }

  @Test(arguments: Language.allCases)
  func `a stopwatch passes the transcripts that all of them pass`(
    _ language: Language
  ) async throws {
    try await TemporaryDirectory.with { folder in
      guard try await Self.build(language, in: folder) else { return }
      let transcripts = try "\(Repository.root())/\(Self.examples)/Transcripts"
      for mode in [[], ["--in-process"]] {
        let output = try await VMHostRun.output(
          ["test", transcripts, "--plugin-path", folder.path, "--port-coverage"] + mode,
          workingDirectory: folder.path)
        #expect(output.stdout.hasPrefix("10 passed in "), "\(output.stdout)")
        #expect(output.stdout.contains("Port coverage: 9 of 9 "), "\(output.stdout)")
        #expect(output.status == .success, "\(output.stderr)")
      }
    }
  }

  @Test(arguments: Language.allCases)
  func `a stopwatch has the ports that all of them have`(_ language: Language) async throws {
    try await TemporaryDirectory.with { folder in
      guard try await Self.build(language, in: folder) else { return }
      let output = try await VMHostRun.output(
        ["describe", "stopwatch.so"], workingDirectory: folder.path)
      let ports = output.lines.filter { !$0.hasPrefix("sha256 ") && !$0.hasPrefix("  requests") }
      #expect(
        ports.joined(separator: "\n") == """
          stopwatch 1.0.0
          stopwatch
            inputs
              start  –
              stop   –
              lap    –
              reset  –
            states
              display  string  first "00:00.0"
              running  boolean  first false
              laps     [string]  first []
            signals
              lapped  string
              failed  string
          """)
    }
  }

  @Test(arguments: ["c", "c++"])
  func `vm_helper compiles without a warning, with all compilers there are`(
    _ language: String
  ) async throws {
    let root = try Repository.root()
    let names = language == "c" ? ["cc", "gcc", "clang"] : ["c++", "g++", "clang++"]
    for compiler in names.compactMap({ Programs.path(of: $0) }) {
      try await Compiler(path: compiler).run([
        "-x", language, "-std=\(language == "c" ? "c11" : "c++17")", "-Wall", "-Wextra",
        "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only",
        "-I", "\(root)/Sources/PluginABI/include", "-include",
        "\(root)/Examples/plugins/c/vm_helper.h", "/dev/null",
      ])
    }
  }
}
