import Foundation
import TestSupport
import Testing

@testable import vmhost

/// What CI.md shows.
struct CIGuideTests {
  private static func hasParallel() -> Bool {
    ["/usr/bin/parallel", "/usr/local/bin/parallel", "/bin/parallel"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private static func commands() throws -> [String] {
    let text = try Repository.text("Documentation/CI.md")
    let rest = try #require(text.split(separator: "<!-- run: parallel -->").dropFirst().first)
    let block = try #require(rest.split(separator: "```sh\n").dropFirst().first)
    let code = try #require(block.split(separator: "```").first)
    return code.split(separator: "\n").map(String.init)
  }

  private static let files = Dictionary(
    uniqueKeysWithValues: (0..<9).map {
      ("Tests/Transcripts/\($0).vmt", $0 == 4 ? Sample.failed : Sample.passed)
    })

  private static func run(_ script: String) async throws {
    try await TestFolder.with(files) { folder in
      let output = TestFolder.Output(
        try await ChildProcess.run(
          "/bin/sh", ["-c", script],
          environment: [
            "PATH": "\(BuildProducts.directory):/usr/local/bin:/usr/bin:/bin", "HOME": folder.path,
          ], workingDirectory: folder.path))
      #expect(output.status == .exited(1))
      #expect(
        output.stdout.hasSuffix(
          """
          FAILED  Tests/Transcripts/4.vmt:5  expected < said 2, found < said 1

          8 passed, 1 failed in TIME

          """), "\(output.stdout)\(output.stderr)")
      #expect(try folder.text("tests.xml").contains(" tests=\"9\" failures=\"1\" "))
      #expect(try Timings.read(folder.file("timings.json")).times.count == 9)
    }
  }

  @Test(.enabled(if: hasParallel(), "GNU parallel is not installed"))
  func `the commands for GNU parallel work`() async throws {
    try await Self.run(Self.commands().joined(separator: "\n"))
  }

  @Test func `the shards of the commands for GNU parallel make one run`() async throws {
    let commands = try Self.commands()
    let parts = commands[0].split(separator: "'").map(String.init)
    try #require(commands.count == 2 && parts.count == 3)
    #expect(parts[0] == "parallel ")
    let shards = parts[2].replacing(" ::: ", with: "").split(separator: " ")
    #expect(shards == ["1", "2", "3", "4"])
    let each = shards.map { parts[1].replacing("{}", with: $0) + " &" }
    try await Self.run((each + ["wait", commands[1]]).joined(separator: "\n"))
  }

  @Test func `every command of the guide is one that vmhost understands`() async throws {
    try await TemporaryDirectory.with { folder in
      let lock = try folder.write("{\"lock\":1,\"plugins\":[]}", to: "plugins.lock")
      try Self.checkCommands(lock: lock)
    }
  }

  private static func checkCommands(lock: String) throws {
    let text = try Repository.text("Documentation/CI.md").replacing("plugins.lock", with: lock)
      .replacing("\\\n", with: " ").replacing(/>-\n\s+/, with: "")
      .replacing(/\$\{\{[^}]*shard \}\}|\$shard|\{\}/, with: "1")
    // A folded command of YAML goes on in lines that begin deeper with an option.
    let folded = text.replacing(/\n +--/, with: " --")
    let commands = folded.split { "`\n'".contains($0) }.compactMap { line in
      line.firstRange(of: "vmhost test ").map { line[$0.upperBound...] }
    }
    #expect(commands.count >= 4)
    for command in commands where !command.contains("…") && command.contains("--") {
      let words = command.split(separator: " ").map { String($0.filter { $0 != "\"" }) }
      guard
        case .command(let arguments) = try CommandTable.vmhost.parse(["test"] + words, width: 80)
      else {
        Issue.record("\(command)")
        continue
      }
      #expect(try TestOptions(arguments).shard == nil || arguments.value(of: "shard") == "1/4")
    }
  }
}
