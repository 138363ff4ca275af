import HostCore

/// A failure of a transcript, as the console shows it.
struct TestFinding: Sendable {
  /// The same for failures that are the same, in whichever file and line; empty for a remark on
  /// those before it.
  let key: String
  /// The line, counted from 1; 0 if the failure belongs to no line.
  let line: Int
  let summary: String
  /// The step and the difference; empty if the summary says everything.
  let details: String
  /// Whether it is a difference that could be accepted.
  let isChange: Bool
  /// The diff for a page; empty if none is wanted, or the summary says everything.
  var lines: [DiffLine] = []

  func location(in path: String) -> String { line > 0 ? "\(path):\(line)" : path }
}

extension TestFinding {
  /// The failure of a transcript that wasn't played to its end, or not always in the same way.
  init(_ result: TestResult, details: String) {
    self.init(
      key: result.kindOfFailure, line: result.line, summary: result.summary, details: details,
      isChange: false)
  }

  /// A remark on the failures before it.
  init(remark: String, details: String = "") {
    self.init(key: "", line: 0, summary: remark, details: details, isChange: false)
  }
}
