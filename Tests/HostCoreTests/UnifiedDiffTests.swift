import Basics
import Foundation
import HostCore
import TestSupport
import Testing

struct UnifiedDiffTests {
  private static func patch(_ old: String, _ new: String, path: String = "search.vmt") -> String {
    String(
      decoding: UnifiedDiff.patch(from: Array(old.utf8), to: Array(new.utf8), path: path),
      as: UTF8.self)
  }

  private static let numbers = (1...20).map { "\($0)\n" }

  private static func changed(_ changes: [Int: String]) -> String {
    numbers.enumerated().map { changes[$0.offset + 1] ?? $0.element }.joined()
  }

  @Test func `is empty for equal files`() {
    #expect(Self.patch("", "") == "")
    #expect(Self.patch("a\nb", "a\nb") == "")
  }

  @Test func `shows changes with three lines around them`() {
    #expect(
      Self.patch(Self.changed([:]), Self.changed([5: "five\n", 15: "", 17: "17\n18\n"])) == """
        --- a/search.vmt
        +++ b/search.vmt
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8
        @@ -12,9 +12,9 @@
         12
         13
         14
        -15
         16
         17
        +18
         18
         19
         20

        """)
  }

  @Test(arguments: [
    ("a\nb", "a\nb\n", " a\n-b\n\\ No newline at end of file\n+b\n"),
    ("a\nb\n", "a\nb", " a\n-b\n+b\n\\ No newline at end of file\n"),
    ("a\nb", "c\nb", "-a\n+c\n b\n\\ No newline at end of file\n"),
  ])
  func `says where a file ends without a line feed`(_ old: String, _ new: String, lines: String) {
    let head = "--- a/search.vmt\n+++ b/search.vmt\n@@ -1,2 +1,2 @@\n"
    #expect(Self.patch(old, new) == head + lines)
  }

  @Test func `names lines before an empty part`() {
    #expect(Self.patch("", "a\n").hasSuffix("\n@@ -0,0 +1,1 @@\n+a\n"))
    #expect(Self.patch("a\n", "").hasSuffix("\n@@ -1,1 +0,0 @@\n-a\n"))
  }

  // MARK: Applying

  enum Tool: String, CaseIterable {
    case git, patch

    var path: String? {
      ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + rawValue }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    var arguments: [String] {
      switch self {
      case .git: ["apply", "--whitespace=nowarn", "change.patch"]
      // Not a line off: the patch must say where it belongs.
      case .patch: ["-p1", "--fuzz=0", "--force", "--input=change.patch"]
      }
    }
  }

  /// Changes each file by its patch, and gives what became of them.
  private static func apply(
    _ changes: [(path: String, old: [UInt8], new: [UInt8])], with tool: Tool, _ executable: String
  ) async throws -> [[UInt8]] {
    try await TemporaryDirectory.with { directory in
      var patch: [UInt8] = []
      for change in changes {
        let file = URL(fileURLWithPath: directory.file(change.path))
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(change.old).write(to: file)
        patch += UnifiedDiff.patch(from: change.old, to: change.new, path: change.path)
      }
      try Data(patch).write(to: URL(fileURLWithPath: directory.file("change.patch")))
      let output = try await ChildProcess.run(
        executable, tool.arguments, workingDirectory: directory.path)
      #expect(output.status == .exited(0), "\(output.stdout)\(output.stderr)")
      return try changes.map {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory.file($0.path))))
      }
    }
  }

  /// Random lines, some of them odd, and what random edits made of them.
  private static func randomFile(_ random: inout SplitMix64) -> (old: [UInt8], new: [UInt8]) {
    let odd = ["", "\\ No newline", "--- a/x", "+++ b/x", "@@ -1,1 +1,1 @@", "\r", "\u{e9}", "  "]
    let line = { (random: inout SplitMix64) in
      let isOdd = Int.random(in: 0..<4, using: &random) == 0
      let text = isOdd ? odd.randomElement(using: &random)! : "line \(random.next() % 9)"
      return Array(text.utf8) + (random.next() % 8 == 0 ? [0xff] : []) + [0x0a]
    }
    let old = (0..<Int.random(in: 1...40, using: &random)).map { _ in line(&random) }
    var new = old
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0...new.count, using: &random)
      switch random.next() % 3 {
      case 0: new.insert(line(&random), at: index)
      case 1 where index < new.count && new.count > 1: new.remove(at: index)
      default: if index < new.count { new[index] = line(&random) }
      }
    }
    var files = [Array(old.joined()), Array(new.joined())]
    // A file may end without a line feed, unless that leaves nothing.
    for index in files.indices where random.next() % 3 == 0 && files[index].count > 1 {
      files[index].removeLast()
    }
    return (files[0], files[1])
  }

  @Test(arguments: Tool.allCases)
  func `makes the new files when it is applied`(_ tool: Tool) async throws {
    guard let executable = tool.path else { return }
    var random = SplitMix64(seed: 7)
    var changes: [(path: String, old: [UInt8], new: [UInt8])] = []
    while changes.count < 300 {
      let file = Self.randomFile(&random)
      if file.old != file.new { changes.append(("f\(changes.count).vmt", file.old, file.new)) }
    }
    let results = try await Self.apply(changes, with: tool, executable)
    for (change, result) in zip(changes, results) {
      let isMade = result == change.new
      #expect(isMade, "\(change.path)")
    }
  }

  @Test(arguments: Tool.allCases)
  func `names files with blanks, quotes and other letters`(_ tool: Tool) async throws {
    guard let executable = tool.path else { return }
    let paths = ["a b.vmt", "folder/two  blanks .vmt", "q\"uote\\.vmt", "é.vmt", "line\nfeed.vmt"]
    let changes = paths.map { (path: $0, old: Array("1\n".utf8), new: Array("2\n".utf8)) }
    let results = try await Self.apply(changes, with: tool, executable)
    #expect(results.allSatisfy { $0 == Array("2\n".utf8) })
  }
}
