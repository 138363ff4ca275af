/// Something that is wrong with a transcript that was played.
package struct TranscriptFinding: Sendable {
  /// A step, as a message shows it.
  package struct Step: Sendable {
    /// From 1.
    package let line: Int
    package let text: String
  }

  /// Where it shows, from 1; 0 if it is about no line.
  package let line: Int
  /// One sentence.
  package let summary: String
  /// How what a step emitted differs from its lines, and which step; nil if it is something else.
  package let difference: (step: Step, difference: StepDifference)?

  /// The step and the diff; empty where the summary says all.
  package func details(in path: String, style: DiffStyle?) -> String {
    guard let difference else { return "" }
    let text = difference.difference.text(style: style)
    return "the step at \(path):\(difference.step.line): \(difference.step.text)\n"
      + (text.hasSuffix("\n") ? text.dropLast() : text[...])
  }
}

/// Gathers what is wrong with a transcript while it is played.
package struct TranscriptFindings: Sendable {
  /// More than these are only counted.
  private static let maxKept = 11
  /// A plugin's own words may be of any length.
  private static let maxSummary = 1000

  /// In the order of the file.
  package private(set) var kept: [TranscriptFinding] = []
  /// How many there are.
  package private(set) var count = 0
  /// How many steps emitted something else than their lines say.
  package private(set) var differences = 0
  /// Whether something went wrong that no rewriting of lines can be the answer to.
  package private(set) var hasFault = false
  /// Whether a request is open at the end.
  package private(set) var hasLeftOver = false

  package init() {}

  /// Takes a step.
  ///
  /// - Parameter difference: how what it emitted differs from its lines; nil if it doesn't.
  package mutating func take(_ comparison: StepComparison, _ difference: StepDifference?) {
    let step = comparison.step
    if let fault = comparison.fault {
      hasFault = true
      note(fault, line: step.numbers.lowerBound, nil)
    }
    guard let difference else { return }
    differences += 1
    note(difference.summary, line: difference.line) {
      let text = StepText.compact(step.text)
      return (TranscriptFinding.Step(line: step.numbers.lowerBound, text: text), difference)
    }
  }

  /// Takes a request that is still open at the end.
  package mutating func takeLeftOver(_ message: String, line: Int) {
    hasLeftOver = true
    note(message, line: line, nil)
  }

  private mutating func note(
    _ words: String, line: Int,
    _ difference: (() -> (step: TranscriptFinding.Step, difference: StepDifference))?
  ) {
    count += 1
    guard kept.count < Self.maxKept else { return }
    let isLong = words.count > Self.maxSummary
    kept.append(
      TranscriptFinding(
        line: line, summary: isLong ? words.prefix(Self.maxSummary) + "…" : words,
        difference: difference?()))
  }
}
