package import CanonicalJSON

// The steps of a session. If it is recorded, each step has its line in the recording.
extension SessionDriver {
  /// Opens an instance, as the session does.
  @discardableResult
  package func open(
    _ id: String, as handle: String?, config: JSONValue?
  ) throws(SessionError) -> SessionInstance {
    let count = session.instances.count
    let given = recorder == nil ? nil : session.givenConfig(config, of: id)
    return try step(
      .open(viewModel: id, handle: handle, config: given),
      isUndone: session.instances.count == count
    ) { () throws(SessionError) in
      try session.open(id, as: handle, config: config)
    }
  }

  /// Closes an instance, as the session does.
  package func close(_ handle: String) throws(SessionError) {
    try step(.close(handle: handle)) { () throws(SessionError) in
      try session.close(handle)
    }
  }

  /// Answers a request, as the session does.
  package func reply(
    to instance: SessionInstance, _ shownID: UInt64, value: [UInt8]
  ) throws(SessionError) {
    let value = recorder?.kept(of: value, instance.effect(of: shownID)) ?? value
    try step(
      .reply(handle: shownHandle(of: instance), id: shownID, value: value),
      isUndone: instance.shownRequests[shownID] != nil
    ) { () throws(SessionError) in
      try session.reply(to: instance, shownID, value: value.span)
    }
    dismissProvider(ofRequest: shownID, of: instance.number)
  }

  /// Answers a request with a failure, as the session does.
  package func fail(
    _ instance: SessionInstance, _ shownID: UInt64, code: String, message: String
  ) throws(SessionError) {
    try step(
      .failure(handle: shownHandle(of: instance), id: shownID, code: code, message: message),
      isUndone: instance.shownRequests[shownID] != nil
    ) { () throws(SessionError) in
      try session.fail(instance, shownID, code: code, message: message)
    }
    dismissProvider(ofRequest: shownID, of: instance.number)
  }

  /// The handle of the instance; nil where lines leave it out.
  private func shownHandle(of instance: SessionInstance) -> String? {
    session.names(instance.number) ? instance.handle : nil
  }

  /// Delivers inputs one by one, and records each before its plugin gets it.
  func deliver(_ batch: inout InputBatch, to recorder: TranscriptRecorder) throws(SessionError) {
    recorder.beginBatch()
    defer {
      recorder.endBatch()
      batch.removeAll()
    }
    while !batch.isEmpty {
      var one = batch.takeFirst()
      // Events from before this input must not be recorded as its output.
      takeEvents()
      try recorder.begin(input: one.events.records[0], of: one.events, session)
      do throws(SessionError) {
        try complete(recorder) { () throws(SessionError) in
          try session.deliver(&one)
        }
      } catch {
        session.leave(&batch)
        throw error
      }
    }
  }

  /// Lets the session's time pass; due timers fire.
  ///
  /// In a recording, all timers of one time are one step with one line: what the last of them reads
  /// must be written before what the first of them emits. Their events are in memory together, as
  /// they are when that step is played.
  ///
  /// - Parameter limit: the number of timers after which this returns. In a recording it finishes
  ///   the timers of the same time first.
  /// - Returns: how many timers fired.
  @discardableResult
  func advance(
    to target: Nanoseconds, firingAtMost limit: Int = .max
  ) throws(SessionError) -> Int {
    try finishDelivery()
    var fired = 0
    guard let recorder else {
      while true {
        fired += try session.advance(
          to: target, firingAtMost: limit - fired, stopsForEvents: true)
        guard session.events.isLarge, fired < limit else { return fired }
        takeEvents()
      }
    }
    while fired < limit, let deadline = session.nextDeadline, deadline <= target {
      let time = max(deadline, session.now)
      takeEvents()
      try recorder.beginTimers(at: time, session)
      try complete(recorder) { () throws(SessionError) in
        fired += try session.advance(to: time)
      }
    }
    if fired < limit { try session.advance(to: target) }
    return fired
  }

  /// Ends all instances, and the recording if there is one.
  package func finishSession() throws(SessionError) {
    if isRecording { try finishDelivery() }
    takeEvents()
    defer { takeEvents() }
    guard let recorder else { return try session.finish() }
    let closings = recorder.closings(of: session)
    try complete(recorder) { () throws(SessionError) in
      try session.finish()
    }
    try recorder.finish(closings)
  }

  // MARK: Recording

  private func step<Result>(
    _ command: @autoclosure () -> ScriptCommand, isUndone: @autoclosure () -> Bool = false,
    _ body: () throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard let recorder else { return try body() }
    try finishDelivery()
    takeEvents()
    try recorder.begin(command(), session)
    return try complete(recorder, isUndone: isUndone(), body)
  }

  /// Makes the step whose line was just written. If the step fails without an effect, its line is
  /// removed again.
  ///
  /// - Parameter isUndone: whether a refusal was of the step's own event, and not of a consequence.
  ///   For an input the error says that.
  private func complete<Result>(
    _ recorder: TranscriptRecorder, isUndone: @autoclosure () -> Bool = false,
    _ body: () throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    defer { takeEvents() }
    do throws(SessionError) {
      return try body()
    } catch {
      switch error.code {
      case .mistake: recorder.takeBack()
      case .refused: if error.tag != nil || isUndone() { recorder.takeBack() }
      case .contract, .recording: recorder.breakOff()
      }
      throw error
    }
  }
}
