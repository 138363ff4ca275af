import Foundation
import TestSupport
import Testing

/// What `vmhost test --update=patch` prints.
struct TestPatchTests {
  private static let patched = [
    "t/a.vmt": TestUpdateTests.old, "t/with blank.vmt": Sample.failed,
    "t/script.vmt": Sample.unverified,
    "t/p.vmt": Sample.passed,
  ]

  /// Those commands that apply patches and are on this machine.
  private static func commands() -> [String] {
    ["patch -s -p1 <change", "git apply change"].filter { command in
      let tool = command.prefix { $0 != " " }
      return ["/usr/bin", "/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
      }
    }
  }

  @Test(arguments: ["t", "./t", "ABSOLUTE/t"], commands())
  func `a patch does what an update would have`(_ path: String, _ command: String) async throws {
    try await TestFolder.with(Self.patched) { folder in
      let path = path.replacing("ABSOLUTE", with: folder.path)
      let output = try await folder.test([path, "--update=patch"])
      #expect(output.stdout.hasPrefix("--- a/t/a.vmt\n+++ b/t/a.vmt\n@@ -5,12 +5,11 @@\n"))
      #expect(output.stderr.contains("\nfailed: \(path)/a.vmt:8: expected < said 2, "))
      #expect(!output.stderr.contains("nothing was compared"))
      #expect(output.stderr.contains("\n1 passed, 1 unverified, 2 failed in "))
      #expect(
        output.complaints.hasSuffix(
          """
          vmhost: No file was changed: the patch is for 3 transcripts. While the patch isn't \
          empty, the status is 1, or that of a worse result.
          """))
      #expect(output.status == .exited(1))
      for (name, text) in Self.patched { #expect(try folder.text(name) == text) }
      try folder.folder.write(output.stdout, to: "change")
      let applied = try await ChildProcess.run(
        "/bin/sh", ["-c", command], environment: VMHostRun.environment,
        workingDirectory: folder.path)
      #expect(applied.status == .success, "\(applied.stderr)")
      #expect(try folder.text("t/a.vmt") == TestUpdateTests.new)
      let again = try await folder.test([path, "--update=patch"])
      #expect(again.stdout == "")
      #expect(again.status == .success)
    }
  }

  @Test(arguments: commands())
  func `a patch has a file once, whatever links lead to it`(_ command: String) async throws {
    try await TestFolder.with(["t/a.vmt": TestUpdateTests.old]) { folder in
      for name in ["t/Link.vmt", "t/link.vmt"] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file(name), withDestinationPath: "a.vmt")
      }
      let output = try await folder.test(["t", "--update=patch"])
      #expect(
        output.stdout.split(separator: "\n").filter { $0.hasPrefix("+++ ") } == ["+++ b/t/a.vmt"])
      try folder.folder.write(output.stdout, to: "change")
      let applied = try await ChildProcess.run(
        "/bin/sh", ["-c", command], environment: VMHostRun.environment,
        workingDirectory: folder.path)
      #expect(applied.status == .success, "\(applied.stderr)")
      #expect(try await folder.test(["t"]).summary == "3 passed in TIME")
    }
  }
}
