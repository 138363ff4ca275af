import HostCore

/// The summary of a run: its failures, and the counts of its verdicts.
struct TestSummary {
  /// How many failures are listed. Further ones are only counted; reports have all of them.
  private static let maxListed = 200
  /// How many reasons for skipping are listed.
  private static let maxReasons = 10
  /// The maximum length of a reason in a short listing, if the whole reason was shown before.
  private static let shortReason = 100

  /// The results, without those of rewritten transcripts.
  let results: [TestResult]
  let duration: Nanoseconds
  /// A message about each missing part of the results.
  var gaps: [String] = []
  /// How many transcripts were rewritten.
  var rewritten = UpdateCounts()

  /// - Parameters:
  ///   - listing: how much of the reasons the list of failures has; nil for no list.
  ///   - groups: whether transcripts that fail for the same reason are one line of the list.
  func text(_ style: Style, listing: Listing? = .whole, groups: Bool = true) -> String {
    var lines = listing.map { list(style, $0, groups: groups) } ?? []
    if !lines.isEmpty { lines.append("") }
    lines += skipped
    lines += gaps.map { style.error("incomplete: ") + $0.terminalSafeLine }
    let counts = counts(style)
    let comma = counts.hasSuffix(" in") ? "," : ""
    lines.append("\(counts)\(comma) in \(duration.secondsText)")
    return lines.joined(separator: "\n") + "\n"
  }

  enum Listing { case whole, short }

  private func list(_ style: Style, _ listing: Listing, groups: Bool) -> [String] {
    let bad = results.filter { $0.verdict.outcome != .success }.sortedByPath
    let counts = bad.reduce(into: [:]) { $0[$1.kindOfFailure, default: 0] += 1 }
    var known: Set<String> = []
    let rows = groups ? bad.filter { known.insert($0.kindOfFailure).inserted } : bad
    let listed = rows.prefix(Self.maxListed)
    let width = listed.map(\.verdict.text.count).max() ?? 0
    var lines = listed.map { result in
      let verdict = style.error(result.verdict.text.uppercased().padded(to: width))
      let reason = result.summary.terminalSafeLine
      let shown =
        listing == .whole || reason.count <= Self.shortReason
        ? reason : reason.prefix(Self.shortReason) + "…"
      let others = groups ? counts[result.kindOfFailure, default: 1] - 1 : 0
      return "\(verdict)  \(result.location.terminalSafeLine)\(shown.isEmpty ? "" : "  \(shown)")"
        + (others > 0 ? " (the same in \(Count.of(others, "more transcript")))" : "")
    }
    if rows.count > listed.count { lines.append("… and \(rows.count - listed.count) more") }
    return lines
  }

  /// The reasons of the transcripts that were not played, and to whom each applies.
  private var skipped: [String] {
    let skipped = results.filter { $0.verdict == .skipped }.sortedByPath
    let groups = Dictionary(grouping: skipped.enumerated(), by: \.element.summary).values
      .sorted { $0[0].offset < $1[0].offset }
    var lines = groups.prefix(Self.maxReasons).map { group in
      let first = group[0].element
      let others = group.count > 1 ? " and \(group.count - 1) more" : ""
      return "skipped: \("\(first.path)\(others): \(first.summary)".terminalSafeLine)"
    }
    let rest = groups.dropFirst(Self.maxReasons).reduce(0) { $0 + $1.count }
    if rest > 0 { lines.append("skipped: \(rest) more, for other reasons") }
    return lines
  }

  private func counts(_ style: Style) -> String {
    var parts = [Verdict.passed, .unverified, .skipped].compactMap { part($0, style) }
    if rewritten.filledIn > 0 { parts.append("\(rewritten.filledIn) filled in") }
    if rewritten.updated > 0 { parts.append("\(rewritten.updated) updated") }
    parts += Verdict.allCases.filter { $0.outcome != .success }.compactMap { part($0, style) }
    return parts.isEmpty ? "nothing tested" : parts.joined(separator: ", ")
  }

  private func part(_ verdict: Verdict, _ style: Style) -> String? {
    let count = results.count(verdict)
    guard count > 0 else { return nil }
    let text = "\(count) \(verdict.text)"
    return verdict.outcome == .success ? text : style.error(text)
  }
}
