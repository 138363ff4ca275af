import HostCore
import Synchronization

/// Threads that test transcripts, each with plugins of its own.
final class TestTeam {
  private struct State: Sendable {
    var next = 0
    var isStopped = false
    var running: Int
  }

  /// What the threads share.
  private final class Work: Sendable {
    let paths: [String]
    let options: TestOptions
    let style: DiffStyle?
    let state: Mutex<State>
    let mailbox: Mailbox<TestTeam>

    init(_ paths: [String], _ options: TestOptions, _ style: DiffStyle?, jobs: Int) throws {
      self.paths = paths
      self.options = options
      self.style = style
      state = Mutex(State(running: jobs))
      mailbox = try Mailbox()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The next transcript's place; nil if there is none, or it is enough.
    func take() -> Int? {
      state.withLock { state in
        guard !state.isStopped, state.next < paths.count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    /// What a thread does.
    func run() {
      let test = TranscriptTest(options, style: style, isStopped: { self.isStopped })
      while let place = take() {
        guard let report = test.test(paths[place]) else { break }
        mailbox.post { $0.reports.append((place, report)) }
      }
      mailbox.post { team in team.ended += 1 }
    }
  }

  private let work: Work
  private let jobs: Int
  private var ended = 0
  private var reports: [(place: Int, report: TranscriptTest.Report)] = []

  init(_ paths: [String], _ options: TestOptions, style: DiffStyle?, jobs: Int) throws {
    self.jobs = jobs
    let work = try Work(paths, options, style, jobs: jobs)
    self.work = work
    for _ in 0..<jobs { try DetachedThread.start { work.run() } }
  }

  /// Ready when there are results, or a thread has ended.
  var interest: Descriptor.Interest { work.mailbox.interest }

  /// Whether all threads have ended, and nothing waits to be taken.
  var isDone: Bool { ended == jobs }

  /// Takes the results that have come.
  func take() -> [(place: Int, report: TranscriptTest.Report)] {
    for job in work.mailbox.take() { job(self) }
    defer { reports = [] }
    return reports
  }

  /// Has the threads begin with no more transcripts, and leave the present ones.
  func stop() { work.state.withLock { $0.isStopped = true } }
}
