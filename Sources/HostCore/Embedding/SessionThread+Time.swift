// The waiting for a session to reach a time or become idle.
extension SessionThread {
  /// Begins a wait.
  typealias Beginning = @Sendable (SessionDriver) throws(SessionError) -> SessionDriver.Wait

  /// A task that waits.
  struct Waiter {
    var wait: SessionDriver.Wait
    let cancellation: CancellationFlag
    let resume: (Result<Void, HostError>) -> Void
  }

  func time() throws(HostError) -> Duration {
    try attempt { engine, driver in
      try driver.catchUp()
      return .nanoseconds(engine.now)
    }
  }

  func wait(
    for begin: Beginning, _ cancellation: CancellationFlag,
    resume: @escaping (Result<Void, HostError>) -> Void
  ) {
    do throws(HostError) {
      var waiter = try attempt { _, driver in
        Waiter(wait: try begin(driver), cancellation: cancellation, resume: resume)
      }
      if case .time = waiter.wait.goal {
        // On a virtual clock, all of that time passes before the next call has its turn.
        while try advance(&waiter) {}
      } else {
        waiters.append(waiter)
      }
    } catch { resume(.failure(error)) }
  }

  /// Advances towards a time.
  ///
  /// - Returns: whether to call this again at once.
  private func advance(_ waiter: inout Waiter) throws(HostError) -> Bool {
    guard !waiter.cancellation.isCancelled else { throw HostError.waitCancelled }
    guard !state.isClosing else { throw HostError.sessionClosed }
    switch try attempt({ _, driver in try driver.proceed(&waiter.wait) }) {
    case .reached:
      waiter.resume(.success(()))
      return false
    case .advanced: return true
    case .blocked:
      waiters.append(waiter)
      return false
    }
  }

  /// Advances all waits, and resumes those that are over.
  ///
  /// - Returns: how long to wait for events before the next call; nil for no limit.
  func proceed(_ driver: SessionDriver) throws -> Nanoseconds? {
    var limit: Nanoseconds?
    var index = 0
    while index < waiters.count {
      switch try result(of: index, driver) {
      case .over(let result): waiters.remove(at: index).resume(result)
      case .goesOn(let pause):
        if let pause { limit = min(limit ?? pause, pause) }
        index += 1
      }
    }
    return limit
  }

  private enum Turn {
    case over(Result<Void, HostError>)
    /// - Parameter pause: the time in which nothing will happen; nil if it is unknown.
    case goesOn(Nanoseconds?)
  }

  private func result(of index: Int, _ driver: SessionDriver) throws -> Turn {
    guard !waiters[index].cancellation.isCancelled else { return .over(.failure(.waitCancelled)) }
    do {
      switch try driver.proceed(&waiters[index].wait) {
      case .reached: return .over(.success(()))
      case .advanced: return .goesOn(0)
      case .blocked(let pause): return .goesOn(pause)
      }
    } catch let endless as Endless {
      let description = endless.description(of: "idle()", instead: "advance(by: .seconds(5))")
      return .over(.failure(HostError(.endless, description)))
    }
  }
}
