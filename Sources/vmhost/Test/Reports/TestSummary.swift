import HostCore

/// What a run says at its end: what went wrong, and how much went right.
struct TestSummary {
  let results: [TestResult]
  let duration: Nanoseconds
  /// What is not among the results, a line each.
  var gaps: [String] = []

  func text(_ style: Style) -> String {
    let bad = results.filter { $0.verdict.outcome != .success }.sortedByPath
    let width = bad.map(\.verdict.words.count).max() ?? 0
    var lines = bad.map { result in
      let verdict = style.error(result.verdict.words.padded(to: width))
      let summary = result.summary.isEmpty ? "" : ": \(result.summary.legibleInLine)"
      return "\(verdict)  \(result.place.legibleInLine)\(summary)"
    }
    if !lines.isEmpty { lines.append("") }
    lines += gaps.map { style.error("incomplete: ") + $0.legibleInLine }
    lines.append("\(counts(style)) in \(duration.secondsText)")
    return lines.joined(separator: "\n") + "\n"
  }

  private func counts(_ style: Style) -> String {
    let parts = Verdict.allCases.compactMap { verdict -> String? in
      let count = results.count(verdict)
      guard count > 0 else { return nil }
      let text = "\(count) \(verdict.words)"
      return verdict.outcome == .success ? text : style.error(text)
    }
    return parts.isEmpty ? "nothing tested" : parts.joined(separator: ", ")
  }
}

extension Nanoseconds {
  /// Seconds with three decimals, as in `0.250s`.
  var secondsText: String {
    let (milliseconds, half) = (self / 1_000_000, self % 1_000_000 >= 500_000)
    let rounded = milliseconds + (half ? 1 : 0)
    let decimals = String(rounded % 1_000)
    return "\(rounded / 1_000)." + String(repeating: "0", count: 3 - decimals.count)
      + "\(decimals)s"
  }
}
