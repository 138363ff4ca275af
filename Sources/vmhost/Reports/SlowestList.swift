import HostCore

/// The transcripts that took longest, for `--slowest N`.
enum SlowestList {
  /// A line each, the slowest first; empty where `count` is 0 or there are no results.
  static func text(_ results: [TestResult], count: Int, _ style: Style) -> String {
    let slowest = results.sorted { one, other in
      (other.duration, PathKey(one.path)) < (one.duration, PathKey(other.path))
    }.prefix(count)
    let times = slowest.map(\.duration.secondsText)
    let width = times.map(\.count).max() ?? 0
    return zip(times, slowest).map { time, result in
      let margin = String(repeating: " ", count: width - time.count)
      return "\(margin)\(style.value(time))  \(result.path.terminalSafeLine)\n"
    }.joined()
  }
}
