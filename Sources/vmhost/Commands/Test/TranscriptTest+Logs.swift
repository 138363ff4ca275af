import HostCore

extension TranscriptTest {
  /// Whether a transcript shows what plugins logged and printed below what is wrong.
  func showsLogs(of verdict: Verdict) -> Bool {
    // An update is about the differences.
    verdict.isExplainedByLogs && (options.update == nil || options.showsLogs)
  }

  /// Adds what plugins logged and printed: below what is wrong, or by itself if the user asked for
  /// it and nothing is.
  func addLogs(_ logs: StepLogs, to report: inout Report) {
    guard !logs.isEmpty else { return }
    if showsLogs(of: report.result.verdict) {
      report.result.details += (report.result.details.isEmpty ? "" : "\n\n") + logs.text
      report.findings.append(TestFinding(remark: logs.heading, details: logs.body))
    } else if options.showsLogs {
      report.logs = logs.text
    }
  }
}
