import HostCore

/// The transcripts that took longest, for `--slowest N`.
enum SlowestList {
  /// One line for each transcript, the slowest first; empty for a `count` of 0 or no results.
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
