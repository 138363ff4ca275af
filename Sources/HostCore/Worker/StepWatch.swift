/// Notices steps that take long, by looking at a busy worker now and then. An exchange that is
/// answered soon costs nothing.
///
/// What counts is the plugin's own time: neither that of the messages, nor that in which the
/// machine did something else.
struct StepWatch {
  /// The steps that took long, counted from the first of the exchange.
  private(set) var long: [(step: Int, time: Nanoseconds)] = []
  private let process: any WorkerProcess
  private let count: Int
  /// The step that is being made, and when the one before it was seen to be finished.
  private var step = 0
  private var start: Nanoseconds
  /// When the step was last seen to be unfinished.
  private var unfinished: Nanoseconds
  /// How long the process had waited for a processor at the start, or shortly before.
  private var waited: Nanoseconds
  /// When to look again.
  private(set) var next: Nanoseconds
  private var isOver = false

  /// How long what is known of the process's waits may be used.
  static let firstLook = SlowStep.limit / 2
  private static let pause: Nanoseconds = 10_000_000

  /// - Parameter count: the number of steps.
  init(
    of count: Int, from start: Nanoseconds, waited: Nanoseconds, _ process: any WorkerProcess
  ) {
    self.count = count
    self.start = start
    self.waited = waited
    self.process = process
    unfinished = start
    next = start + Self.firstLook
  }

  /// Looks at a worker that hadn't answered at some time.
  ///
  /// - Parameters:
  ///   - time: that time, which is the past on a busy machine.
  ///   - now: a time at which `finished` steps were finished.
  mutating func look(at time: Nanoseconds, finished: Int, _ now: () -> Nanoseconds) {
    guard !isOver, time >= next else { return }
    next = time + Self.pause
    guard finished > step else {
      unfinished = time
      return
    }
    let now = now()
    endStep(at: now)
    step = finished
    start = now
    unfinished = now
    waited = process.processorWait().worker
    // What remains is the answer's way to the host.
    if finished >= count { end(at: now) }
  }

  /// Ends the exchange: the worker has begun to answer.
  mutating func end(at now: Nanoseconds) {
    guard !isOver else { return }
    endStep(at: now)
    isOver = true
    next = .max
  }

  /// Decides on the step that has ended. The host may see that late, and only now does the kernel
  /// count all of the time that the step has waited for a processor.
  private mutating func endStep(at now: Nanoseconds) {
    let time = min(now, unfinished + Self.pause) - start
    guard step < count, time >= SlowStep.limit else { return }
    let own = time - (process.processorWait().worker - waited)
    if own >= SlowStep.limit { long.append((step, own)) }
  }
}
