import Glibc
import Synchronization

/// A queue of jobs that run only during the host's calls, on the calling thread.
///
/// Any thread may add jobs. They wait for the next poll.
final class KitExecutor: SerialExecutor, TaskExecutor {
  static let shared = KitExecutor()

  typealias Operation = @ViewModelActor @Sendable () async -> Void

  /// A job, and its executor if that isn't this one.
  struct Entry: Sendable {
    var job: UnownedJob
    var runner: (any JobRunner)?
  }

  private struct Queue {
    var jobs: [Entry] = []
    var next = 0
    /// Whether a task is being made whose first job is to run at once.
    var isCapturing = false
    var captured: UnownedJob?
  }

  private let queue = Mutex(Queue())
  /// The number of waiting jobs, which a poll can read without the lock.
  private let waiting = Atomic(0)
  /// The thread that is inside a call of the host, or 0.
  private let thread = Atomic<UInt>(0)
  private let depth = Atomic(0)

  // MARK: The executor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOurs = isInHostCall
    queue.withLock { queue in
      if isOurs, queue.isCapturing {
        queue.isCapturing = false
        queue.captured = job
        return
      }
      queue.jobs.append(Entry(job: job))
      waiting.add(1, ordering: .relaxed)
    }
  }

  /// Adds a job of another executor.
  func add(_ job: UnownedJob, for runner: any JobRunner) { add(Entry(job: job, runner: runner)) }

  func add(_ entry: Entry) {
    queue.withLock { queue in
      queue.jobs.append(entry)
      waiting.add(1, ordering: .relaxed)
    }
  }

  func isIsolatingCurrentContext() -> Bool? { isInHostCall }

  func checkIsolated() {
    precondition(isInHostCall, "Code of a view model was called outside the host's calls.")
  }

  /// Whether this thread is inside a call of the host.
  var isInHostCall: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Whether code runs as part of a task, rather than straight from the host.
  var isRunningJob: Bool { depth.load(ordering: .relaxed) > 0 }

  // MARK: Running

  /// Runs code as the actor on this thread. For the host's calls, which never overlap.
  func enter<Arguments, Result>(
    _ arguments: Arguments, _ body: @escaping @ViewModelActor (Arguments) -> Result
  ) -> Result {
    let outer = thread.exchange(UInt(pthread_self()), ordering: .relaxed)
    defer { thread.store(outer, ordering: .relaxed) }
    // Isolation to a global actor has no representation at run time. The cast drops a promise that
    // the lines above keep.
    return unsafe unsafeBitCast(body, to: ((Arguments) -> Result).self)(arguments)
  }

  /// Runs code as the actor: now if this thread is inside a call of the host, else with the next.
  func perform(_ body: @escaping @ViewModelActor @Sendable () -> Void) {
    if isInHostCall {
      enter((), body)
    } else {
      let operation: Operation = { body() }
      _ = Task(executorPreference: self, operation: operation)
    }
  }

  /// Makes a task. If inline, it runs up to its first suspension before this returns.
  @ViewModelActor func start(_ operation: @escaping Operation, inline: Bool) -> Task<Void, Never> {
    // `Task.immediate` doesn't start at once if it has an executor preference. Without one the
    // task's children would run elsewhere.
    if inline { queue.withLock { $0.isCapturing = true } }
    let task = Task(executorPreference: self, operation: operation)
    guard inline else { return task }
    let captured = queue.withLock { queue in
      queue.isCapturing = false
      return queue.captured.take()
    }
    if let captured { run(Entry(job: captured)) }
    return task
  }

  /// Runs the job that has waited longest. Returns false if there is none.
  func runNext() -> Bool {
    guard waiting.load(ordering: .relaxed) > 0, let entry = popFirst() else { return false }
    run(entry)
    return true
  }

  /// Runs jobs until none is left, up to a large limit. What is left then belongs to tasks that
  /// never end, such as a loop of yields, and is dropped.
  func finishAll() {
    // The jobs that wait now belong to tasks that end, most of them after a few more jobs.
    let maxJobs = 10_000 + 8 * waiting.load(ordering: .relaxed)
    for _ in 0..<maxJobs where !runNext() { return }
    queue.withLock { queue in
      queue.jobs = []
      queue.next = 0
      waiting.store(0, ordering: .relaxed)
    }
  }

  private func run(_ entry: Entry) {
    depth.add(1, ordering: .relaxed)
    if let runner = entry.runner {
      runner.run(entry.job)
    } else {
      unsafe entry.job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    depth.subtract(1, ordering: .relaxed)
  }

  private func popFirst() -> Entry? {
    queue.withLock { queue in
      guard queue.next < queue.jobs.count else { return nil }
      let job = queue.jobs[queue.next]
      queue.next += 1
      waiting.subtract(1, ordering: .relaxed)
      if queue.next == queue.jobs.count {
        queue.next = 0
        queue.jobs.removeAll(keepingCapacity: queue.jobs.capacity <= 1024)
      } else if queue.next >= 1024, queue.next * 2 >= queue.jobs.count {
        queue.jobs.removeFirst(queue.next)
        queue.next = 0
      }
      return job
    }
  }
}

/// An executor whose jobs wait in the kit's queue.
protocol JobRunner: AnyObject, Sendable {
  func run(_ job: UnownedJob)
}
