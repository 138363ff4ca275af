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

  /// What it writes to standard error once it is done with a transcript.
  private enum Sign {
    case progress, notice

    var text: String { self == .progress ? "[1/2]" : ": the recording breaks off " }
    /// Has the transcript be one of which there is something to say.
    var head: String { self == .progress ? "" : "@recorded {}\n" }
  }

  @Test func `a million lines take no more memory than 100,000 to test`() async throws {
    try await Self.expectFlat(
      ["test", "--jobs", "1", "--timeout", "1h"], .progress, head: Self.echo, steps: 50_000,
      tenTimes: 500_000, Self.greeting)
  }

  @Test func `a million lines take no more memory than 100,000 to replay`() async throws {
    try await Self.expectFlat(
      ["replay"], .notice, head: Self.echo, steps: 50_000, tenTimes: 500_000, Self.greeting)
  }

  @Test func `100,000 lines of requests and answers take no more memory than 10,000`()
    async throws
  {
    try await Self.expectFlat(
      ["test", "--in-process", "--timeout", "1h"], .progress, head: Self.effects, steps: 2500,
      tenTimes: 25_000, Self.ping)
  }

  private static func expectFlat(
    _ command: [String], _ sign: Sign, head: String, steps few: Int, tenTimes many: Int,
    _ step: (Int) -> String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      func peak(_ count: Int) throws -> Int {
        let lines = (1...count).map(step).joined()
        try directory.write("vmt 1\n\(sign.head)\(head)\(lines)", to: "\(count).vmt")
        return try Self.peak(command, "\(count).vmt", sign, in: directory)
      }
      let (less, more) = (try peak(few), try peak(many))
      // A single byte a step would be half of that, and a step has at least twenty.
      #expect(more - less < 1_000_000, "\(less) and \(more) bytes")
    }
  }

  /// The most memory, in bytes, that vmhost had for a transcript.
  ///
  /// In a second one the plugin hangs, so that what the kernel knows can be read meanwhile.
  private static func peak(
    _ command: [String], _ name: String, _ sign: Sign, in directory: TemporaryDirectory
  ) throws -> Int {
    try directory.write(
      """
      vmt 1
      @plugin brokenfixture.so
      @open broken {"fault":"hang-in-send","key":null}
      > go

      """, to: "hang.vmt")
    // What is printed is no part of it, and would be much.
    let script = "exec \"$@\" > /dev/null"
    let arguments =
      [try BuildProducts.executable("vmhost")] + command + ["--step-timeout", "1h"]
      + [name, "hang.vmt"]
    let child = try ChildProcess(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: VMHostRun.environment,
      workingDirectory: directory.path, input: .null)
    try child.waitForStderr(containing: sign.text, within: .seconds(300))
    let status = try String(contentsOfFile: "/proc/\(child.processID)/status", encoding: .utf8)
    child.kill(SIGKILL)
    try child.wait()
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }
}
