import Basics
import HostCore

/// Tests transcripts one after the other, with plugins that stay loaded.
final class TranscriptTest {
  /// All that comes of one transcript.
  struct Report: Sendable {
    var result: TestResult
    /// The details as a terminal shows them; also the differences of a script that `--update`
    /// fills in, which are no failure.
    var shownDetails = ""
    var coverage = PortCoverage()
    /// The file as it should be, and as it is, where an update is wanted and possible.
    var update: (old: [UInt8], new: [UInt8])?
    /// What has to be changed for that.
    var edits: TranscriptUpdate?
    /// Whether the transcript expects nothing yet.
    var fillsIn = false
    /// Whether more is wrong than an update mends.
    var staysWrong = false
    /// Why an update that is wanted isn't possible; a sentence after a colon.
    var refusal = ""
  }

  let options: TestOptions
  private let style: DiffStyle?
  let pool: PluginPool
  let context: ReplayContext
  private let isStopped: () -> Bool
  private let watch: (StepMonitor) throws -> Void

  /// - Parameter watch: gets the monitor of a plugin that is about to be loaded into this process.
  init(
    _ options: TestOptions, style: DiffStyle?, isStopped: @escaping () -> Bool,
    watch: @escaping (StepMonitor) throws -> Void
  ) {
    self.options = options
    self.style = style
    self.isStopped = isStopped
    self.watch = watch
    pool = PluginPool(options.isolation, options.limits, watch: watch)
    context = ReplayContext(pluginPath: options.pluginPath)
  }

  /// - Returns: nil if the whole run was stopped meanwhile.
  func test(_ path: String) -> Report? {
    let start = SystemClock.monotonic()
    var report: (report: Report, trace: TranscriptTrace?)
    // Read once, so that all of this is about the same bytes. What is wrong shows when it is
    // played.
    let source = try? TranscriptSource(path)
    let old = options.update == nil ? nil : source?.bytes ?? (try? Files.read(path))
    let inWorker = source.map(playInWorker) ?? .open(nil)
    if case .passed(let steps) = inWorker {
      report = (Report(result: TestResult(path: path, verdict: .passed)), nil)
      report.report.result.steps = steps
    } else {
      report = play(path, source, pool)
      finishUpdate(of: old, &report.report)
    }
    if case .open(let words?) = inWorker, report.report.result.verdict == .passed {
      report.report.result.verdict = .nondeterministic
      report.report.result.summary =
        "it passes, but when it was played just before, in a process that others may have used, the"
        + " plugin \(words)"
    }
    if let trace = report.trace, report.report.result.verdict.isEnd {
      // Nothing is accepted that differs from run to run.
      let times = max(options.repetitions, report.report.update == nil ? 1 : 2)
      repeated(path, source, trace, times, &report.report)
    }
    guard !isStopped() else { return nil }
    report.report.result.duration = SystemClock.monotonic() - start
    return report.report
  }

  private func play(
    _ path: String, _ source: TranscriptSource?, _ pool: PluginPool
  ) -> (report: Report, trace: TranscriptTrace?) {
    var report = Report(result: TestResult(path: path, verdict: .passed))
    let deadline = SystemClock.monotonic() + options.timeout
    let observer = TranscriptReport(
      path, style: style, wantsUpdate: options.update != nil,
      wantsCoverage: options.showsCoverage, wantsTrace: options.comparesRuns)
    do throws(TranscriptError) {
      let source = if let source { source } else { try TranscriptSource(path) }
      report.result.steps = try play(source, pool, observer, deadline, &report)
    } catch {
      let (summary, details) = error.parts(in: path)
      report.result.verdict = error.verdict
      report.result.line = error.line
      report.result.summary = summary
      report.result.details = details
    }
    finish(&report, observer)
    if ![.passed, .unverified].contains(report.result.verdict) { pool.removeAll() }
    return (report, observer.trace)
  }

  private func play(
    _ source: TranscriptSource, _ pool: PluginPool, _ observer: TranscriptReport,
    _ deadline: Nanoseconds, _ report: inout Report
  ) throws(TranscriptError) -> Int {
    let file = try TranscriptFile.whole(source)
    let isVerified = file.summary.hasExpectations
    if !isVerified { report.result.verdict = .unverified }
    do {
      return try TranscriptRun(file, context, load: pool.connection).play(
        until: deadline, timeout: options.timeout,
        compares: isVerified || options.update != nil, observer: observer,
        isInterrupted: isStopped)
    } catch {
      throw TranscriptError(error, in: source.path, hasHung: pool.hasHung)
    }
  }

  private func finish(_ report: inout Report, _ observer: TranscriptReport) {
    report.coverage = observer.coverage
    let isPlayed = report.result.verdict == .passed || report.result.verdict == .unverified
    guard isPlayed else {
      report.shownDetails = report.result.details.terminalSafe
      if options.update != nil {
        report.refusal = "only what a run showed to its end is accepted."
      }
      return
    }
    let findings = observer.findings
    report.staysWrong = findings.hasFault || findings.hasLeftOver
    guard findings.differences > 0 || report.staysWrong else { return }
    report.fillsIn = report.result.verdict == .unverified
    report.shownDetails = observer.shownDetails
    // What a script emits is no failure of it.
    if !report.fillsIn || report.staysWrong {
      report.result.verdict = .failed
      report.result.line = observer.line
      report.result.summary = observer.summary
      report.result.details = observer.details
    }
    guard options.update != nil else { return }
    guard !findings.hasFault else {
      report.refusal = "a step failed with a fault."
      return
    }
    if findings.differences > 0 { report.edits = observer.update }
  }

  /// - Parameter old: the file as it was before it was played.
  private func finishUpdate(of old: [UInt8]?, _ report: inout Report) {
    guard let edits = report.edits else { return }
    guard let old else {
      report.refusal = "it could not be read as a whole."
      return
    }
    report.update = (old, edits.apply(to: old))
  }

  // MARK: Again

  /// Plays a transcript again, in fresh processes that differ in what must not matter.
  private func repeated(
    _ path: String, _ source: TranscriptSource?, _ first: TranscriptTrace, _ times: Int,
    _ report: inout Report
  ) {
    for repetition in 1..<times where !isStopped() {
      let pool = PluginPool(
        options.isolation.varied(repetition), options.limits, watch: watch)
      let again = play(path, source, pool)
      let name = "run \(repetition + 1) of \(times)"
      let result = again.report.result
      if let line = again.trace?.firstDifference(from: first) {
        report.result.line = line
        report.result.summary =
          "\(name) emitted something else than the first one in the step of this line."
      } else if !result.verdict.isEnd {
        // In a step that emits nothing, or at its end.
        report.result.line = result.line
        report.result.summary =
          "\(name) \(result.verdict.words), as the first one did not: \(result.summary)"
      } else {
        continue
      }
      report.result.verdict = .nondeterministic
      report.result.details = again.report.result.details
      // Of a script there are none: what an update would fill in is no difference between runs.
      report.shownDetails = again.report.result.details.isEmpty ? "" : again.report.shownDetails
      if options.update != nil {
        report.update = nil
        report.refusal = "what differs from run to run is not accepted."
      }
      return
    }
  }
}
