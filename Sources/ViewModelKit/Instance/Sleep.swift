/// Code that waits in `Task.sleep`, in a process where sleeps are the session's timers.
///
/// The timer is requested by the instance that the host called last. If that instance ends first,
/// the next one that the host calls requests the timer again, because instances may wait for the
/// same code.
@ViewModelActor final class Sleep {
  /// Sleeps whose instance has ended.
  private static var orphans: [Sleep] = []

  private let entry: KitExecutor.Entry
  /// In the session's time, in nanoseconds.
  private let deadline: Int64

  private init(_ entry: KitExecutor.Entry, until deadline: Int64) {
    self.entry = entry
    self.deadline = deadline
  }

  static func begin(_ entry: KitExecutor.Entry, for duration: Duration) {
    let instance = Image.current
    let (sum, overflow) = (instance?.now ?? 0)
      .addingReportingOverflow(TimerRequest.nanoseconds(duration))
    let sleep = Sleep(entry, until: overflow ? .max : sum)
    guard let instance, instance.isAlive else { return orphans.append(sleep) }
    sleep.ask(instance)
  }

  /// Lets an instance request the timers of sleeps whose instance has ended.
  static func adoptOrphans(_ instance: Instance) {
    guard !orphans.isEmpty else { return }
    let sleeps = orphans
    orphans = []
    for sleep in sleeps { sleep.ask(instance) }
  }

  /// Drops all sleeps, which must not reach from a session that is over into the next one.
  static func endSession() { orphans = [] }

  private func ask(_ instance: Instance) {
    let request = TimerRequest(after: .nanoseconds(max(deadline - instance.now, 0)))
    do {
      _ = try instance.open(TimerRequest.effectBytes, request) { answer in
        if case .failure(let error) = answer, error is CancellationError {
          Sleep.orphans.append(self)
        } else {
          ViewModelActor.shared.executor.add(self.entry)
        }
      }
    } catch {
      instance.fault(TimerRequest.effectBytes, error)
    }
  }
}

extension KitExecutor {
  /// Adds a job of another executor once that much of the session's time has passed.
  func add(_ job: UnownedJob, for runner: any JobRunner, after delay: Duration) {
    // Only in a process of one thread, so nobody sleeps outside the host's calls.
    precondition(isInHostCall, "Code slept outside the host's calls.")
    enter((Entry(job: job, runner: runner), delay)) { Sleep.begin($0.0, for: $0.1) }
  }
}
