import HostCore

/// The transcripts that a run plays.
struct TestSelection {
  /// All transcripts that the command line asks for, in any shard.
  let all: [String]
  let shard: Shard
  /// The transcripts of this shard.
  var paths: [String]

  init(_ options: TestOptions, timings: Timings?) throws(Failure) {
    all = try Self.lastFailed(of: Self.filtered(options), options)
    shard = options.shard ?? .whole
    paths =
      shard == .whole ? all : ShardPlan.paths(all, in: shard, timings: timings ?? Timings())
  }

  /// The message about a shard without transcripts; nil if it has some.
  var notice: String? {
    guard paths.isEmpty else { return nil }
    return "Shard \(shard) is empty: the run has \(Count.of(all.count, "transcript"))."
  }

  private static func filtered(_ options: TestOptions) throws(Failure) -> [String] {
    let paths: [String]
    do throws(SessionFailure) {
      paths = try TranscriptFinder.find(options.paths)
    } catch { throw Failure(error) }
    guard !paths.isEmpty else {
      throw Failure(
        .nothingToTest,
        "there is no transcript (*\(TranscriptFinder.ending)) in \(listed(options.paths)).")
    }
    return try options.choice.chosen(from: paths)
  }

  private static func lastFailed(
    of paths: [String], _ options: TestOptions
  ) throws(Failure) -> [String] {
    guard options.onlyLastFailed else { return paths }
    let failed = try LastFailed.among(paths)
    guard failed.isEmpty else { return failed }
    let count = Count.of(paths.count, "transcript")
    Console.complain(
      "vmhost: --last-failed: none failed in the last run, so everything is run: \(count).\n")
    return paths
  }

  private static func listed(_ texts: [String]) -> String {
    let quoted = texts.map { "\"\($0)\"" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
