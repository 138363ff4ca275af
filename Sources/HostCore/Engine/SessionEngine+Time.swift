import CanonicalJSON

// Time, and the effects that the engine answers itself.
extension SessionEngine {
  /// Whether the engine answers an effect itself.
  package func simulates(_ effect: String) -> Bool { effects.simulated(effect) != nil }

  /// The deadline of the next timer, or nil.
  package var nextDeadline: Nanoseconds? {
    effects.dropDeadTimers { self.isOpen($0) }
    return effects.timers.first?.deadline
  }

  /// How many timers run.
  package var timers: Int { plugins.reduce(0) { $0 + $1.usage.timers } }

  /// The open requests that must be answered from outside, in the order of asking.
  package var openRequests: [(handle: String, id: UInt64, effect: String)] {
    let open = instances.flatMap { instance in
      instance.openRequests.values.filter { $0.shownID != 0 }.map { (instance.handle, $0) }
    }
    return open.sorted { $0.1.order < $1.1.order }.map { ($0.0, $0.1.shownID, $0.1.effect) }
  }

  /// The first of the open requests that must be answered from outside, or nil.
  package var oldestOpenRequest: (handle: String, id: UInt64, effect: String)? {
    openRequests.first
  }

  /// Advances time to `target`. Timers fire in order, each with its whole step.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of timers to fire. If it is reached, time stops at the last
  ///     timer that fired.
  ///   - stopsForEvents: whether time also stops at a timer behind which there are so many events
  ///     that they should be taken first. Call this again then.
  /// - Returns: how many timers fired.
  /// - Throws: `contract`, if a plugin breaks its contract; `refused`, if it refuses the reply.
  @discardableResult
  package func advance(
    to target: Nanoseconds, firingAtMost limit: Int = .max, stopsForEvents: Bool = false
  ) throws(SessionError) -> Int {
    try finishDelivery()
    budget.resume(ownTime)
    var fired = 0
    while fired < limit, let deadline = nextDeadline, deadline <= target,
      let timer = effects.timers.first
    {
      if stopsForEvents && events.isLarge { return fired }
      effects.timers.removeFirst()
      time = max(now, deadline)
      budget.pass(to: now, ownTime)
      fired += 1
      firedTimers += 1
      guard let instance = living[timer.instance] else { continue }
      let isFirst = now != timerStepTime
      if isFirst {
        steps += 1
        timerStepTime = now
      }
      _ = instance.closeRequest(timer.id)
      let first = events.count
      defer { noteTimer(isFirst: isFirst, from: first) }
      try deliver(.reply, to: instance, id: timer.id, name: "timer", value: [UInt8]().span)
      try settle()
      try follow(from: first)
    }
    if fired < limit { time = max(now, target) }
    return fired
  }

  private func isOpen(_ timer: TimerQueue.Timer) -> Bool {
    living[timer.instance]?.openRequests[timer.id]?.order == timer.order
  }

  /// Answers the storage requests that are left after one of the answers was refused.
  func settleRest() {
    while true {
      do throws(SessionError) { return try settle() } catch {
        // The first error is the one to report, and one that ends the session shows again.
        if error.endsSession { return }
      }
    }
  }

  /// Answers storage requests, in the order of asking, until none is left. The answers are part of
  /// the step that asked.
  func settle() throws(SessionError) {
    while let request = effects.nextStorageRequest() {
      guard let instance = living[request.instance],
        instance.openRequests[request.id]?.order == request.order
      else { continue }
      _ = instance.closeRequest(request.id)
      let space = plugins[instance.plugin].connection.manifest.id
      var kind = EventKind.reply
      var value: [UInt8]
      do throws(StorageError) {
        value = try effects.perform(request, in: space, quota: options.limits.storage)
      } catch {
        kind = .error
        value = effects.errorValue(error.code.rawValue, error.description)
        tell(error, of: instance)
      }
      try charge(instance, bytes: value.count)
      try deliver(
        kind, to: instance, id: request.id, name: request.effect.rawValue, value: value.span)
    }
  }

  /// Logs a failure of the store, since a plugin may keep its error to itself. A failure that
  /// repeats is logged once.
  private func tell(_ error: StorageError, of instance: SessionInstance) {
    if error.code == .full {
      guard fullStores.insert(instance.plugin).inserted else { return }
    } else {
      guard error != latestStorageError else { return }
      latestStorageError = error
    }
    let text = JSONValue.string(error.description).canonicalText
    events.append(
      event(.log, of: instance), name: Array("error".utf8).span, value: Array(text.utf8).span)
  }
}
