/// Runs asynchronous code by a policy: `let search = Work(.latest)`.
///
/// A run begins inside the event that starts it and goes on, in order, as its effects are answered.
///
/// A cancelled run is over. Its open requests are cancelled at once, its effect calls throw
/// `CancellationError`, and whatever it still sets or emits is dropped. So the code that cancels a
/// run also sets what is to be shown then. Plain properties are not protected: code that catches
/// errors must let `CancellationError` pass.
public final class Work: ViewModelPart {
  public typealias Body = @ViewModelActor () async throws -> Void

  /// What happens when a run is started while another one is in flight.
  public enum Policy: Sendable {
    /// The newer run cancels the one in flight.
    case latest
    /// One after another, in the order of the starts.
    case queued
    /// The newer one is dropped.
    case ignoreWhileBusy
    /// Both run, and neither knows of the other.
    case concurrent
  }

  private let policy: Policy
  private let debounce: Duration?
  /// The runs by their number. There is more than one only if the policy is `concurrent`.
  private var running: [UInt64: Run] = [:]
  private var nextNumber: UInt64 = 0
  private var waiting: [Run] = []
  private var delayed: (id: UInt64, run: Run)?

  /// With `debounce`, a run begins only after that time has passed without another start. Only the
  /// latest one runs.
  public nonisolated init(_ policy: Policy, debounce: Duration? = nil) {
    self.policy = policy
    self.debounce = debounce
  }

  /// Whether a run is in flight, is queued, or waits for its debounce to pass.
  public var isRunning: Bool { !running.isEmpty || !waiting.isEmpty || delayed != nil }

  /// Starts a run, as the policy says. In a cancelled run it does nothing.
  ///
  /// What `body` throws becomes a fault that names the input which started it.
  public func start(_ body: @escaping Body) { start(body, after: debounce) }

  /// Starts a run without the debounce. Drops a run that waits for its own.
  public func startAtOnce(_ body: @escaping Body) { start(body, after: nil) }

  /// Cancels what runs and forgets what waits.
  public func cancel() {
    dropDelay()
    waiting = []
    cancelRunning()
  }

  override var requests: [String] { debounce == nil ? [] : [TimerRequest.effectName] }
  override func stop() { cancel() }

  // MARK: Runs

  private func start(_ body: @escaping Body, after delay: Duration?) {
    guard let instance, instance.mayEmit else { return }
    if policy == .ignoreWhileBusy, !running.isEmpty { return }
    let run = Run(cause: instance.cause, body: body)
    dropDelay()
    if let delay {
      self.delay(run, by: delay, in: instance)
    } else {
      admit(run)
    }
  }

  private func delay(_ run: Run, by duration: Duration, in instance: Instance) {
    let request = TimerRequest(after: duration)
    do {
      let id = try instance.open(TimerRequest.effectBytes, request) { [weak self] answer in
        guard let self, let delayed, delayed.run === run else { return }
        self.delayed = nil
        switch answer {
        case .success: admit(run)
        case .failure(let error): instance.fault(run.cause, error)
        }
      }
      delayed = (id, run)
    } catch {
      instance.fault(run.cause, error)
    }
  }

  private func dropDelay() {
    guard let (id, _) = delayed else { return }
    delayed = nil
    instance?.cancel(id)
  }

  private func admit(_ run: Run) {
    switch policy {
    case .latest: cancelRunning()
    case .queued where !running.isEmpty:
      waiting.append(run)
      return
    case .ignoreWhileBusy where !running.isEmpty: return
    case .queued, .ignoreWhileBusy, .concurrent: break
    }
    launch(run, inline: true)
  }

  private func launch(_ run: Run, inline: Bool) {
    let number = nextNumber
    nextNumber += 1
    running[number] = run
    let operation: KitExecutor.Operation = { [self] in
      do {
        try await run.body()
      } catch {
        if !Task.isCancelled { instance?.fault(run.cause, error) }
      }
      finished(run, number)
    }
    let task = ViewModelActor.shared.executor.start(operation, inline: inline)
    if !run.isFinished { run.task = task }
    // The run's first part may have cancelled it before there was a task to cancel.
    if run.isCancelled { task.cancel() }
  }

  private func finished(_ run: Run, _ number: UInt64) {
    run.isFinished = true
    run.task = nil
    guard running.removeValue(forKey: number) != nil, !waiting.isEmpty else { return }
    // Not inline, because a long queue of short runs would nest deeply.
    launch(waiting.removeFirst(), inline: false)
  }

  private func cancelRunning() {
    let runs = running.sorted { $0.key < $1.key }
    running = [:]
    for (_, run) in runs {
      run.isCancelled = true
      run.task?.cancel()
    }
  }

  @ViewModelActor private final class Run {
    let cause: [UInt8]
    let body: Body
    var task: Task<Void, Never>?
    var isCancelled = false
    var isFinished = false

    init(cause: [UInt8], body: @escaping Body) {
      self.cause = cause
      self.body = body
    }
  }
}
