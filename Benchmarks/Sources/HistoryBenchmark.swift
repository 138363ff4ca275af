import Foundation
import HostCore

/// What it takes to play the history of a session again.
enum HistoryBenchmark {
  private static let rounds = 15

  static func rows(_ setting: Setting) throws -> [Row] {
    try reload(setting) + travel(setting)
  }

  /// From the moment at which a new build is in place to the line that says what is different.
  private static func reload(_ setting: Setting) throws -> [Row] {
    let library = setting.path("movies.so")
    var bytes = try Files.read(setting.product("libmovies.so"))
    try Files.replace(library, with: bytes.span)
    let start = try setting.command(
      "movies.so", .confined, ["--script", setting.file("e.vmt", "")])
    let baseline = median(
      try (0..<rounds).map { _ in
        let begin = SystemClock.monotonic()
        _ = try setting.run(start)
        return SystemClock.monotonic() - begin
      })
    let session = try LiveSession(
      [setting.product("vmhost"), "run", library, "--watch"] + LiveSession.options)
    for step in 2...100 {
      try session.send(#"{"name":"didSearch","value":"a\#(step)","seq":\#(step)}"#)
    }
    try session.wait(for: #""seq":100,"step":100}"#)
    let spans = try (0..<rounds).map { _ in
      // Another build: bytes at the end that nobody reads.
      bytes.append(0)
      let begin = SystemClock.monotonic()
      try Files.replace(library, with: bytes.span)
      try session.wait(for: #""kind":"reload""#)
      return SystemClock.monotonic() - begin
    }
    try session.end()
    let span = median(spans)
    return [
      Row(
        what: "a new build of movies.so, to the difference of 100 steps, confined",
        measured: "\(Figure.time(span)) by the clock",
        baseline: "run movies.so on an empty script: \(Figure.time(baseline))",
        ratio: Figure.times(span / baseline), target: "under 100 ms", isMet: span < 0.1)
    ]
  }

  private static func travel(_ setting: Setting) throws -> [Row] {
    let session = try LiveSession(
      [setting.product("vmhost"), "run", "echo.so"] + LiveSession.options)
    let lines = (1...10_000).map { #"{"name":"say","value":\#($0)}"# }.joined(separator: "\n")
    var played: [Double] = []
    for number in 1...2 {
      let begin = SystemClock.monotonic()
      try session.send(lines)
      try session.send(#"{"kind":"advance","by":"0s","seq":\#(number)}"#)
      try session.wait(for: #""seq":\#(number),"step""#)
      played.append(Double(SystemClock.monotonic() - begin) / 1e9)
    }
    let spans = try (0..<rounds).map { round in
      let begin = SystemClock.monotonic()
      try session.send(#"{"kind":"go","step":\#(10_000 + round),"seq":\#(100 + round)}"#)
      try session.wait(for: #"{"kind":"done","t":0,"seq":\#(100 + round)"#)
      return SystemClock.monotonic() - begin
    }
    try session.end()
    let span = median(spans)
    let baseline = played.reduce(0, +) / 2
    return [
      Row(
        what: "to step 10,000 of 20,000 of echo.so, confined",
        measured: "\(Figure.time(span)) by the clock",
        baseline: "10,000 lines for the first time: \(Figure.time(baseline))",
        ratio: Figure.times(span / baseline), target: "under 1 s", isMet: span < 1)
    ]
  }

  /// - Returns: seconds.
  private static func median(_ spans: [Nanoseconds]) -> Double {
    Double(spans.sorted()[spans.count / 2]) / 1e9
  }
}

/// A session that is sent lines while it runs.
private final class LiveSession {
  static let options = ["--clock", "virtual", "--format", "jsonl"]

  private let process: ProcessHandle
  private var received: [UInt8] = []

  init(_ command: [String]) throws {
    process = try ProcessHandle(executable: command[0], arguments: Array(command.dropFirst()))
    try wait(for: #""kind":"session""#)
  }

  func send(_ lines: String) throws {
    var rest = Array("\(lines)\n".utf8)[...]
    while !rest.isEmpty {
      // Whoever only writes waits for ever for a session that writes, too.
      var ends = [
        Descriptor.Interest(process.output),
        Descriptor.Interest(process.input, reading: false, writing: true),
      ]
      try Descriptor.wait(for: &ends, timeout: nil)
      if ends[0].isReady { try receive() }
      guard ends[1].isReady else { continue }
      let part = rest.prefix(1 << 12)
      try Descriptor.write(process.input, Array(part).span)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Waits for a line with this text, and drops what came up to it.
  func wait(for text: String) throws {
    let wanted = Data(text.utf8)
    while true {
      if let found = Data(received).range(of: wanted) {
        received.removeFirst(found.upperBound)
        return
      }
      // What can't be the beginning of the text isn't searched again.
      received.removeFirst(max(received.count - wanted.count, 0))
      var output = [Descriptor.Interest(process.output)]
      try Descriptor.wait(for: &output, timeout: 60_000_000_000)
      guard output[0].isReady else { throw BenchmarkError("no line with \(text)") }
      try receive()
    }
  }

  private func receive() throws {
    guard try Descriptor.read(process.output, limit: 1 << 18, into: &received) != 0 else {
      throw BenchmarkError("a session has ended")
    }
  }

  func end() throws {
    let status = process.finish(within: 10_000_000_000)
    guard process.exitStatus == 0 else { throw BenchmarkError("a session ended with \(status)") }
  }
}
