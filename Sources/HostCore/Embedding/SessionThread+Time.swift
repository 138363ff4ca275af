// How a session moves through time for those who wait for it.
extension SessionThread {
  enum Goal: Sendable {
    /// A time of the session.
    case time(Nanoseconds)
    case idle(since: Nanoseconds)
  }

  /// Begins to move towards a goal, and gives it; nil if it is reached.
  typealias Beginning = @Sendable (SessionThread, Patience) throws(HostError) -> Goal?

  /// Somebody who waits.
  struct Wait {
    let goal: Goal
    let patience: Patience
    let resume: (Result<Void, HostError>) -> Void
    /// The timers that fired meanwhile.
    var fired = 0

    var target: Nanoseconds? { if case .time(let time) = goal { time } else { nil } }

    /// Since when it waits for the session to be idle.
    var idleSince: Nanoseconds? { if case .idle(let since) = goal { since } else { nil } }
  }

  func time() throws(HostError) -> Duration {
    try attempt { engine, driver in
      try driver.catchUp()
      return .nanoseconds(engine.now)
    }
  }

  /// Lets time pass on a virtual clock, before anything that is asked for later.
  ///
  /// - Returns: on a live one, what to wait for.
  func pass(_ span: Nanoseconds, _ patience: Patience) throws(HostError) -> Goal? {
    try attempt { engine, driver in
      try driver.catchUp()
      let (sum, overflow) = engine.now.addingReportingOverflow(span)
      let target = overflow ? .max : sum
      guard clock == .virtual else { return .time(target) }
      while try !passPiece(to: target, engine, driver, patience) {}
      return nil
    }
  }

  /// Few enough that a task is soon told that it was cancelled.
  private static let timersInPiece = 250

  /// Lets time pass until it reaches `target` or some timers have fired.
  ///
  /// - Returns: whether it has reached `target`.
  private func passPiece(
    to target: Nanoseconds, _ engine: SessionEngine, _ driver: SessionDriver, _ patience: Patience
  ) throws -> Bool {
    guard patience.lasts else { throw HostError.waitCancelled }
    guard !desk.isClosing else { throw HostError.sessionClosed }
    defer { driver.takeEvents() }
    let start = engine.now
    let fired = try engine.advance(to: target, firingAtMost: Self.timersInPiece)
    guard fired == Self.timersInPiece else { return true }
    if engine.now == start {
      // Timers that go on without time passing are found out only within one call.
      try engine.advance(to: start, firingAtMost: SessionEngine.mostTimersAtOnce + 1)
    }
    return false
  }

  func idleGoal() throws(HostError) -> Goal? {
    try attempt { engine, driver in
      try driver.catchUp()
      return .idle(since: engine.now)
    }
  }

  func wait(
    for begin: Beginning, _ patience: Patience, resume: @escaping (Result<Void, HostError>) -> Void
  ) {
    do throws(HostError) {
      guard let goal = try begin(self, patience) else { return resume(.success(())) }
      waits.append(Wait(goal: goal, patience: patience, resume: resume))
    } catch { resume(.failure(error)) }
  }

  /// Fires a timer on a virtual clock if somebody waits for that, and tells those who have waited
  /// long enough.
  func step(_ engine: SessionEngine, _ driver: SessionDriver) throws {
    defer { tellThoseWhoWait(engine, driver) }
    guard canFire(engine, driver), let deadline = engine.nextDeadline else { return }
    for index in waits.indices { waits[index].fired += 1 }
    defer { driver.takeEvents() }
    try engine.advance(to: deadline, firingAtMost: 1)
  }

  /// Whether the next timer is due because somebody waits on a virtual clock, which stands while an
  /// answer is waited for.
  private func canFire(_ engine: SessionEngine, _ driver: SessionDriver) -> Bool {
    clock == .virtual && waits.contains { $0.idleSince != nil && $0.patience.lasts }
      && !isWaitedFor(driver) && engine.nextDeadline != nil
  }

  private func isWaitedFor(_ driver: SessionDriver) -> Bool {
    driver.isWaiting || relay.isAnswering
  }

  private func tellThoseWhoWait(_ engine: SessionEngine, _ driver: SessionDriver) {
    guard !waits.isEmpty else { return }
    let isIdle = !isWaitedFor(driver) && engine.nextDeadline == nil
    waits.removeAll { wait in
      guard let result = result(of: wait, at: engine.now, isIdle: isIdle) else { return false }
      wait.resume(result)
      return true
    }
  }

  /// What became of a wait; nil if it goes on.
  private func result(
    of wait: Wait, at now: Nanoseconds, isIdle: Bool
  ) -> Result<Void, HostError>? {
    guard wait.patience.lasts else { return .failure(.waitCancelled) }
    if let target = wait.target { return now >= target ? .success(()) : nil }
    if isIdle { return .success(()) }
    let limits = SessionDriver.IdleLimits(.virtual)
    let waited = now - (wait.idleSince ?? now)
    guard clock == .virtual, wait.fired > limits.timers || waited > limits.time else { return nil }
    let whole = waited / 1_000_000_000 * 1_000_000_000
    return .failure(
      HostError(
        .endless,
        "idle() gave up after \(TimeSpan.text(whole)): timers go on for ever. Let a fixed time pass"
          + " instead, as in advance(by: .seconds(5))."))
  }

  /// How long to wait for news at the most; nil for as long as it takes.
  func patience(_ engine: SessionEngine, _ driver: SessionDriver) -> Nanoseconds? {
    if canFire(engine, driver) { return 0 }
    return waits.compactMap(\.target).min().map { max($0 - engine.now, 0) }
  }
}
