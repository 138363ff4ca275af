/// A problem that was found while a transcript was played.
package struct TranscriptFinding: Sendable {
  /// A step, as a message shows it.
  package struct Step: Sendable {
    /// The line, counted from 1.
    package let line: Int
    package let text: String
  }

  /// The line, counted from 1; 0 if the finding belongs to no line.
  package let line: Int
  /// What is wrong, in one sentence.
  package let summary: String
  /// The step and its difference from its lines; nil if the finding is about something else.
  package let difference: (step: Step, difference: StepDifference)?
  /// The line of a step that could not be played, with a mark; empty for another finding.
  package let excerpt: String

  /// The step and the diff, or the line; empty if the summary says everything.
  package func details(in path: String, style: DiffStyle?) -> String {
    guard let difference else { return excerpt }
    let text = difference.difference.text(style: style)
    return "the step at \(path):\(difference.step.line): \(difference.step.text)\n"
      + (text.hasSuffix("\n") ? text.dropLast() : text[...])
  }
}

/// Collects the problems of a transcript while it is played.
package struct TranscriptFindings: Sendable {
  /// How many findings are kept. Further ones are only counted.
  private static let maxKept = 11
  /// The maximum length of a summary, since a plugin's message may have any length.
  private static let maxSummary = 1000

  /// The first findings, in the order of the file.
  package private(set) var kept: [TranscriptFinding] = []
  /// The first finding that rewriting the expected lines doesn't settle; nil if there is none.
  package private(set) var lasting: TranscriptFinding?
  /// How many findings there are.
  package private(set) var count = 0
  /// How many steps emitted something else than their lines say.
  package private(set) var differences = 0
  /// Whether a step failed, so that rewriting its lines would be no solution.
  package private(set) var hasFault = false
  /// Whether a request is open at the end.
  package private(set) var hasLeftOver = false
  /// How many steps could not be played.
  package private(set) var skipped = 0
  /// Whether a step could not be played for a reason of its own, which rewriting no line changes.
  package private(set) var hasUnplayable = false
  /// What plugins logged and printed up to the first finding, or in all steps.
  package var logs: StepLogs

  /// - Parameter keepsAllLogs: whether what plugins log and print is wanted whatever is found.
  package init(keepsAllLogs: Bool = false) { logs = StepLogs(isWhole: keepsAllLogs) }

  /// Adds the findings of a step.
  ///
  /// - Parameter difference: the difference between its lines and what it emitted; nil for none.
  package mutating func take(_ comparison: StepComparison, _ difference: StepDifference?) {
    let step = comparison.step
    logs.take(comparison)
    if let fault = comparison.fault {
      hasFault = true
      note(fault, line: step.numbers.lowerBound, isLasting: true, nil)
    }
    guard let difference else { return }
    differences += 1
    note(difference.summary, line: difference.line) {
      let text = StepText.compact(step.text)
      return (TranscriptFinding.Step(line: step.numbers.lowerBound, text: text), difference)
    }
  }

  /// Adds a request that is still open at the end.
  package mutating func take(_ request: LeftRequest) {
    hasLeftOver = true
    note(request.message, line: request.line, isLasting: true, nil)
  }

  /// Adds a step that could not be played. It is a finding unless an earlier one led to it.
  package mutating func take(_ unplayed: UnplayedStep) {
    skipped += 1
    guard unplayed.isDifference else { return }
    hasUnplayable = true
    note(
      unplayed.summary, line: unplayed.line, excerpt: unplayed.details, isLasting: true, nil)
  }

  private mutating func note(
    _ message: String, line: Int, excerpt: String = "", isLasting: Bool = false,
    _ difference: (() -> (step: TranscriptFinding.Step, difference: StepDifference))?
  ) {
    count += 1
    logs.close()
    let isFirstLasting = isLasting && lasting == nil
    guard kept.count < Self.maxKept || isFirstLasting else { return }
    let isLong = message.count > Self.maxSummary
    let finding = TranscriptFinding(
      line: line, summary: isLong ? message.prefix(Self.maxSummary) + "…" : message,
      difference: difference?(), excerpt: excerpt)
    if isFirstLasting { lasting = finding }
    if kept.count < Self.maxKept { kept.append(finding) }
  }
}
