import Glibc
import HostCore
import TestSupport
import Testing

struct ShellCommandTests {
  private static func end(of text: String) throws -> ShellCommand.End {
    let command = try ShellCommand(text)
    while true {
      if let end = try command.take() { return end }
      var interests = command.interests
      try HostCore.Descriptor.wait(for: &interests, timeout: 20_000_000_000)
      try #require(interests.contains { $0.isReady })
    }
  }

  @Test(arguments: [
    ("echo out; echo err >&2; echo out", true, "exit status 0", "out\nerr\nout\n"),
    ("read line || echo no input; exit 3", false, "exit status 3", "no input\n"),
    ("printf 'no line feed'; kill -9 $$", false, "signal 9", "no line feed"),
    ("exit 2 # a comment", false, "exit status 2", ""),
    // What is left behind doesn't keep it.
    ("sleep 1000 & echo left", true, "exit status 0", "left\n"),
  ])
  func `keeps what a command writes, and how it ends`(
    _ text: String, _ isSuccess: Bool, _ status: String, _ output: String
  ) throws {
    let end = try Self.end(of: text)
    #expect(end.isSuccess == isSuccess)
    #expect(end.status == status)
    #expect(end.output == output)
    #expect(end.duration > 0)
  }

  @Test func `of much output, keeps the beginning and the end`() throws {
    let end = try Self.end(of: "seq 1000000")
    let lines = end.output.split(separator: "\n")
    #expect(end.output.utf8.count < 1 << 17)
    #expect(lines.first == "1")
    #expect(lines.last == "1000000")
    #expect(lines.count { $0.hasSuffix(" bytes left out") } == 1)
    // Nothing but whole lines is left.
    #expect(lines.allSatisfy { $0.hasPrefix("… ") || Int($0) != nil })
  }

  @Test func `a stop ends all that it has started`() async throws {
    try await WatchedFolder.with { folder in
      let path = folder.file("process")
      folder.watcher.watch(files: [path])
      let command = try ShellCommand("sleep 1000 & echo $! > '\(path)'; wait")
      #expect(try folder.changes() == ["process"])
      let text = String(decoding: try Files.read(path), as: UTF8.self)
      let process = try #require(Int32(text.dropLast()))
      #expect(kill(process, 0) == 0)
      command.stop()
      let end = SystemClock.monotonic() + 20_000_000_000
      while Self.isRunning(process) { try #require(SystemClock.monotonic() < end) }
    }
  }

  /// A process that nobody has reaped yet is none.
  private static func isRunning(_ process: Int32) -> Bool {
    let state = (try? Files.read("/proc/\(process)/stat")) ?? Array("Z".utf8)
    return !state.contains(UInt8(ascii: "Z"))
  }
}
