// Swift's own way to say where all asynchronous code of a process runs is not public yet, and will
// change. So everything that knows of it is in this file, for the compilers that it is tested with.
// With others, and in processes that belong to an app, the rest of the kit has the public way:
// what is isolated to the actor, or prefers its executor, runs in polls, and the rest elsewhere.
#if compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  extension KitExecutor {
    /// Has everything that Swift runs asynchronously in this process run in polls: detached tasks,
    /// children of task groups, actors, the main actor, and what waits in a sleep.
    ///
    /// For a process that belongs to the plugin. Call it before any asynchronous code runs.
    static func takeProcess() { _createExecutors(factory: ProcessExecutors.self) }
  }

  private struct ProcessExecutors: ExecutorFactory {
    static let mainExecutor: any MainExecutor = ProcessMainExecutor()
    static let defaultExecutor: any TaskExecutor = ProcessPoolExecutor()
  }

  /// What runs code that belongs nowhere else.
  private final class ProcessPoolExecutor: TaskExecutor, SchedulingExecutor, JobRunner {
    func enqueue(_ job: consuming ExecutorJob) {
      ViewModelActor.shared.executor.add(UnownedJob(job), for: self)
    }

    func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// What runs code of the main actor.
  private final class ProcessMainExecutor: MainExecutor, SchedulingExecutor, JobRunner {
    func enqueue(_ job: consuming ExecutorJob) {
      ViewModelActor.shared.executor.add(UnownedJob(job), for: self)
    }

    func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }

    func checkIsolated() {
      precondition(
        ViewModelActor.shared.executor.isInHostCall,
        "Code of the main actor was called outside the host's calls.")
    }

    /// The host's calls are what runs this executor: it has no loop of its own.
    func run() throws { throw NoLoop() }
    func runUntil(_ condition: () -> Bool) throws { throw NoLoop() }
    func stop() {}

    private struct NoLoop: Error {}
  }

  extension SchedulingExecutor where Self: JobRunner {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      // Clocks of other kinds wait in their own way, and don't come here.
      guard let delay = delay as? Duration else {
        preconditionFailure("A sleep by \(C.self) can't be put into the session's time.")
      }
      ViewModelActor.shared.executor.add(UnownedJob(job), for: self, after: delay)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      enqueue(
        job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }
  }
#else
  extension KitExecutor {
    /// Nothing: this compiler's runtime isn't known to have a way.
    static func takeProcess() {}
  }
#endif
