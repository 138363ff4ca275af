import HostCore

/// `vmhost test`: plays transcripts in parallel and reports what differs.
final class TestCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      let options = try TestOptions(arguments)
      if let format = options.list { return try TestListing.show(options, as: format) }
      if let notice = options.isolation.notice { Console.complain(notice) }
      // Each job has plugins of its own, and each plugin needs some descriptors.
      OpenFiles.raiseLimit()
      let signals = try SignalWatch()
      if options.watches { return try TestWatch(options, signals).run() }
      return try TestCommand(options, signals).run()
    } catch { throw Failure(error) }
  }

  private let options: TestOptions
  private let signals: SignalWatch
  private let console: TestConsole
  private var events: TestEventsWriter?
  private var acceptance: TranscriptAcceptance
  /// The changes to list or review.
  private var changes = ChangeGroups()
  private var review: ChangeReview?
  /// Results that wait for earlier ones, by the indices of their paths.
  private var waiting: [Int: TranscriptTest.Report] = [:]
  private var next = 0
  private(set) var results: [TestResult] = []
  private var coverage = PortCoverage()
  private var page = TestPage()
  private var hasHung = false

  init(_ options: TestOptions, _ signals: SignalWatch) throws {
    self.options = options
    self.signals = signals
    console = try TestConsole(options)
    acceptance = TranscriptAcceptance(options.update)
  }

  /// - Parameter given: what to play; nil for what the command line asks for.
  func run(_ given: TestSelection? = nil) throws -> Outcome {
    let start = SystemClock.monotonic()
    let timings = try options.timings.map { path throws(Failure) in try Timings.read(path) }
    var selection = try given ?? TestSelection(options, timings: timings)
    let renaming = try rename(in: &selection)
    // The report of an earlier run must not look like one of this run.
    if let path = options.junit { try ReportFile.begin(path, with: JUnitReport.bytes([])) }
    if let path = options.coverage.file { try ReportFile.begin(path, with: coverage.json) }
    let description = TestEvents.Run(
      shard: selection.shard, of: selection.all, count: selection.paths.count)
    if let path = options.page {
      try ReportFile.begin(path, with: page.bytes(events: TestEvents.line(description)))
    }
    events = try options.events.map { path throws(Failure) in
      try TestEventsWriter(path, description)
    }
    try console.begin(selection.paths.count)
    let duration: Nanoseconds
    do {
      if let renaming { try console.show(renaming.notice) }
      try play(selection.paths)
      duration = SystemClock.monotonic() - start
      try showChanges()
    } catch {
      try? console.end(results)
      throw error
    }
    let outcome = self.outcome
    try show(selection, duration, outcome)
    try console.end(results)
    try write(description, duration, outcome, timings)
    return outcome
  }

  /// The outcome of the run. Transcripts that were rewritten count as passed.
  private var outcome: Outcome {
    if let number = signals.number { return .signal(number) }
    if acceptance.hasLost { return .outputLost }
    let outcome = rest.outcome
    if outcome == .success && review?.leavesFailure == true { return .failed }
    let needsPatch = options.update == .patch && acceptance.counts.all > 0
    let isUncovered = options.coverage.minimum.flatMap { coverage.shortfall(below: $0) } != nil
    return outcome == .success && (needsPatch || isUncovered) ? .failed : outcome
  }

  /// The results of the transcripts that weren't rewritten.
  private var rest: [TestResult] {
    let rest = results.filter { !acceptance.accepted.contains(PathKey($0.path)) }
    return review.map { rest.map($0.remainder) } ?? rest
  }

  private func rename(in selection: inout TestSelection) throws(Failure) -> TranscriptRenaming? {
    guard !options.renames.isEmpty else { return nil }
    let renaming = try TranscriptRenaming(options.renames, in: selection.paths)
    selection.paths = renaming.paths
    return renaming
  }

  // MARK: Playing

  private func play(_ paths: [String]) throws {
    guard !paths.isEmpty else { return }
    let style = console.style.isColoured ? DiffStyle(console.style) : nil
    let team = try TestTeam(paths, options, style: style, jobs: min(options.jobs, paths.count))
    while !team.isDone {
      var interests = [team.interest, signals.interest]
      try Descriptor.wait(for: &interests, timeout: nil)
      if signals.hasCome { break }
      for (index, report) in team.take() { try take(report, at: index) }
    }
    team.stop()
    hasHung = team.hasHung
    // If some are missing, the others are still shown in order.
    for index in waiting.keys.sorted() { try waiting[index].map(show) }
  }

  private func take(_ report: TranscriptTest.Report, at index: Int) throws {
    try events?.write(report.result)
    console.add(report.result)
    waiting[index] = report
    while let report = waiting.removeValue(forKey: next) {
      try show(report)
      next += 1
    }
  }

  /// Prints the failure of a transcript. It is called in the order of the paths, whichever
  /// transcript finishes first.
  private func show(_ report: TranscriptTest.Report) throws {
    coverage.merge(report.coverage)
    if options.page != nil {
      page.add(report.differences, of: report.result.path)
      page.add(trace: report.session)
    }
    if report.result.verdict.outcome != .success || report.update != nil {
      switch options.update {
      case nil, .inPlace, .patch: try console.show(report, acceptance.accept(report))
      case .review, .listing: try showUnlessChange(report)
      }
    } else if !report.logs.isEmpty {
      try console.show(logs: report.logs, of: report.result)
    }
    var result = report.result
    // Details may be long, and only these reports need them.
    if options.junit == nil && options.page == nil && !options.annotates { result.details = "" }
    results.append(result)
  }

  /// Keeps the changes of a transcript for later, and shows what else is wrong with it.
  private func showUnlessChange(_ report: TranscriptTest.Report) throws {
    var report = report
    if let update = report.update, let edits = report.edits {
      changes.add(report, update.old, edits)
      report.findings = report.findings.filter { !$0.isChange }
    }
    let isRefused = options.update == .review && !report.refusal.isEmpty
    guard report.findings.contains(where: { !$0.key.isEmpty }) else { return }
    try console.show(report, isRefused ? acceptance.accept(report) : .none)
  }

  private func showChanges() throws {
    guard !signals.hasCome else { return }
    if options.update == .listing {
      try console.show(changes.list(console.style, isVerbose: options.isVerbose))
    } else if options.update == .review {
      let review = ChangeReview(changes, acceptance, console, signals)
      self.review = review
      defer { acceptance = review.acceptance }
      try review.run()
    }
  }

  // MARK: Reporting

  private func show(
    _ selection: TestSelection, _ duration: Nanoseconds, _ outcome: Outcome
  ) throws {
    let counted = options.update == .patch ? results : rest
    let summary = TestSummary(
      results: counted, duration: duration, gaps: gap(in: selection).map { [$0] } ?? [],
      rewritten: options.update == .patch ? .init() : acceptance.counts)
    try console.show(summary, notes: [selection.notice, unverified(counted)].compactMap { $0 })
    if options.slowest > 0 {
      try console.show(
        "\nSlowest:\n" + SlowestList.text(results, count: options.slowest, console.style))
    }
    if options.coverage.isShown { try console.show("\n" + coverage.report) }
    if let minimum = options.coverage.minimum, summary.gaps.isEmpty,
      let shortfall = coverage.shortfall(below: minimum)
    {
      Console.complain("vmhost: \(shortfall)\n")
    }
    for note in ChangedPlugin.notes(results.map(\.changedPlugins))
    where !options.isStrictAboutPlugins {
      Console.complain("vmhost: \(note)\n")
    }
    for note in PluginNotes.lines(results) { Console.complain("vmhost: \(note)\n") }
    if let advice = acceptance.advice(isFine: outcome == .success) {
      Console.complain("vmhost: \(advice)\n")
    }
  }

  /// The reason why the run is incomplete; nil if it is complete.
  private func gap(in selection: TestSelection) -> String? {
    let left = selection.paths.count - results.count
    guard left > 0 else { return nil }
    let count = "\(results.count) of \(Count.of(selection.paths.count, "transcript"))"
    if signals.number != nil { return "interrupted after \(count)." }
    return hasHung
      ? "stopped after \(count): with --in-process nothing can end a plugin that hangs."
      : "stopped by \(options.failureLimit?.option ?? "") after \(count)."
  }

  /// The message about transcripts without expectations; nil if there are none.
  private func unverified(_ results: [TestResult]) -> String? {
    let paths = results.filter { $0.verdict == .unverified }.map(\.path.terminalSafeLine)
    // A patch may be about to fill them in.
    guard !paths.isEmpty, options.update != .patch else { return nil }
    let names = paths.prefix(3).joined(separator: ", ")
    let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
    let verb = paths.count == 1 ? "expects" : "expect"
    let hint = options.update == nil ? " \"--update\" fills in the expectations." : ""
    return "\(names)\(more) \(verb) nothing, so nothing was compared.\(hint)"
  }

  private func write(
    _ description: TestEvents.Run, _ duration: Nanoseconds, _ outcome: Outcome,
    _ timings: Timings?
  ) throws(Failure) {
    LastFailed.write(results, accepted: acceptance.accepted)
    let missing = options.isolation.sandbox?.missing?.names ?? []
    var failure: Failure?
    do throws(Failure) {
      if let path = options.junit {
        try ReportFile.write(JUnitReport.bytes(results, missing: missing), to: path)
      }
      if let path = options.coverage.file { try ReportFile.write(coverage.json, to: path) }
      if let path = options.page {
        let end = TestEvents.End(
          duration: duration, status: outcome.status, missing: missing)
        let events = TestEvents.lines(description, results, end)
        var page = page
        page.coverage = options.coverage.isWanted ? coverage : nil
        try ReportFile.write(page.bytes(events: events), to: path)
      }
      if let path = options.timings, options.shard == nil, var timings {
        timings.merge(results)
        try timings.write(path)
      }
    } catch { failure = error }
    let status = (failure?.outcome ?? outcome).status
    try events?.end(TestEvents.End(duration: duration, status: status, missing: missing))
    if let failure { throw failure }
  }
}

extension DiffStyle {
  init(_ style: Style) {
    self.init(
      expected: style.expected, found: style.found, dim: style.value, legend: style.value)
  }
}
