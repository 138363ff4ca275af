import HostCore
import Testing

/// What a step was to emit and did, and what is said of it.
struct StepDifferenceCase: CustomTestStringConvertible, Sendable {
  static let legend = "- expected (the transcript)   + found (this run)\n"

  static let all = outputs + values + requests

  let testDescription: String
  let expected: String
  let found: String
  let kind: StepDifference.Kind
  let line: Int
  let summary: String
  let text: String

  init(
    _ name: String, expected: String, found: String, kind: StepDifference.Kind, line: Int,
    summary: String, text: String
  ) {
    testDescription = name
    self.expected = expected
    self.found = found
    self.kind = kind
    self.line = line
    self.summary = summary
    self.text = text
  }
}
