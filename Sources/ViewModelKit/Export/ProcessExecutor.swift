// Swift's way to choose where a process runs its asynchronous code is not public yet and will
// change. So only this file uses it, with the compilers that it is tested with. With others, and in
// an app's process, the kit relies on what is public: code that is isolated to the actor or prefers
// its executor runs in polls, and the rest elsewhere.
#if compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  extension KitExecutor {
    /// Makes all asynchronous code of this process run in polls: detached tasks, children of task
    /// groups, actors, the main actor, and sleeping code.
    ///
    /// For a process that belongs to the plugin. Call this before any asynchronous code runs.
    static func takeProcess() { _createExecutors(factory: ProcessExecutors.self) }
  }

  private struct ProcessExecutors: ExecutorFactory {
    static let mainExecutor: any MainExecutor = ProcessMainExecutor()
    static let defaultExecutor: any TaskExecutor = ProcessPoolExecutor()
  }

  /// Runs code that has no other executor.
  private final class ProcessPoolExecutor: TaskExecutor, SchedulingExecutor, JobRunner {
    func enqueue(_ job: consuming ExecutorJob) {
      ViewModelActor.shared.executor.add(UnownedJob(job), for: self)
    }

    func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs the main actor's code.
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

    /// This executor has no loop: its jobs run in the host's calls.
    func run() throws { throw NoLoop() }
    func runUntil(_ condition: () -> Bool) throws { throw NoLoop() }
    func stop() {}

    private struct NoLoop: Error {}
  }

  extension SchedulingExecutor where Self: JobRunner {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      // Clocks with another kind of duration wait in their own way and don't come here.
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
    /// Does nothing: this file knows no way for this compiler.
    static func takeProcess() {}
  }
#endif
