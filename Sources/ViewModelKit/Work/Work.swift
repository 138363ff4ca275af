/// Runs asynchronous code, one run at a time: `let search = Work(.latest)`.
///
/// A run begins inside the event that starts it and goes on, in order, as its effects are answered.
///
/// A cancelled run is over. Its open requests are cancelled at once, each effect call throws
/// `CancellationError`, and whatever the run still sets or emits is dropped; so whoever cancels
/// also sets what should then be seen. Plain properties are not protected: code that catches errors
/// must let `CancellationError` pass.
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
  }

  private let policy: Policy
  private let debounce: Duration?
  private var current: Run?
  private var waiting: [Run] = []
  private var delayed: (id: UInt64, run: Run)?

  /// With `debounce`, a run begins only when that long has passed without another start; only the
  /// last one of them runs.
  public init(_ policy: Policy, debounce: Duration? = nil) {
    self.policy = policy
    self.debounce = debounce
  }

  /// Whether a run is in flight, waits its turn, or waits for its debounce to pass.
  public var isRunning: Bool { current != nil || !waiting.isEmpty || delayed != nil }

  /// Starts a run, as the policy says. In a cancelled run it does nothing.
  ///
  /// What `body` throws becomes a fault that names the input which started it.
  public func start(_ body: @escaping Body) {
    guard let instance, instance.mayEmit else { return }
    let run = Run(cause: instance.cause, body: body)
    guard let debounce else { return admit(run) }
    if policy == .ignoreWhileBusy, current != nil { return }
    dropDelay()
    delay(run, by: debounce, in: instance)
  }

  /// Cancels the run in flight and forgets those that wait.
  public func cancel() {
    dropDelay()
    waiting = []
    cancelCurrent()
  }

  override var requests: [String] { debounce == nil ? [] : [Timer.effectName] }
  override func stop() { cancel() }

  // MARK: Runs

  private func delay(_ run: Run, by duration: Duration, in instance: Instance) {
    let request = TimerRequest(after: duration)
    do {
      let id = try instance.open(Timer.effectBytes, request) { [weak self] answer in
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
    case .latest: cancelCurrent()
    case .queued where current != nil:
      waiting.append(run)
      return
    case .ignoreWhileBusy where current != nil: return
    case .queued, .ignoreWhileBusy: break
    }
    launch(run, inline: true)
  }

  private func launch(_ run: Run, inline: Bool) {
    current = run
    let operation: KitExecutor.Operation = { [self] in
      do {
        try await run.body()
      } catch {
        if !Task.isCancelled { instance?.fault(run.cause, error) }
      }
      finished(run)
    }
    let task = ViewModelActor.shared.executor.start(operation, inline: inline)
    if !run.isFinished { run.task = task }
    // The run may have been cancelled by its own first part, when there was no task to cancel yet.
    if run.isCancelled { task.cancel() }
  }

  private func finished(_ run: Run) {
    run.isFinished = true
    run.task = nil
    guard current === run else { return }
    current = nil
    guard !waiting.isEmpty else { return }
    // Not inline: a long queue of short runs would nest as deep as it is long.
    launch(waiting.removeFirst(), inline: false)
  }

  private func cancelCurrent() {
    guard let run = current else { return }
    current = nil
    run.isCancelled = true
    run.task?.cancel()
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
