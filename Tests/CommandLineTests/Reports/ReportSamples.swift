import HostCore
import Testing

@testable import vmhost

/// Results that tests of reports share.
enum ReportSamples {
  static let passed = TestResult(
    path: "Tests/movies/search.vmt", verdict: .passed, duration: 12_000_000, steps: 9)
  static let failed = TestResult(
    path: "Tests/movies/paging.vmt", verdict: .failed, duration: 1_500_000_000, steps: 4, line: 12,
    summary: "expected loading \"none\", came loading \"fullScreen\".",
    details: "- < loading \"none\"\n+ < loading \"fullScreen\"")

  /// One of each verdict, each with a path and a duration of its own.
  static let all = Verdict.allCases.enumerated().map { index, verdict in
    TestResult(
      path: "t/\(verdict.rawValue).vmt", verdict: verdict,
      duration: Nanoseconds(index + 1) * 1_000_000, steps: index,
      line: verdict == .failed ? 7 : 0,
      summary: [.passed, .unverified].contains(verdict) ? "" : "it was \(verdict.text).")
  }

  /// The files of a run over `results` in `count` shards, as a run would write them.
  static func shards(
    of results: [TestResult], count: Int, timings: Timings = Timings()
  ) throws -> [[UInt8]] {
    let paths = results.map(\.path)
    return try ShardPlan.split(paths, into: count, timings: timings).enumerated()
      .map { index, part in
        let shard = try #require(Shard(index + 1, of: count))
        let own = results.filter { part.contains($0.path) }
        return file(
          TestEvents.Run(shard: shard, of: paths, count: part.count), own,
          TestEvents.End(duration: 2_000_000_000, status: own.outcome.status))
      }
  }

  static func file(
    _ run: TestEvents.Run, _ results: [TestResult], _ end: TestEvents.End?
  ) -> [UInt8] {
    let counts = Dictionary(grouping: results, by: \.verdict).mapValues(\.count)
    return TestEvents.line(run) + results.flatMap { TestEvents.line($0) }
      + (end.map { TestEvents.line($0, counts: counts) } ?? [])
  }

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Failure {
  /// What a part of a report says that it refuses, or nil if it doesn't.
  static func message(_ body: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try body()
      return nil
    } catch { return error.message }
  }
}
