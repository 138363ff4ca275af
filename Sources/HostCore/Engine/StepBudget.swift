/// What the current step has used up of its limits, over all of its exchanges with plugins.
///
/// It is renewed by everything that comes from outside, and when the session's time has moved on.
struct StepBudget {
  /// How much of the session's time may pass within one step. Without it, timers of a nanosecond
  /// would be a step each, as many as time has nanoseconds.
  private static let span: Nanoseconds = 1_000_000

  let limits: StepLimits
  private(set) var use = StepUse()
  private var requests = 0
  /// The session's time when the step began.
  private var beginning: Nanoseconds = 0
  /// The machine's time up to which the step's time is counted.
  private var counted: Nanoseconds = 0

  init(_ limits: StepLimits) { self.limits = limits }

  /// Begins another step.
  ///
  /// - Parameters:
  ///   - time: the session's time.
  ///   - clock: the machine's time, of which only the session's own counts.
  mutating func renew(at time: Nanoseconds, _ clock: Nanoseconds) {
    use = StepUse()
    requests = 0
    beginning = time
    counted = clock
  }

  /// Begins another step if the session's time has moved on far enough.
  mutating func pass(to time: Nanoseconds, _ clock: Nanoseconds) {
    if time - beginning >= Self.span { renew(at: time, clock) }
  }

  /// Goes on with the step after a time that isn't its own.
  mutating func resume(_ clock: Nanoseconds) { counted = clock }

  /// Counts the machine's time.
  ///
  /// - Returns: whether the step is within its time.
  mutating func count(until clock: Nanoseconds) -> Bool {
    use.time += clock - counted
    counted = clock
    return use.time <= limits.time
  }

  /// Counts what a plugin has emitted or was given.
  ///
  /// - Returns: the limit that is exceeded.
  mutating func charge(events: Int = 0, bytes: Int, requests: Int = 0) -> StepLimit? {
    use.events += events
    use.bytes += bytes
    self.requests += requests
    if use.events > limits.events { return .events }
    if use.bytes > limits.bytes { return .bytes }
    return self.requests > limits.requests ? .requests : nil
  }
}
