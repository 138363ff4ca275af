import Foundation
import TestSupport
import Testing

/// Long transcripts. Nothing here looks at a clock; `Benchmarks/run transcripts` does.
struct TranscriptScaleTests {
  private static let echo = "@plugin echo.so\n@open echo\n"
  private static let effects = "@plugin kitfixture.so\n@open kit.effects\n"

  private static func greeting(_ number: Int) -> String {
    "> say \"hello, line \(number)\"\n< said \"hello, line \(number)\"\n"
  }

  private static func ping(_ number: Int) -> String {
    "> ping\n? \(number) ping\n! \(number)\n< result \"pong\"\n"
  }

  @Test(arguments: [["test", "--jobs", "1"], ["replay"]])
  func `a million lines take no more memory than 100,000`(_ command: [String]) async throws {
    try await Self.expectFlat(
      command, head: Self.echo, steps: 50_000, tenTimes: 500_000, Self.greeting)
  }

  @Test func `100,000 lines of requests and answers take no more memory than 10,000`()
    async throws
  {
    try await Self.expectFlat(
      ["test", "--in-process"], head: Self.effects, steps: 2500, tenTimes: 25_000, Self.ping)
  }

  private static func expectFlat(
    _ command: [String], head: String, steps few: Int, tenTimes many: Int,
    _ step: (Int) -> String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      func peak(_ count: Int) throws -> Int {
        try directory.write("vmt 1\n" + head + (1...count).map(step).joined(), to: "\(count).vmt")
        return try Self.peak(command, "\(count).vmt", in: directory)
      }
      let (less, more) = (try peak(few), try peak(many))
      // A single byte a step would be half of that, and a step has at least twenty.
      #expect(more - less < 1_000_000, "\(less) and \(more) bytes")
    }
  }

  /// The most memory, in bytes, that vmhost had for a transcript.
  ///
  /// A second transcript is a pipe, at which it waits, so that what the kernel knows of it can be
  /// read once the first one is done.
  private static func peak(
    _ command: [String], _ name: String, in directory: TemporaryDirectory
  ) throws -> Int {
    let next = directory.file("next.vmt")
    try #require(unsafe mkfifo(next, 0o600) == 0)
    // What is printed is no part of it, and would be much. The pipe is opened in any case, so that
    // the test doesn't wait for a vmhost that has ended.
    let script = "\"$@\" > out.txt 2> errors.txt & echo $!; wait; cat next.vmt"
    let arguments = [try BuildProducts.executable("vmhost")] + command + [name, "next.vmt"]
    let child = try ChildProcess(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: VMHostRun.environment,
      workingDirectory: directory.path, input: .null)
    let processID = try #require(try child.readLine())
    let writer = try #require(FileHandle(forWritingAtPath: next))
    let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    child.kill(SIGKILL)
    try child.wait()
    try writer.close()
    try FileManager.default.removeItem(atPath: next)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }
}
