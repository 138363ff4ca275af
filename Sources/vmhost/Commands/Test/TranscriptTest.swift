import Basics
import HostCore

/// Tests transcripts one after the other, with plugins that stay loaded.
final class TranscriptTest {
  /// Everything about the test of one transcript.
  struct Report: Sendable {
    var result: TestResult
    /// The failures for the console. They include the differences of a script that `--update` fills
    /// in, which are no failure.
    var findings: [TestFinding] = []
    /// What plugins logged and printed, if the user asked for it and it isn't in the details.
    var logs = ""
    var coverage = PortCoverage()
    /// The old and the new content of the file; nil if no update is wanted or possible.
    var update: (old: [UInt8], new: [UInt8])?
    /// The changes for the update.
    var edits: TranscriptUpdate?
    /// Whether the transcript has no expectations yet.
    var fillsIn = false
    /// Whether the transcript still fails after an update.
    var staysWrong = false
    /// The reason why a wanted update isn't possible: a sentence that follows a colon.
    var refusal = ""
    /// What a page shows of the session; empty if it passed, or no page is wanted.
    var session: [UInt8] = []

    /// The failures for a page.
    var differences: [TestPage.Difference] {
      findings.filter { !$0.key.isEmpty }.map { finding in
        TestPage.Difference(
          key: finding.key, line: finding.line, summary: finding.summary,
          lines: finding.lines.map(\.json))
      }
    }
  }

  let options: TestOptions
  private let style: DiffStyle?
  let pool: PluginPool
  /// Processes that differ from those of `pool` in ways that must not matter.
  lazy var variedPool = makePool(variation: 1)
  let context: ReplayContext
  private let isStopped: () -> Bool
  private let watch: (StepMonitor) throws -> Void
  /// Whether the failures in used processes were the same in new ones, by the names of the plugins.
  /// If one wasn't, a plugin keeps something.
  var confirmations: [[String]: Bool] = [:]
  /// How many transcripts have failed since one has passed.
  var failures = 0

  /// - Parameter watch: gets the monitor of each plugin that is about to be loaded in this process.
  init(
    _ options: TestOptions, style: DiffStyle?, isStopped: @escaping () -> Bool,
    watch: @escaping (StepMonitor) throws -> Void
  ) {
    self.options = options
    self.style = style
    self.isStopped = isStopped
    self.watch = watch
    pool = Self.pool(options.isolation, options, watch)
    context = ReplayContext(pluginPath: options.pluginPath, fence: options.fence)
  }

  /// A pool of new processes.
  func makePool(variation: Int = 0) -> PluginPool {
    Self.pool(options.isolation.varied(variation), options, watch)
  }

  private static func pool(
    _ isolation: PluginIsolation, _ options: TestOptions,
    _ watch: @escaping (StepMonitor) throws -> Void
  ) -> PluginPool {
    PluginPool { path, name in
      try isolation.load(
        path, named: name, options.limits, lock: options.lock,
        inProcess: { try LocalPlugin.load(path, name, options.limits, watch: watch) })
    }
  }

  /// Tests transcripts, until the whole run is stopped.
  ///
  /// - Parameter take: gets some of the reports, in the order of the paths.
  func test(_ paths: ArraySlice<String>, take: ([(index: Int, report: Report)]) -> Void) {
    // Each file is read once, so that everything uses the same bytes.
    var files = paths.indices.map {
      File(index: $0, path: paths[$0], source: try? options.source(paths[$0]))
    }[...]
    var reports: [(index: Int, report: Report)] = []
    func takeReports() {
      if !reports.isEmpty { take(reports) }
      reports = []
    }
    while !files.isEmpty {
      for run in playInWorker(files) {
        let file = files.removeFirst()
        // The host may take long, and what happens may stop the run.
        if case .open = run { takeReports() }
        guard let report = test(file, run) else { return }
        reports.append((file.index, report))
        if case .open = run { takeReports() }
      }
    }
    takeReports()
  }

  /// Tests a transcript.
  ///
  /// - Returns: the report; nil if the whole run was stopped meanwhile.
  private func test(_ file: File, _ inWorker: WorkerRun) -> Report? {
    let start = SystemClock.monotonic()
    let (path, source) = (file.path, file.source)
    var report: (report: Report, trace: TranscriptTrace?)
    var matching: RequestMatching?
    let old = options.update == nil ? nil : source.flatMap { $0.bytes ?? (try? Files.read(path)) }
    var time: Nanoseconds = 0
    if case .passed(let verdict, let changed) = inWorker {
      report = (Report(result: TestResult(path: path, verdict: .passed)), nil)
      report.report.result.steps = verdict.steps
      report.report.result.changedPlugins = changed
      time = verdict.time
    } else {
      (report, matching) = playMatching(path, source)
      finishUpdate(of: old, matching, &report.report)
    }
    var problem: String?
    if case .open(let found) = inWorker { problem = found }
    if report.report.result.verdict == .failed, options.update == nil, let source,
      let confirmed = confirm(path, source)
    {
      report.report = confirmed
      problem = problem ?? Self.otherwise
    }
    failures = report.report.result.verdict == .failed ? failures + 1 : 0
    if let problem, report.report.result.verdict == .passed {
      defer { report.report.findings = [TestFinding(report.report.result, details: "")] }
      report.report.result.verdict = .nondeterministic
      report.report.result.summary =
        "it passes now, but just before, in a process that other transcripts may have used, the"
        + " plugin \(problem)"
    }
    if let trace = report.trace, report.report.result.verdict.isEnd {
      // An update needs two runs: what differs from run to run isn't accepted.
      let needsSecond = report.report.update.map { !passesInVariedWorker(path, $0.new) } ?? false
      let times = max(options.repetitions, needsSecond ? 2 : 1)
      repeated(path, source, matching, trace, times, &report.report)
    }
    if options.isStrictAboutPlugins { requireRecordedPlugins(&report.report) }
    guard !isStopped() else { return nil }
    report.report.result.duration = time + SystemClock.monotonic() - start
    return report.report
  }

  /// Fails a transcript that passed with another library than it was recorded with.
  private func requireRecordedPlugins(_ report: inout Report) {
    guard report.result.verdict == .passed || report.result.verdict == .unverified,
      let changed = report.result.changedPlugins.first
    else { return }
    report.result.verdict = .failed
    report.result.summary = changed.failure
    report.findings = [TestFinding(report.result, details: "")]
  }

  /// How many runs of a transcript may find out for which requests its replies are.
  private static let maxMatchingRuns = 5

  /// Plays a transcript. If it may be rewritten, replies go to the requests that they are for now.
  /// A run may show that a request comes later. Then it is played again with that knowledge.
  private func playMatching(
    _ path: String, _ source: TranscriptSource?
  ) -> ((report: Report, trace: TranscriptTrace?), RequestMatching?) {
    guard options.update != nil, let source else { return (play(path, source, nil, pool), nil) }
    var foreseen: [RequestMatching.Content: Int] = [:]
    var runs: [(result: (report: Report, trace: TranscriptTrace?), matching: RequestMatching)] = []
    for _ in 0..<Self.maxMatchingRuns {
      let matching = RequestMatching(source, foreseen: foreseen)
      let result = play(path, source, matching, pool)
      guard matching.isNeeded, matching.counts != foreseen else { return (result, matching) }
      runs.append((result, matching))
      foreseen = matching.counts
    }
    // What a reply leads to may decide which request it is for. The run that keeps most is taken.
    let best = runs.min {
      $0.result.report.result.skippedSteps < $1.result.report.result.skippedSteps
    }
    return best.map { ($0.result, $0.matching) } ?? (play(path, source, nil, pool), nil)
  }

  private static let unmatched =
    "its replies can't be matched with the requests that are made now. Edit them by hand."

  func play(
    _ path: String, _ source: TranscriptSource?, _ matching: RequestMatching?, _ pool: PluginPool
  ) -> (report: Report, trace: TranscriptTrace?) {
    var report = Report(result: TestResult(path: path, verdict: .passed))
    let deadline = SystemClock.monotonic() + options.timeout
    let observer = TranscriptReport(
      path, style: style, wantsUpdate: options.update != nil,
      wantsCoverage: options.coverage.isWanted, wantsTrace: options.comparesRuns,
      wantsAllLogs: options.showsLogs,
      session: options.page == nil
        ? nil : SessionTrace(source: path, isolation: options.isolation.name))
    do throws(TranscriptError) {
      let source = if let source { source } else { try options.source(path) }
      report.result.steps = try play(source, matching, pool, observer, deadline, &report)
    } catch {
      let hasLogs = showsLogs(of: error.verdict) && !observer.findings.logs.isEmpty
      let (summary, details) = error.parts(in: path, hasLogs: hasLogs)
      report.result.verdict = error.verdict
      report.result.line = error.line
      report.result.summary = summary
      report.result.details = details + observer.earlierFinding
    }
    report.result.skippedSteps = observer.findings.skipped
    finish(&report, observer)
    addLogs(observer.findings.logs, to: &report)
    if let session = observer.session, report.result.verdict.outcome != .success {
      report.session = session.whole(
        verdict: report.result.verdict.rawValue, status: report.result.verdict.outcome.status,
        message: report.result.verdict.isEnd ? "" : report.result.summary)
    }
    if report.result.verdict.breaksWorker { pool.removeAll() }
    return (report, observer.trace)
  }

  private func play(
    _ source: TranscriptSource, _ matching: RequestMatching?, _ pool: PluginPool,
    _ observer: TranscriptReport, _ deadline: Nanoseconds, _ report: inout Report
  ) throws(TranscriptError) -> Int {
    let file = try TranscriptFile.whole(source)
    if isSkipped(file.summary) {
      report.result.verdict = .skipped
      report.result.summary = file.summary.skip ?? ""
      return 0
    }
    let isVerified = file.summary.hasExpectations
    if !isVerified { report.result.verdict = .unverified }
    do {
      let run = try TranscriptRun(file, context, options.limits, load: pool.connection)
      run.matching = matching
      defer {
        report.result.changedPlugins = ChangedPlugin.all(
          of: run.session.connections, since: run.summary)
        report.result.leaks = run.session.leaks
        report.result.slowSteps = run.session.connections.flatMap(\.slowSteps.all)
      }
      return try run.play(
        until: deadline, timeout: options.timeout,
        compares: isVerified || options.update != nil, observer: observer,
        isInterrupted: isStopped)
    } catch {
      throw TranscriptError(error, in: source.path, hasHung: pool.hasHung)
    }
  }

  /// Whether the transcript isn't played, since it says so (`@skip`).
  func isSkipped(_ summary: ScriptSummary) -> Bool {
    summary.skip != nil && !options.includesSkipped
  }

  private func finish(_ report: inout Report, _ observer: TranscriptReport) {
    report.coverage = observer.coverage
    let isPlayed = report.result.verdict == .passed || report.result.verdict == .unverified
    guard isPlayed else {
      report.findings = [TestFinding(report.result, details: report.result.details.terminalSafe)]
      if options.update != nil {
        report.refusal = "nothing is accepted from a run that didn't reach its end."
      }
      return
    }
    let findings = observer.findings
    report.staysWrong = findings.hasFault || findings.hasLeftOver || findings.hasUnplayable
    guard findings.differences > 0 || report.staysWrong else { return }
    report.fillsIn = report.result.verdict == .unverified
    report.findings = observer.shownFindings
    // The output of a script isn't a failure.
    if !report.fillsIn || report.staysWrong {
      report.result.verdict = .failed
      report.result.line = observer.headline?.line ?? 0
      report.result.summary = observer.headline?.summary ?? ""
      if options.keepsDetails { report.result.details = observer.details }
    }
    guard options.update != nil else { return }
    guard !findings.hasFault else {
      report.refusal = "a step failed with a fault."
      return
    }
    if findings.differences > 0 { report.edits = observer.update }
  }

  /// - Parameters:
  ///   - old: the content of the file before it was played.
  ///   - matching: what found the requests for its replies.
  private func finishUpdate(
    of old: [UInt8]?, _ matching: RequestMatching?, _ report: inout Report
  ) {
    report.edits?.changedPlugins = report.result.changedPlugins
    guard let edits = report.edits else { return }
    guard let old else {
      report.refusal = "it could not be read as a whole."
      return
    }
    let new = edits.apply(to: old)
    if matching?.isNeeded == true || report.result.skippedSteps > 0 {
      // Steps may behave otherwise where they are now, or be played for the first time.
      let source = TranscriptSource(path: report.result.path, bytes: new)
      let again = play(report.result.path, source, nil, pool).report
      guard again.result.verdict.isEnd, again.edits == nil else {
        report.refusal = Self.unmatched
        return
      }
      if again.staysWrong && !report.staysWrong {
        report.staysWrong = true
        (report.result.line, report.result.summary) = (again.result.line, again.result.summary)
      }
    }
    report.update = (old, new)
  }

  // MARK: Repetition

  /// Plays a transcript again, in processes that differ in ways that must not matter.
  private func repeated(
    _ path: String, _ source: TranscriptSource?, _ matching: RequestMatching?,
    _ first: TranscriptTrace, _ times: Int, _ report: inout Report
  ) {
    for repetition in 1..<times where !isStopped() {
      // Only --repeat promises new processes. An update plays once more, in kept ones.
      let pool = options.repetitions > 1 ? makePool(variation: repetition) : variedPool
      let again = play(path, source, matching?.again, pool)
      let name = "run \(repetition + 1) of \(times)"
      let result = again.report.result
      if let line = again.trace?.firstDifference(from: first) {
        report.result.line = line
        report.result.summary =
          "\(name) emitted something else than the first one in the step of this line."
      } else if !result.verdict.isEnd {
        // It failed in a step that emits nothing, or at its end.
        report.result.line = result.line
        report.result.summary =
          "\(name) \(result.verdict.text), as the first one did not: \(result.summary)"
      } else {
        continue
      }
      report.result.verdict = .nondeterministic
      report.result.details = again.report.result.details
      report.findings = [TestFinding(report.result, details: report.result.details)]
      if options.update != nil {
        report.update = nil
        report.refusal = "lines that differ from run to run are not accepted."
      }
      return
    }
  }
}
