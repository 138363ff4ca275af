import HostCore

/// The merged shards of one run.
struct ShardMerge {
  /// The run as a whole.
  let run: TestEvents.Run
  /// The results of all shards, in the order of their paths.
  let results: [TestResult]
  /// The duration of the longest shard.
  let duration: Nanoseconds
  /// A message about each missing part. Only a partial merge may have any.
  let gaps: [String]
  /// The layers of confinement that plugins of some shard ran without, by their names.
  let missing: [String]
  /// What the pages of shards have besides the results.
  let page: TestPage
  /// Whether a shard has an exit status that its results don't explain, as after a signal.
  private let endedOddly: Bool

  /// - Parameters:
  ///   - shards: the shards of the run; at least one.
  ///   - isPartial: whether shards, and results of a shard, may be missing.
  /// - Throws: a `Failure` if the files aren't all shards of one run.
  init(_ shards: [RecordedRun], isPartial: Bool) throws(Failure) {
    let first = shards[0]
    for other in shards.dropFirst() { try Self.checkSameRun(first, other) }
    let byIndex = try Self.shardsByIndex(shards)
    try Self.checkPaths(shards)
    let gaps = Self.missingShards(byIndex) + shards.compactMap(Self.missingResults)
    guard isPartial || gaps.isEmpty else {
      throw Failure(.usage, gaps.joined(separator: "\n") + "\n" + Self.advice)
    }
    let count = shards.reduce(0) { $0 + $1.run.count }
    guard byIndex.count < first.run.shard.count || count == first.run.total else {
      throw Failure(
        .usage,
        """
        the shards have \(count) transcripts together, but the run has \(first.run.total). \
        \(Self.planAdvice)
        """)
    }
    results = shards.flatMap(\.results).sortedByPath
    duration = shards.compactMap(\.end?.duration).max() ?? 0
    run = TestEvents.Run(
      vmhost: first.run.vmhost, shard: .whole, total: first.run.total, count: first.run.total,
      selection: first.run.selection)
    endedOddly = shards.contains { shard in
      guard let end = shard.end else { return false }
      let explained = [shard.results.outcome.status, Outcome.success.status]
      let isEmpty = shard.results.isEmpty && end.status == Outcome.nothingToTest.status
      return !explained.contains(end.status) && !isEmpty
    }
    self.gaps = gaps
    page = shards.reduce(into: TestPage()) { page, shard in page.merge(of: shard) }
    missing = shards.compactMap(\.end?.missing).reduce(into: []) { all, names in
      all += names.filter { !all.contains($0) }
    }
  }

  /// The outcome that the run would have had if it had not been divided.
  var outcome: Outcome {
    guard run.total > 0 else { return .nothingToTest }
    let outcome = results.outcome
    return outcome == .success && endedOddly ? .failed : outcome
  }

  private static let advice = """
    Name the files of all shards; if there are none, merge without them (--partial).
    """

  private static let planAdvice = """
    Each shard must be given the same paths and the same timings.
    """

  private static func checkSameRun(
    _ one: RecordedRun, _ other: RecordedRun
  ) throws(Failure) {
    guard one.run.shard.count == other.run.shard.count else {
      throw Failure(
        .usage,
        """
        "\(one.source)" is shard \(one.run.shard), but "\(other.source)" is shard \
        \(other.run.shard): they are of different runs.
        """)
    }
    guard one.run.total == other.run.total else {
      throw Failure(
        .usage,
        """
        "\(one.source)" is of a run of \(one.run.total) transcripts, but "\(other.source)" of one \
        of \(other.run.total). \(planAdvice)
        """)
    }
    guard one.run.selection == other.run.selection else {
      throw Failure(
        .usage,
        """
        "\(one.source)" and "\(other.source)" are of runs of different transcripts. \(planAdvice)
        """)
    }
  }

  private static func shardsByIndex(
    _ shards: [RecordedRun]
  ) throws(Failure) -> [Int: RecordedRun] {
    var byIndex: [Int: RecordedRun] = [:]
    for shard in shards {
      if let earlier = byIndex.updateValue(shard, forKey: shard.run.shard.index) {
        throw Failure(
          .usage,
          """
          shard \(shard.run.shard) appears twice, as "\(earlier.source)" and as \
          "\(shard.source)". Name each shard's file once.
          """)
      }
    }
    return byIndex
  }

  private static func checkPaths(_ shards: [RecordedRun]) throws(Failure) {
    var owners: [PathKey: String] = [:]
    for shard in shards {
      for result in shard.results {
        if let owner = owners.updateValue(shard.source, forKey: PathKey(result.path)) {
          throw Failure(
            .usage,
            """
            "\(result.path)" is in "\(owner)" and in "\(shard.source)". \(planAdvice)
            """)
        }
      }
    }
  }

  private static func missingShards(_ byIndex: [Int: RecordedRun]) -> [String] {
    guard let count = byIndex.values.first?.run.shard.count else { return [] }
    let missing = (1...count).filter { byIndex[$0] == nil }.map { "\($0)/\(count)" }
    guard let last = missing.last else { return [] }
    guard missing.count > 1 else { return ["shard \(last) is missing."] }
    return ["shards \(missing.dropLast().joined(separator: ", ")) and \(last) are missing."]
  }

  private static func missingResults(_ shard: RecordedRun) -> String? {
    guard shard.results.count < shard.run.count else { return nil }
    return """
      "\(shard.source)" has \(shard.results.count) of its \(shard.run.count) results: its run \
      stopped early.
      """
  }
}
