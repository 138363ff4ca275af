// Those who wait for a session to get somewhere.
extension SessionThread {
  /// Begins to wait.
  typealias Beginning = @Sendable (SessionDriver) throws(SessionError) -> SessionDriver.Wait

  /// Somebody who waits.
  struct Waiter {
    var wait: SessionDriver.Wait
    let patience: Patience
    let resume: (Result<Void, HostError>) -> Void
  }

  func time() throws(HostError) -> Duration {
    try attempt { engine, driver in
      try driver.catchUp()
      return .nanoseconds(engine.now)
    }
  }

  func wait(
    for begin: Beginning, _ patience: Patience, resume: @escaping (Result<Void, HostError>) -> Void
  ) {
    do throws(HostError) {
      var waiter = try attempt { _, driver in
        Waiter(wait: try begin(driver), patience: patience, resume: resume)
      }
      if case .time = waiter.wait.goal {
        // On a virtual clock that time passes before anything that is asked for later.
        while try advance(&waiter) {}
      } else {
        waiters.append(waiter)
      }
    } catch { resume(.failure(error)) }
  }

  /// Moves on towards a time.
  ///
  /// - Returns: whether to go on with that at once.
  private func advance(_ waiter: inout Waiter) throws(HostError) -> Bool {
    guard waiter.patience.lasts else { throw HostError.waitCancelled }
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

  /// Lets everybody who waits get on, and tells those who have waited long enough.
  ///
  /// - Returns: how long to wait for news; nil for as long as it takes.
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
    /// - Parameter pause: nothing happens before so much time has passed.
    case goesOn(Nanoseconds?)
  }

  private func result(of index: Int, _ driver: SessionDriver) throws -> Turn {
    guard waiters[index].patience.lasts else { return .over(.failure(.waitCancelled)) }
    do throws(DriverError) {
      switch try driver.proceed(&waiters[index].wait) {
      case .reached: return .over(.success(()))
      case .advanced: return .goesOn(0)
      case .blocked(let pause): return .goesOn(pause)
      }
    } catch {
      guard case .endless(let endless) = error else { throw error }
      let words = endless.description(of: "idle()", instead: "advance(by: .seconds(5))")
      return .over(.failure(HostError(.endless, words)))
    }
  }
}
