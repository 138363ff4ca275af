import Foundation
import TestSupport
import Testing

/// Files without an end, and others that nobody means, wherever vmhost reads one.
struct EndlessFileTests {
  private static let text = Arguments.text
  private static let mistaken: [(arguments: [String], words: String)] = [
    (["run", "echo.so", "--script", "FILE"] + text, "could not read the script \"FILE\": 256 MB"),
    (["run", "echo.so", "--flow", "FILE"] + text, "could not read the flow \"FILE\": 16 MB"),
    (["run", "echo.so", "--config", "@FILE"] + text, "could not read the config \"FILE\": 64 MB"),
    (["merge-reports", "FILE"], "could not read \"FILE\": 256 MB"),
    (["test", "a.vmt", "--timings", "FILE"], "could not read \"FILE\": 256 MB"),
  ]

  private static let transcript = """
    vmt 1
    @plugin echo.so
    @open echo
    > say 1
    < said 1

    """

  @Test(arguments: mistaken.indices, ["/dev/zero", "sparse", "folder"])
  func `a file that is too large is refused in bounded memory`(
    _ index: Int, _ file: String
  ) async throws {
    let (arguments, words) = Self.mistaken[index]
    try await Self.withFiles { folder in
      let output = try await Self.run(
        arguments.map { $0.replacing("FILE", with: file) }, in: folder)
      #expect(output.status == .exited(2))
      let parts = words.replacing("FILE", with: file).split(separator: ": ").map(String.init)
      let isFlow = arguments.contains("--flow") && file != "sparse"
      let reason =
        isFlow
        ? "it is not a file" : file == "folder" ? "Is a directory" : "it has more than \(parts[1])"
      #expect(output.stderr == "vmhost: \(parts[0]): \(reason).\n")
    }
  }

  @Test(arguments: [
    ("/dev/zero", "\"/dev/zero\" is not a file."), ("folder", "\"folder\" is a folder"),
    ("sparse", "sparse:1:1: this line is longer than 268435456 bytes."),
  ])
  func `a transcript without an end is refused`(_ file: String, _ words: String) async throws {
    try await Self.withFiles { folder in
      let output = try await Self.run(["replay", file], in: folder)
      #expect(output.status == .exited(2))
      #expect(output.stderr.hasPrefix("vmhost: \(words)"), "\(output.stderr)")
    }
  }

  @Test func `files of the kernel are read, though they have no size`() async throws {
    try await Self.withFiles { folder in
      let output = try await Self.run(
        ["run", "echo.so", "--script", "/proc/self/comm"] + Self.text, in: folder)
      #expect(output.stderr.hasPrefix("vmhost: /proc/self/comm:1"), "\(output.stderr)")
    }
  }

  @Test func `standard input may be longer than a script`() async throws {
    try await Self.withFiles { folder in
      let output = try await ChildProcess.run(
        "/bin/sh",
        [
          "-c",
          "for i in 1 2 3 4 5; do printf '# '; head -c 60000000 /dev/zero | tr '\\0' x; echo; done"
            + " | \"$@\"", "sh",
          try BuildProducts.executable("vmhost"), "run", "echo.so",
        ] + Self.text, environment: VMHostRun.environment, workingDirectory: folder.path,
        within: .seconds(300))
      #expect(output.status == .exited(0))
      #expect(output.stderr == "")
    }
  }

  private static func withFiles(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(transcript, to: "a.vmt")
      try folder.write("", to: "folder/nothing")
      let sparse = try folder.write("", to: "sparse")
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: sparse))
      try file.truncate(atOffset: 100 << 30)
      try file.close()
      try await body(folder)
    }
  }

  /// Runs vmhost with an address space of 4 GB at most, of which plugins' workers need one.
  private static func run(
    _ arguments: [String], in folder: TemporaryDirectory
  ) async throws -> ChildProcess.Output {
    try await ChildProcess.run(
      "/bin/sh",
      ["-c", "ulimit -v 4000000 && exec \"$@\"", "sh", try BuildProducts.executable("vmhost")]
        + arguments, environment: VMHostRun.environment, workingDirectory: folder.path)
  }
}
