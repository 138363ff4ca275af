/// Plays a transcript on a thread of its own.
struct TranscriptThread: Sendable {
  let path: String
  let isolation: PluginIsolation
  let pluginPath: [String]
  let lock: PluginLock?
  let limits: StepLimits
  let timeout: Nanoseconds
  /// Set when the waiting task is cancelled.
  let cancellation = CancellationFlag()

  func play() -> TranscriptResult {
    let observer = Observer()
    var verdict = TranscriptResult.Verdict.passed
    var steps = 0
    var failure: TranscriptError?
    do throws(TranscriptError) {
      let file = try TranscriptFile.whole(TranscriptSource(path))
      if let reason = file.summary.skip {
        return TranscriptResult(
          transcript: Transcript(path), verdict: .skipped, skipReason: reason, steps: 0,
          skippedSteps: 0, differences: [], moreDifferences: 0, logs: "")
      }
      if !file.summary.hasExpectations { verdict = .unverified }
      steps = try play(file, observer)
      if observer.findings.count > 0 { verdict = .failed }
    } catch {
      // A single run can't differ from another one, so that there is no such verdict.
      verdict = TranscriptResult.Verdict(rawValue: error.verdict.rawValue) ?? .failed
      failure = error
    }
    let transcript = Transcript(path)
    let findings = observer.findings
    let ending = failure?.verdict ?? (findings.count > 0 ? .failed : .passed)
    let logs = ending.isExplainedByLogs ? findings.logs.text : ""
    return TranscriptResult(
      transcript: transcript, verdict: verdict, skipReason: nil, steps: steps,
      skippedSteps: findings.skipped,
      differences: findings.kept.map { TranscriptDifference($0, in: transcript) }
        + (failure.map { [TranscriptDifference($0, in: transcript, hasLogs: !logs.isEmpty)] }
          ?? []),
      moreDifferences: findings.count - findings.kept.count, logs: logs)
  }

  private func play(
    _ file: TranscriptFile, _ observer: Observer
  ) throws(TranscriptError) -> Int {
    let (deadline, overflow) = SystemClock.monotonic().addingReportingOverflow(timeout)
    let end = overflow ? Nanoseconds.max : deadline
    let pool = PluginPool { [isolation, limits, lock] path, name in
      try isolation.load(
        path, named: name, limits, lock: lock,
        inProcess: { try ExclusivePlugin(path: path, name: name, limits: limits) })
    }
    do {
      let run = try TranscriptRun(
        file, ReplayContext(pluginPath: pluginPath), limits, load: pool.connection)
      return try run.play(
        until: end, timeout: timeout, compares: file.summary.hasExpectations, observer: observer,
        isInterrupted: { [cancellation] in cancellation.isCancelled })
    } catch {
      throw TranscriptError(error, in: path, hasHung: pool.hasHung)
    }
  }

  private final class Observer: TranscriptObserver {
    private(set) var findings = TranscriptFindings()

    func didPlay(
      _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
    ) -> Bool {
      findings.take(comparison, difference)
      return false
    }

    func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool {
      findings.take(unplayed)
      return false
    }

    func didLeave(_ request: LeftRequest) { findings.take(request) }

    func didEnd(_ session: SessionEngine) { findings.logs.takeEnd(of: session) }
  }
}
