import TestSupport
import Testing

/// `run --record`: timers that end at the same time are one step of the file, whatever each does.
struct RecordedTimerTests {
  private static let run = ["run", "kitfixture.so", "--view-model", "kit.reminders"]

  private static func reminded(_ words: String) -> String { "< reminded \"\(words)\"" }

  /// Expects these steps after the input, and that the file plays in each way that there is.
  private static func expect(
    _ steps: [String], in recording: Recording, _ directory: TemporaryDirectory
  ) async throws {
    #expect(recording.output.status == .success, "\(recording.output.stderr)")
    let written = recording.body.split(separator: "\n").drop { !$0.hasPrefix("> ") }.dropFirst()
      .drop { $0.hasPrefix("  ") }
    let isSame = written.elementsEqual(steps.map { Substring($0) } + ["@end"])
    #expect(isSame, "\(recording.text.prefix(2000))")
    try await recording.expectReplay()
    try await expectPass("a.vmt", in: directory)
  }

  @Test(arguments: ["live", "virtual"], ["+ 50ms", "+ idle"])
  func `what a later timer reads is written before what an earlier one emits`(
    _ clock: String, _ wait: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Self.run + ["--format", "text", "--clock", clock],
        .text(
          """
          @storage k 5
          @storage l 6
          > remind ["none","k","none","l"]
          \(wait)
          """), in: directory)
      let steps =
        ["+ 10ms", "@storage k 5", "@storage l 6"]
        + ["none is nothing", "k is 5", "none is nothing", "l is 6"].map(Self.reminded)
      try await Self.expect(steps, in: recording, directory)
    }
  }

  @Test(arguments: ["live", "virtual"])
  func `a timer that ends at once, in the step of another one, belongs to that step`(
    _ clock: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Self.run + ["--format", "text", "--clock", clock],
        .text("@storage k 5\n> remindInTurn [\"none\",\"k\"]\n+ idle\n"), in: directory)
      let steps = ["+ 0s", "@storage k 5"] + ["none is nothing", "k is 5"].map(Self.reminded)
      try await Self.expect(steps, in: recording, directory)
    }
  }

  @Test(arguments: ["+ 1s", "+ idle"])
  func `more timers than are fired at once are one step too`(_ wait: String) async throws {
    try await TemporaryDirectory.with { directory in
      let count = 1500
      let keys = Array(repeating: "\"none\"", count: count).joined(separator: ",")
      let recording = try await Recording.of(
        Self.run + Recording.settled,
        .text("@storage k 5\n> remind [\(keys),\"k\"]\n\(wait)\n"), in: directory)
      let steps =
        ["+ 10ms", "@storage k 5"]
        + Array(repeating: Self.reminded("none is nothing"), count: count)
        + [Self.reminded("k is 5")]
      try await Self.expect(steps, in: recording, directory)
    }
  }

  @Test func `an answer comes after all timers of its time, recorded or not`() async throws {
    try await TemporaryDirectory.with { directory in
      let answer = #"sed -u -n 's/.*"id":\([0-9]*\).*/{"kind":"reply","id":\1}/p'"#
      let arguments = Self.run + Recording.settled + ["--effect", "ping=\(answer)"]
      let input = ChildProcess.Input.text("> ping 2\n+ idle\n")
      let recording = try await Recording.of(arguments, input, in: directory)
      let pong = Self.reminded("pong")
      let steps = ["+ 10ms", "? 1 ping", "? 2 ping", "! 1", pong, "! 2", pong]
      try await Self.expect(steps, in: recording, directory)
      let other = try await VMHostRun.output(arguments, input)
      #expect(other.stdout == recording.output.stdout)
    }
  }
}
