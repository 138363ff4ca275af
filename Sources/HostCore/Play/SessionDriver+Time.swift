import Basics

// The passing of a session's time, for callers that wait for it.
extension SessionDriver {
  /// The goal of a wait.
  package enum Goal: Sendable {
    /// A time of the session.
    case time(Nanoseconds)
    /// No timer is left, and no answer to a request is still to come.
    case idle
  }

  /// A wait for a goal, and how it began.
  package struct Wait {
    package let goal: Goal
    /// The session's time when it began.
    let start: Nanoseconds
    /// The machine's time when it began.
    let beginning: Nanoseconds
    /// How many timers had fired when it began.
    let timers: Int
    /// A time at which some timers have fired and others are still due.
    var deadline: Nanoseconds?
  }

  /// The progress of a wait.
  package enum Progress {
    case reached
    /// Some timers fired on a virtual clock. The wait goes on at once.
    case advanced
    /// Nothing happens for this long; nil if only an event from outside can end the wait.
    case blocked(Nanoseconds?)
  }

  /// How many timers fire on a virtual clock before others get a turn and the wait can be ended.
  private static let maxTimersAtOnce = 250

  /// Begins a wait until a span has passed.
  package func beginWait(for span: Nanoseconds) throws(SessionError) -> Wait {
    try catchUp()
    let (sum, overflow) = session.now.addingReportingOverflow(span)
    return wait(for: .time(overflow ? .max : sum))
  }

  /// Begins a wait until the session is idle.
  package func beginWaitUntilIdle() throws(SessionError) -> Wait {
    try catchUp()
    return wait(for: .idle)
  }

  private func wait(for goal: Goal) -> Wait {
    Wait(
      goal: goal, start: session.now, beginning: SystemClock.monotonic(),
      timers: session.firedTimers)
  }

  /// Advances towards a goal: on a virtual clock some timers fire, on a live one time has to pass.
  ///
  /// - Throws: `Endless` if the session doesn't become idle, or a `SessionError`.
  package func proceed(_ wait: inout Wait) throws -> Progress {
    switch wait.goal {
    case .time(let target): try proceed(to: target)
    case .idle: try proceedUntilIdle(&wait)
    }
  }

  private func proceed(to target: Nanoseconds) throws -> Progress {
    guard clock == .virtual else {
      return session.now >= target ? .reached : .blocked(timeUntil(target))
    }
    return try fire(until: target) < Self.maxTimersAtOnce ? .reached : .advanced
  }

  private func proceedUntilIdle(_ wait: inout Wait) throws -> Progress {
    // All timers of one time fire together, even if the first of them makes a request.
    if clock == .virtual, let deadline = session.nextDeadline,
      deadline == wait.deadline || !isWaiting
    {
      _ = try fire(until: deadline)
      wait.deadline = session.nextDeadline == deadline ? deadline : nil
      try checkTimers(wait)
      return .advanced
    }
    guard session.nextDeadline != nil || isWaiting else { return .reached }
    try checkTimers(wait)
    guard let limit = idleLimits.answer else { return .blocked(nil) }
    let waited = SystemClock.monotonic() - wait.beginning
    guard waited < limit else { throw Endless(span: limit, isWaiting: isWaiting) }
    return .blocked(limit - waited)
  }

  /// - Returns: how many timers fired.
  private func fire(until target: Nanoseconds) throws -> Int {
    defer { takeEvents() }
    return try advance(to: target, firingAtMost: Self.maxTimersAtOnce)
  }

  private func checkTimers(_ wait: Wait) throws {
    guard session.nextDeadline != nil, !isWaiting else { return }
    let span = session.now - wait.start
    let fired = session.firedTimers - wait.timers
    guard fired <= idleLimits.timers ?? .max, span <= idleLimits.time ?? .max else {
      throw Endless(span: span, isWaiting: false)
    }
  }

  // MARK: Waiting on this thread

  /// Lets time pass.
  ///
  /// - Parameters:
  ///   - others: descriptors whose readiness wakes the wait.
  ///   - isInterrupted: called between events; true ends the wait.
  package func pass(
    _ span: Nanoseconds, watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws {
    try finish(beginWait(for: span), watching: others, isInterrupted: isInterrupted)
  }

  /// Runs until no timer is left, and no answer to a request is still to come.
  package func passUntilIdle(
    watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws {
    try finish(beginWaitUntilIdle(), watching: others, isInterrupted: isInterrupted)
  }

  private func finish(
    _ begun: Wait, watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws {
    var wait = begun
    repeat {
      switch try proceed(&wait) {
      case .reached: return
      case .advanced: continue
      case .blocked(let limit):
        guard !isInterrupted() else { return }
        try self.wait(atMost: limit, for: others)
      }
    } while !isInterrupted()
  }
}

/// The reason why a session didn't become idle.
package struct Endless: Error, Sendable, CustomStringConvertible {
  /// How long the wait lasted.
  let span: Nanoseconds
  /// Whether an answer is missing; otherwise timers go on.
  let isWaiting: Bool

  package var description: String { description(of: "\"+ idle\"", instead: "\"+ 5s\"") }

  /// - Parameters:
  ///   - request: the line or call that waited for an idle session.
  ///   - other: the line or call that lets a fixed time pass instead.
  func description(of request: String, instead other: String) -> String {
    let reason =
      isWaiting ? "a provider has not answered a request" : "timers never end"
    let whole = max(span / 1_000_000_000 * 1_000_000_000, 0)
    return "\(request) gave up after \(TimeSpan.text(whole)): \(reason). Let a fixed time pass"
      + " instead, as in \(other)."
  }
}
