import Basics
import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

/// Recordings of which the recorder was ended: they play up to their last whole line.
struct UnfinishedRecordingTests {
  /// What a file is said to be that has no end.
  private static let notices = [
    "it is empty: perhaps a recording ended before its first step.",
    "the recording breaks off within its last line, which was left out.",
    "the recording breaks off (it has no @end); its last step may be incomplete.",
  ]

  /// Plays files at once, expects that nothing in them is a failure, and returns how many were
  /// said to have no end.
  private static func replay(_ names: [String], in directory: TemporaryDirectory) async throws
    -> Int
  {
    let output = try await VMHostRun.output(
      ["replay", "--keep-going", "--in-process", "--format", "jsonl"] + names,
      workingDirectory: directory.path)
    #expect(output.status == .success)
    let complaints = output.stderr.split(separator: "\n")
    for complaint in complaints {
      let isNotice = notices.contains { complaint.hasSuffix(": \($0)") }
      #expect(isNotice, "\(complaint)")
    }
    let differences = output.lines.filter { $0.hasPrefix("{\"kind\":\"difference\"") }
    #expect(differences == [])
    return complaints.count
  }

  /// What `test` says of all files in a folder, by verdict.
  private static func verdicts(
    in directory: TemporaryDirectory, status: Int32
  ) async throws -> [String: Int] {
    let output = try await VMHostRun.output(
      ["test", ".", "--events", "events.jsonl"], workingDirectory: directory.path)
    #expect(output.status == .exited(status))
    let events = try String(
      contentsOf: URL(fileURLWithPath: directory.file("events.jsonl")), encoding: .utf8)
    return events.matches(of: /"verdict":"([a-z-]+)"/)
      .reduce(into: [:]) { $0[String($1.output.1), default: 0] += 1 }
  }

  // MARK: Cut

  /// Steps of all kinds, plugins and instances that come late, and what is open at the end.
  private static let session = """
    @plugin kitfixture.so
    @open kit.effects
    @storage a {"b":[1,2]}
    > storageGet "a"
    > locate {"city":"Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, where it rains"}
    ! 1 {"city":"Bangor"}
    > ping
    ! 2 error {"code":"offline","message":"nobody"}
    + 5ms
    @plugin echo.so
    @open echo as e
    > e.say ["a long value has a line for each of its members,",{"which":"is longer than this"}]
    @open kit.ticker as t
    > t.start
    + 2s
    > effects.ping
    @close e
    > effects.storageSet {"key":"k","value":null}
    """

  /// - Parameter isHead: whether it is cut within what says that it is a recording.
  @Test(arguments: [false, true])
  func `a recording that is cut at any byte plays up to its last whole line`(
    _ isHead: Bool
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        ["run"] + Recording.settled, .text(Self.session), in: directory, as: "whole.vmt")
      #expect(recording.output.status == .success, "\(recording.output.stderr)")
      let bytes = Array(recording.text.utf8)
      let head = try #require(recording.text.range(of: "\n  }\n@seed"))
      let end =
        recording.text.utf8.distance(
          from: recording.text.startIndex, to: head.lowerBound) + "\n  }\n".utf8.count
      // What lacks nothing but its last line feed is whole to some readers, which is fine too.
      let sizes = isHead ? 0..<end : end..<bytes.count - 1
      let names = sizes.map { "\($0).vmt" }
      for (size, name) in zip(sizes, names) {
        try Data(bytes[..<size]).write(to: URL(fileURLWithPath: directory.file(name)))
      }
      // With its first line alone it says nothing of being a recording.
      let silent = isHead ? 2 : 0
      #expect(
        try await Self.replay(names + ["whole.vmt"], in: directory) == names.count - silent)
      var expected = ["passed": 1, "invalid": names.count - silent]
      if isHead { expected["unverified"] = 2 }
      #expect(try await Self.verdicts(in: directory, status: 2) == expected)
    }
  }

  @Test(
    arguments: [
      (Arguments.kit("random"), "> roll 3", "> roll \"x\"", 1),
      (Arguments.broken(""), "> go", "@open broken", 2),
      (Arguments.broken(""), "> go", "@open borken as b", 1),
      (Arguments.broken(""), "> go", "@open broken as b {\"fault\":\"create-config-words\"}", 1),
      (Arguments.broken(""), "> go", "@close b", 2),
    ] as [([String], String, String, Int32)])
  func `what was refused and not taken back is no failure`(
    _ arguments: [String], _ input: String, _ refused: String, status: Int32
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        arguments, .text("\(input)\n"), in: directory, as: "whole.vmt")
      try directory.write(
        recording.text.replacing("@end\n", with: "+ 5ms\n\(refused)\n"), to: "a.vmt")
      #expect(try await Self.replay(["a.vmt"], in: directory) == 1)
      // Anywhere else it is one.
      try directory.write(
        recording.text.replacing("@end\n", with: "\(refused)\n+ 5ms\n"), to: "a.vmt")
      let output = try await VMHostRun.output(
        ["replay", "a.vmt"], workingDirectory: directory.path)
      #expect(output.status == .exited(status))
    }
  }

  @Test(arguments: ["crash-in-send", "unknown-output", "hang-in-send"])
  func `a plugin that broke down while it was recorded does so again`(
    _ fault: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let recording = try await Recording.of(
        Arguments.broken(fault) + ["--step-timeout", "1s"], .text("+ 5ms\n> go\n"), in: directory)
      #expect(recording.output.status == .exited(6))
      let output = try await VMHostRun.output(
        ["replay", "a.vmt", "--step-timeout", "1s"], workingDirectory: directory.path)
      #expect(output.status == .exited(6))
      let lines = output.stderr.split(separator: "\n")
      #expect(lines.last == "vmhost: a.vmt: \(Self.notices[2])", "\(output.stderr)")
      let number = recording.text.split(separator: "\n").count
      #expect(lines.first?.hasPrefix("vmhost: a.vmt:\(number): ") == true, "\(output.stderr)")
    }
  }

  // MARK: Killed

  /// With 3,000 bytes a value, so that a write takes a while. All fit into a pipe.
  private static let inputs = (0..<20).map {
    "> say \"\($0) \(String(repeating: "x", count: 3000))\"\n"
  }

  @Test(arguments: [(["--in-process"], 180), (["--sandbox", "best-effort"], 20)])
  func `has all but the end of the last step and plays, whenever the process is killed`(
    _ isolation: [String], rounds: Int
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let arguments = Arguments.echo + Recording.settled.suffix(4) + isolation
      let complete = try await Recording.of(
        arguments, .text(Self.inputs.joined()), in: directory, as: "whole.vmt")
      try #require(complete.output.status == .success)
      var random = SplitMix64(seed: 7)
      var sizes: Set<Int> = []
      var names: [String] = []
      for round in 0..<rounds {
        let name = "\(round).vmt"
        // From the making of the file to its last byte, each stage as often as it is long.
        let goal =
          (round * complete.text.utf8.count
            + Int.random(in: 0..<complete.text.utf8.count, using: &random))
          / rounds
        let killed = try Self.kill(
          arguments + ["--record", directory.file(name)], directory.file(name),
          reaching: goal)
        let isBeginning = complete.text.hasPrefix(killed)
        #expect(isBeginning, "round \(round): \(killed.suffix(200))")
        sizes.insert(killed.utf8.count)
        names.append(name)
      }
      #expect(sizes.count > rounds / 20)
      let unfinished = try await Self.replay(names, in: directory)
      #expect(unfinished > rounds / 20)
      #expect(
        try await Self.verdicts(in: directory, status: 2)
          == ["passed": 1 + rounds - unfinished, "invalid": unfinished])
    }
  }

  /// Records, kills the process as soon as the file has a size, and returns what the file says.
  private static func kill(_ arguments: [String], _ path: String, reaching goal: Int) throws
    -> String
  {
    let child = try VMHostRun.start(arguments, input: .text(inputs.joined()))
    let limit = ContinuousClock.now + .seconds(60)
    while (try? Files.size(of: path)) ?? -1 < goal {
      try #require(ContinuousClock.now < limit)
    }
    child.kill(SIGKILL)
    let output = try child.wait()
    #expect([.signaled(SIGKILL), .success].contains(output.status))
    let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    // What was seen had been written before.
    let seen = text.components(separatedBy: "\n< said ").count - 1
    #expect(output.lines.count <= seen + 1)
    return text
  }
}
