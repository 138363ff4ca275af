import HostCore

/// `vmhost test`: plays transcripts in parallel and reports what differs.
final class TestCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      return try TestCommand(TestOptions(arguments)).run()
    } catch { throw Failure(error) }
  }

  private let options: TestOptions
  private let signals: SignalWatch
  private let output: Output
  private let style: Style
  private let progress: TestProgress
  private var events: TestEventsWriter?
  /// Results that wait for those before them, by their place.
  private var waiting: [Int: TranscriptTest.Report] = [:]
  private var next = 0
  private var results: [TestResult] = []
  private var coverage = PortCoverage()
  private var updated = 0

  private init(_ options: TestOptions) throws {
    self.options = options
    signals = try SignalWatch()
    let isTerminal = Descriptor.isTerminal(Descriptor.standardOutput)
    output = Output(descriptor: try Descriptor.divertStandardOutput())
    style = Style(isTerminal: isTerminal, variable: Environment.value)
    progress = TestProgress(isTerminal: Descriptor.isTerminal(Descriptor.standardError))
  }

  private func run() throws -> Outcome {
    let start = SystemClock.monotonic()
    if let notice = options.isolation.notice { VMHost.complain(notice) }
    let all = try choose()
    let shard = options.shard ?? .whole
    let timings = try options.timings.map { path throws(Failure) in try Timings.read(path) }
    let paths =
      shard == .whole ? all : ShardPlan.paths(all, in: shard, timings: timings ?? Timings())
    events = try options.events.map { path throws(Failure) in
      try TestEventsWriter(path, TestEvents.Run(shard: shard, of: all, count: paths.count))
    }
    try play(paths)
    let duration = SystemClock.monotonic() - start
    let outcome = signals.number.map(Outcome.signal) ?? results.outcome
    try report(duration, outcome, timings)
    if outcome == .success && paths.isEmpty { return shard == .whole ? .nothingToTest : .success }
    return outcome
  }

  /// The transcripts that the command line asks for.
  private func choose() throws(Failure) -> [String] {
    var paths = try TranscriptFinder.find(options.paths)
    guard !paths.isEmpty else {
      throw Failure(
        .nothingToTest,
        "there is no transcript (*\(TranscriptFinder.ending)) in"
          + " \(options.paths.map { "\"\($0)\"" }.joined(separator: ", ")).")
    }
    if !options.filters.isEmpty {
      paths = paths.filter { path in options.filters.contains { path.contains($0) } }
      guard !paths.isEmpty else {
        throw Failure(.nothingToTest, "--filter: no transcript's path contains this.")
      }
    }
    guard options.onlyLastFailed else { return paths }
    let failed = try LastFailed.read()
    paths = paths.filter(failed.contains)
    guard !paths.isEmpty else {
      throw Failure(.nothingToTest, "--last-failed: none of these failed in the run before.")
    }
    return paths
  }

  // MARK: Playing

  private func play(_ paths: [String]) throws {
    guard !paths.isEmpty else { return }
    let style = self.style.isColoured ? DiffStyle(self.style) : nil
    let team = try TestTeam(paths, options, style: style, jobs: min(options.jobs, paths.count))
    progress.begin(paths.count)
    while !team.isDone {
      var interests = [team.interest, signals.interest]
      try Descriptor.wait(for: &interests, timeout: nil)
      if signals.hasCome { break }
      for (place, report) in team.take() { try take(report, at: place, team) }
    }
    team.stop()
    progress.end()
    // Where some were left out, those that are there still come in order.
    for place in waiting.keys.sorted() { try show(waiting[place]) }
  }

  private func take(_ report: TranscriptTest.Report, at place: Int, _ team: TestTeam) throws {
    try events?.write(report.result)
    progress.add(report.result)
    let isBad = report.result.verdict.outcome != .success
    if isBad && options.failFast { team.stop() }
    waiting[place] = report
    while let report = waiting.removeValue(forKey: next) {
      try show(report)
      next += 1
    }
  }

  /// Prints what went wrong with a transcript, in the order of the paths, whichever is done first.
  private func show(_ report: TranscriptTest.Report?) throws {
    guard let report else { return }
    var result = report.result
    coverage.merge(report.coverage)
    defer {
      result.details = options.junit == nil && !annotates ? "" : result.details
      results.append(result)
    }
    guard result.verdict.outcome != .success else { return }
    progress.clear()
    var text =
      "\(style.error(result.verdict.words)): \(result.place.legibleInLine): "
      + "\(result.summary.legibleInLine)\n"
    let details = report.shownDetails.isEmpty ? result.details : report.shownDetails
    if !details.isEmpty && options.update != .patch { text += details + "\n" }
    if options.update != .patch { output.write { $0 += Array((text + "\n").utf8) } }
    try accept(report, text)
    try output.flush()
  }

  // MARK: Accepting

  private func accept(_ report: TranscriptTest.Report, _ text: String) throws {
    let path = report.result.path
    if !report.refusal.isEmpty {
      VMHost.complain("vmhost: \(path): \(report.refusal)\n")
      return
    }
    guard let update = report.update else { return }
    if options.update == .patch {
      let patch = UnifiedDiff.patch(from: update.old, to: update.new, path: path)
      output.write { $0 += patch }
    } else {
      do throws(SystemError) {
        try Files.replace(path, with: update.new.span)
      } catch {
        throw Failure(.outputLost, "could not write \"\(path)\": \(error.reason).")
      }
      updated += 1
    }
  }

  // MARK: Reports

  private var annotates: Bool { Annotations.isWanted(variable: Environment.value) }

  private func report(
    _ duration: Nanoseconds, _ outcome: Outcome, _ timings: Timings?
  ) throws {
    try events?.end(TestEvents.End(duration: duration, status: outcome.status))
    let summary = TestSummary(results: results, duration: duration)
    var text = options.update == .patch ? "" : summary.text(style)
    if options.slowest > 0 {
      text += "\nSlowest:\n" + SlowestList.text(results, count: options.slowest, style)
    }
    if options.showsCoverage { text += "\n" + coverage.report }
    if annotates { text += Annotations.text(results) }
    output.write { $0 += Array(text.utf8) }
    try output.flush()
    if updated > 0 {
      VMHost.complain(
        "vmhost: \(updated) transcript\(updated == 1 ? "" : "s") rewritten. Look at the"
          + " differences, and run the tests again.\n")
    }
    if let path = options.junit { try ReportFile.write(JUnitReport.bytes(results), to: path) }
    if let path = options.timings, options.shard == nil, var timings {
      timings.merge(results)
      try timings.write(path)
    }
    if outcome != .signal(signals.number ?? 0) { LastFailed.write(results) }
  }
}

extension DiffStyle {
  init(_ style: Style) {
    self.init(
      expected: style.expected, found: style.found, dim: style.value, legend: style.value)
  }
}
