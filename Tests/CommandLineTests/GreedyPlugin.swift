import Foundation
import TestSupport

/// A plugin that takes as much of its host as it gets, in the way that an input names.
enum GreedyPlugin {
  /// Compiles it into a folder, as `greedy.so`.
  static func compile(into folder: String) async throws {
    let root = try Repository.root()
    try await Compiler.c.make(
      "\(folder)/greedy.so",
      [
        "-std=c11", "-O1", "-Wall", "-Werror", "-shared", "-fPIC",
        "-I", "\(root)/Sources/PluginABI/include", "\(root)/Tests/Fixtures/GreedyPlugin/greedy.c",
      ])
  }

  /// Runs vmhost in a folder that has the plugin.
  static func with<Result>(
    _ body: (TemporaryDirectory) async throws -> Result
  ) async throws -> Result {
    try await TemporaryDirectory.with { folder in
      try await compile(into: folder.path)
      return try await body(folder)
    }
  }

  /// What vmhost left, besides its output.
  struct Run {
    let stderr: String
    let status: ExitStatus
    /// The most memory that it had, in bytes, without its workers.
    let peak: Int
  }

  /// Runs vmhost to its end, and reads meanwhile what the kernel knows of its memory. The peak only
  /// grows, so that no reading is too large.
  static func run(
    _ arguments: [String], _ input: String = "", in folder: TemporaryDirectory
  ) throws -> Run {
    let child = try ChildProcess(
      "/bin/sh",
      ["-c", "exec \"$@\" > /dev/null", "sh", try BuildProducts.executable("vmhost")] + arguments,
      // By default the allocator keeps freed blocks of up to 32 MiB, which is as much as the limits
      // of tests.
      environment: VMHostRun.environment.merging(["MALLOC_MMAP_THRESHOLD_": "1000000"]) { $1 },
      workingDirectory: folder.path, input: .text(input))
    var peak = 0
    repeat {
      peak = max(peak, try memory(of: child.processID))
    } while !child.ends(within: .milliseconds(5))
    let output = try child.wait(within: .seconds(300)).asOnFastMachine
    return Run(stderr: output.stderr, status: output.status, peak: peak)
  }

  private static func memory(of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    // A process that has ended has no such line any more.
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }
}
