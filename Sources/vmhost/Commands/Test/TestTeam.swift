import HostCore
import Synchronization

/// Threads that test transcripts, each with plugins of its own.
final class TestTeam {
  private struct State: Sendable {
    var next = 0
    var isStopped = false
    /// How many transcripts didn't pass.
    var failures = 0
    var running: Int
    /// The index of the transcript that was started last, and the time of its start, with plugins
    /// in this process. Only one is played at a time.
    var current: (index: Int, start: Nanoseconds)?
  }

  /// What the threads share.
  private final class Work: Sendable {
    let paths: [String]
    let options: TestOptions
    let style: DiffStyle?
    let jobs: Int
    let state: Mutex<State>
    let mailbox: Mailbox<TestTeam>
    let watchdog: Watchdog

    init(_ paths: [String], _ options: TestOptions, _ style: DiffStyle?, jobs: Int) throws {
      self.paths = paths
      self.options = options
      self.style = style
      self.jobs = jobs
      state = Mutex(State(running: jobs))
      mailbox = try Mailbox()
      watchdog = Watchdog(limits: options.limits)
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The indices of the next transcripts; nil if there is none, or the team was stopped.
    func take() -> Range<Int>? {
      state.withLock { state in
        guard !state.isStopped, state.next < paths.count else { return nil }
        let start = state.next
        // Towards the end, each thread takes fewer, so that all of them end together.
        let share = (paths.count - start) / (Self.shares * jobs)
        state.next += options.playsInWorker ? min(max(share, 1), WorkerVerdict.maxBatch) : 1
        state.current = (start, SystemClock.monotonic())
        return start..<state.next
      }
    }

    /// A thread takes at most this part of what would be its own of the rest.
    private static let shares = 4

    /// The work of one thread.
    func run() {
      let test = TranscriptTest(
        options, style: style, isStopped: { self.isStopped },
        watch: { [self] monitor in try watchdog.watch(monitor, onHang: { self.giveUp($0) }) })
      while let indices = take() {
        test.test(paths[indices]) { reports in
          for (_, report) in reports { count(report.result) }
          mailbox.post { $0.reports += reports }
        }
      }
      mailbox.post { team in team.ended += 1 }
    }

    /// Counts a transcript that doesn't pass. No further one is started after as many as are
    /// allowed, whenever their results are shown.
    private func count(_ result: TestResult) {
      guard let limit = options.failureLimit, result.verdict.outcome != .success else { return }
      state.withLock { state in
        state.failures += 1
        if state.failures >= limit.count { state.isStopped = true }
      }
    }

    /// Gives up a thread that hangs in a plugin in this process. It counts as ended.
    private func giveUp(_ message: String) {
      let current = state.withLock { state in
        state.isStopped = true
        return state.current
      }
      guard let (index, start) = current else { return }
      var result = TestResult(path: paths[index], verdict: .timedOut)
      result.duration = SystemClock.monotonic() - start
      result.summary = message
      let findings = [TestFinding(result, details: "")]
      mailbox.post { [result] team in
        team.reports.append((index, TranscriptTest.Report(result: result, findings: findings)))
        team.ended += 1
        team.hasHung = true
      }
    }
  }

  private let work: Work
  private let jobs: Int
  private var ended = 0
  /// Whether a plugin in this process hangs, so that no more transcripts can be played.
  private(set) var hasHung = false
  private var reports: [(index: Int, report: TranscriptTest.Report)] = []

  init(_ paths: [String], _ options: TestOptions, style: DiffStyle?, jobs: Int) throws {
    self.jobs = jobs
    let work = try Work(paths, options, style, jobs: jobs)
    self.work = work
    for _ in 0..<jobs { try DetachedThread.start { work.run() } }
  }

  /// Ready when there are results, or a thread has ended.
  var interest: Descriptor.Interest { work.mailbox.interest }

  /// Whether all threads have ended.
  var isDone: Bool { ended >= jobs }

  /// Returns the results that have come since the last call, with the indices of their paths.
  func take() -> [(index: Int, report: TranscriptTest.Report)] {
    for job in work.mailbox.take() { job(self) }
    defer { reports = [] }
    return reports
  }

  /// Tells the threads to start no further transcripts, and to abandon the current ones.
  func stop() { work.state.withLock { $0.isStopped = true } }
}
