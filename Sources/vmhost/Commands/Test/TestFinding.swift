import HostCore

/// A failure of a transcript, as the console shows it.
struct TestFinding: Sendable {
  /// The same for failures that are the same, in whichever file and line; empty for a remark on
  /// those before it.
  let key: String
  /// The line, counted from 1; 0 if the failure belongs to no line.
  let line: Int
  let summary: String
  /// The step and the difference; empty if the summary says everything. They are made when they are
  /// shown, since most failures are like an earlier one.
  var details: String { makeDetails() }
  private let makeDetails: @Sendable () -> String
  /// Whether it is a difference that could be accepted.
  let isChange: Bool
  /// The diff for a page; empty if none is wanted, or the summary says everything.
  let lines: [DiffLine]

  init(
    key: String, line: Int, summary: String, isChange: Bool, lines: [DiffLine] = [],
    details: @autoclosure @escaping @Sendable () -> String
  ) {
    self.key = key
    self.line = line
    self.summary = summary
    self.isChange = isChange
    self.lines = lines
    makeDetails = details
  }

  func location(in path: String) -> String { line > 0 ? "\(path):\(line)" : path }
}

extension TestFinding {
  /// The failure of a transcript that wasn't played to its end, or not always in the same way.
  init(_ result: TestResult, details: String) {
    self.init(
      key: result.kindOfFailure, line: result.line, summary: result.summary, isChange: false,
      details: details)
  }

  /// A remark on the failures before it.
  init(remark: String, details: String = "") {
    self.init(key: "", line: 0, summary: remark, isChange: false, details: details)
  }
}
