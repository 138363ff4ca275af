import Basics
import CanonicalJSON
import HostCore

/// A run of tests as JSON Lines. `Documentation/TestEvents.md` explains them.
enum TestEvents {
  static let schemaVersion = 1

  /// The first line, about the run.
  struct Run: Sendable, Equatable {
    /// The version of vmhost.
    let vmhost: String
    /// The shard; `Shard.whole` if the run isn't divided.
    let shard: Shard
    /// How many transcripts all shards have together.
    let total: Int
    /// How many of them this shard has.
    let count: Int
    /// A hash of the paths of all shards (`ShardPlan.selection`).
    let selection: String

    init(vmhost: String, shard: Shard, total: Int, count: Int, selection: String) {
      self.vmhost = vmhost
      self.shard = shard
      self.total = total
      self.count = count
      self.selection = selection
    }

    /// - Parameters:
    ///   - paths: the transcripts of all shards.
    ///   - count: how many of them the shard has.
    init(shard: Shard, of paths: [String], count: Int) {
      self.init(
        vmhost: CommandTable.vmhost.version, shard: shard, total: paths.count, count: count,
        selection: ShardPlan.selection(of: paths))
    }
  }

  /// The last line, about the end of the run.
  struct End: Sendable, Equatable {
    /// How long the run took, in real time.
    let duration: Nanoseconds
    /// The exit status.
    let status: Int32
    /// The layers of confinement that plugins ran without, by their names.
    var missing: [String] = []
  }

  // MARK: Lines

  /// All lines of a run.
  static func lines(_ run: Run, _ results: [TestResult], _ end: End) -> [UInt8] {
    let counts = Dictionary(grouping: results, by: \.verdict).mapValues(\.count)
    return line(run) + results.flatMap { line($0) } + line(end, counts: counts)
  }

  static func line(_ run: Run) -> [UInt8] {
    var line = Array("{\"kind\":\"run\",\"schema\":\(schemaVersion)".utf8)
    append("vmhost", run.vmhost, to: &line)
    if run.shard != .whole { append("shard", "\(run.shard)", to: &line) }
    line += Array(",\"total\":\(run.total),\"count\":\(run.count)".utf8)
    append("selection", run.selection, to: &line)
    return line + Array("}\n".utf8)
  }

  static func line(_ result: TestResult) -> [UInt8] {
    var line = Array("{\"kind\":\"result\"".utf8)
    append("path", result.path, to: &line)
    append("verdict", result.verdict.rawValue, to: &line)
    append("duration", result.duration, to: &line)
    line += Array(",\"steps\":\(result.steps)".utf8)
    if result.skippedSteps > 0 { line += Array(",\"skippedSteps\":\(result.skippedSteps)".utf8) }
    if result.line > 0 { line += Array(",\"line\":\(result.line)".utf8) }
    if !result.summary.isEmpty { append("summary", result.summary, to: &line) }
    if !result.details.isEmpty { append("details", result.details, to: &line) }
    return line + Array("}\n".utf8)
  }

  static func line(_ end: End, counts: [Verdict: Int]) -> [UInt8] {
    var line = Array("{\"kind\":\"end\",\"counts\":{".utf8)
    for (index, verdict) in Verdict.allCases.enumerated() {
      let comma = index == 0 ? "" : ","
      line += Array("\(comma)\"\(verdict.rawValue)\":\(counts[verdict] ?? 0)".utf8)
    }
    line.append(UInt8(ascii: "}"))
    append("duration", end.duration, to: &line)
    line += Array(",\"status\":\(end.status)".utf8)
    if !end.missing.isEmpty {
      line += Array(",\"missing\":".utf8)
      JSONValue.array(end.missing.map(JSONValue.string)).append(to: &line)
    }
    return line + Array("}\n".utf8)
  }

  /// A transcript that would be played, for `--list`.
  static func line(transcript path: String, tags: [String], skip: String?) -> [UInt8] {
    var line = Array("{\"kind\":\"transcript\"".utf8)
    append("path", path, to: &line)
    line += Array(",\"tags\":".utf8)
    JSONValue.array(tags.map(JSONValue.string)).append(to: &line)
    if let skip { append("skip", skip, to: &line) }
    return line + Array("}\n".utf8)
  }

  private static func append(_ name: String, _ value: String, to line: inout [UInt8]) {
    line += Array(",\"\(name)\":".utf8)
    let start = line.count
    CanonicalJSON.appendString(value, to: &line)
    ShownText.values.apply(to: &line, from: start)
  }

  private static func append(_ name: String, _ time: Nanoseconds, to line: inout [UInt8]) {
    line += Array(",\"\(name)\":".utf8)
    TimeSpan.appendSeconds(time, to: &line)
  }
}
