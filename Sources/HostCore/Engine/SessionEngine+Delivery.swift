import Basics
import CanonicalJSON

// Events to plugins: inputs in batches, and answers to requests.
extension SessionEngine {
  /// Adds an input to a batch.
  ///
  /// - Parameters:
  ///   - value: canonical JSON, or empty for none.
  ///   - tag: identifies the input in the error if the plugin refuses it.
  /// - Returns: false if the batch is for another plugin. Nothing is added then: deliver it first.
  package func add(
    to batch: inout InputBatch, _ instance: SessionInstance, _ port: Int, value: Span<UInt8>,
    tag: UInt64
  ) -> Bool {
    if batch.plugin != instance.plugin {
      guard batch.isEmpty else { return false }
      batch.plugin = instance.plugin
    }
    var record = EventBatch.Record(kind: .input, instance: instance.number, id: tag, time: now)
    record.port = Int32(port)
    batch.append(record, of: instance, value: value)
    return true
  }

  /// Delivers inputs, each with its whole step, and empties the batch.
  ///
  /// - Throws: the error of the first input that fails. The inputs before it were delivered, those
  ///   after it are left for `takeUndelivered`.
  package func deliver(_ batch: inout InputBatch) throws(SessionError) {
    try start(&batch)
    try finishDelivery()
  }

  /// Whether inputs may be written down when their plugin has handled them. If it might crash this
  /// process, or the flow acts between them, each must be written before.
  func canRecordLater(_ batch: borrowing InputBatch) -> Bool {
    batch.isEmpty || plugins[batch.plugin].connection.isIsolated && !navigates(batch)
  }

  /// Whether a plugin may still be working on inputs that `start` gave it.
  package var isUnderWay: Bool { !underWay.isEmpty }

  /// Begins to deliver inputs and empties the batch.
  ///
  /// The events are in `events` only after `finishDelivery`, or after some calls of
  /// `continueDelivery`.
  ///
  /// An earlier delivery is finished first, as it is by every call that reaches a plugin.
  ///
  /// - Parameter recorder: writes down these inputs; nil if nobody does, or the caller does.
  /// - Throws: as `finishDelivery`, for the earlier delivery or for this one.
  package func start(
    _ batch: inout InputBatch, recorder: (any InputRecorder)? = nil
  ) throws(SessionError) {
    defer { batch.removeAll() }
    try finishDelivery()
    inputRecorder = recorder
    guard !batch.isEmpty else { return }
    if plugins[batch.plugin].restrictsInputs { cutAtMisfit(&batch) }
    guard batch.hasNext else {
      swap(&batch, &underWay)
      return try continueDelivery()
    }
    // Time may have passed since the inputs were added.
    if batch.events.records[batch.next].time != now { batch.events.stamp(now) }
    swap(&batch, &underWay)
    // The flow acts on the signals of one input before the next input is delivered.
    if navigates(underWay) { return try continueDelivery() }
    if !plugins[underWay.plugin].connection.begin(underWay.events, from: underWay.next) {
      try continueDelivery()
    }
  }

  /// The index of the first input under way whose step isn't made yet.
  var nextUnderWay: Int { underWay.next }

  /// Drops the inputs under way whose steps aren't made yet. Call it only after
  /// `continueDelivery`.
  func dropUnderWay() { underWay.removeAll() }

  /// Leaves the inputs behind one that has failed for `takeUndelivered`.
  func leave(_ batch: inout InputBatch) { swap(&batch, &undelivered) }

  /// The inputs behind one that has just failed, for a session that goes on.
  package func takeUndelivered() -> InputBatch {
    var batch = InputBatch()
    swap(&batch, &undelivered)
    return batch
  }

  /// Waits for the inputs that are under way, each with its whole step.
  ///
  /// - Throws: the error of the first input that fails. The inputs after it are left for
  ///   `takeUndelivered`.
  package func finishDelivery() throws(SessionError) {
    while isUnderWay { try continueDelivery() }
  }

  /// Waits for the inputs that are under way, until all of them have been delivered, or until there
  /// are so many events that they should be taken first. Then some inputs are still under way.
  ///
  /// - Throws: as `finishDelivery`.
  package func continueDelivery() throws(SessionError) {
    guard isUnderWay else { return }
    var batch = InputBatch()
    swap(&batch, &underWay)
    var isDone = true
    defer {
      if isDone { batch.removeAll() }
      swap(&batch, &underWay)
    }
    do throws(SessionError) {
      if navigates(batch) { try deliverFollowing(&batch) } else { try deliverWhole(&batch) }
      isDone = !batch.hasNext
      guard isDone, let misfit = batch.misfit else { return }
      batch = batch.afterMisfit()
      throw misfit
    } catch {
      if !error.endsSession { leave(&batch) }
      throw error
    }
  }

  private func deliverWhole(_ batch: inout InputBatch) throws(SessionError) {
    while batch.hasNext, !events.isLarge {
      let (first, position) = (batch.next, events.count)
      emissions.removeAll()
      budget.renew(at: now, ownTime)
      batch.next = plugins[batch.plugin].connection.deliver(
        batch.events, from: first, into: &emissions)
      // Each input is a step of its own, and only the last one can go on.
      if batch.next - first > 1 { budget.resume(ownTime) } else { _ = budget.count(until: ownTime) }
      do throws(SessionError) {
        try takeEmissions(of: batch.plugin, answering: batch.events)
      } catch {
        let failed = max(answeredStep, first)
        // The recorder keeps its own error, and the session's next step has it.
        try? inputRecorder?.record(
          first..<(error.endsSession ? failed + 1 : failed), of: batch, from: position, self)
        finish(first..<failed, of: batch, from: position)
        if error.endsSession {
          show(failed..<failed + 1, of: batch, after: steps, from: position)
        }
        guard error.tag != nil else { throw error }
        // A connection stops at a refusal, and what comes behind it is delivered again at any rate.
        batch.next = answeredStep + 1
        throw error.about(answeredStep, of: batch)
      }
      try inputRecorder?.record(first..<batch.next, of: batch, from: position, self)
      // A connection stops at a step that makes a request: only the last step can have made one.
      let last = batch.next - 1
      settledStep = Int32(last)
      defer { settledStep = nil }
      do throws(SessionError) {
        try settle()
      } catch {
        finish(first..<last, of: batch, from: position)
        settleRest()
        beginStep()
        let step = events.records.partitionIndex { Int($0.step) >= last }
        show(last..<batch.next, of: batch, after: steps - 1, from: max(step, position))
        note(last..<batch.next, of: batch, from: max(step, position))
        throw error.inStep(last, of: batch)
      }
      finish(first..<batch.next, of: batch, from: position)
    }
  }

  /// Counts the steps of inputs, and answers those whose senders want that.
  ///
  /// - Parameter position: where the first one's events begin.
  func finish(_ inputs: Range<Int>, of batch: borrowing InputBatch, from position: Int) {
    let before = steps
    steps += inputs.count
    timerStepTime = -1
    note(inputs, of: batch, from: position)
    let wanted = batch.answers(in: inputs)
    if showsSteps { return show(inputs, of: batch, wanted, after: before, from: position) }
    guard !wanted.isEmpty else { return }
    var position = position
    let records = events.records
    for (index, seq) in wanted {
      while position < records.count, records[position].step <= index { position += 1 }
      let step = before + index - inputs.lowerBound + 1
      answers.append(SessionAnswer(.done(step: step), seq: seq, position: position))
    }
  }

  /// Counts a step that is no input.
  func beginStep() {
    steps += 1
    timerStepTime = -1
  }

  /// Tells whoever sent a line about it, behind all events so far.
  package func answer(_ kind: SessionAnswer.Kind, seq: UInt64?) {
    answers.append(SessionAnswer(kind, seq: seq, position: events.count))
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - shownID: the request's id, as users see it.
  ///   - value: canonical JSON, or empty for none.
  /// - Throws: `mistake` if there is no such open request; `refused` if the plugin refuses the
  ///   answer, which leaves the request open; `contract` if the plugin breaks its contract.
  package func reply(
    to instance: SessionInstance, _ shownID: UInt64, value: Span<UInt8>
  ) throws(SessionError) {
    try answer(instance, shownID, kind: .reply, value: value)
  }

  /// Answers a request with a failure.
  ///
  /// - Parameters:
  ///   - shownID: the request's id, as users see it.
  ///   - code: a short name for the failure, such as "offline".
  ///   - message: the failure in words.
  /// - Throws: as `reply`.
  package func fail(
    _ instance: SessionInstance, _ shownID: UInt64, code: String, message: String
  ) throws(SessionError) {
    try answer(
      instance, shownID, kind: .error, value: effects.errorValue(code, message).span)
  }

  private func answer(
    _ instance: SessionInstance, _ shownID: UInt64, kind: EventKind, value: Span<UInt8>
  ) throws(SessionError) {
    try finishDelivery()
    guard let id = instance.shownRequests[shownID], let request = instance.closeRequest(id) else {
      throw notOpen(instance, shownID)
    }
    let first = events.count
    budget.renew(at: now, ownTime)
    do throws(SessionError) {
      try deliver(kind, to: instance, id: id, name: request.effect, value: value)
    } catch {
      // A plugin that refuses an answer waits for another one.
      if error.isRefusal { _ = instance.openRequest(id, request, nil) }
      show(
        .answer(instance: instance.number, id: shownID, kind, value: Array(copying: value)),
        effect: request.effect, from: first, endedBy: error)
      throw error
    }
    beginStep()
    defer {
      note(
        .answer(instance: instance.number, id: shownID, kind, value: Array(copying: value)),
        effect: request.effect, from: first)
    }
    try settle()
    try follow(from: first)
  }

  /// Delivers one event, within a step.
  ///
  /// - Parameters:
  ///   - name: the name of the input, or of the effect that is answered.
  ///   - port: the number of the input; -1 for an answer.
  func deliver(
    _ kind: EventKind, to instance: SessionInstance, id: UInt64, name: String, port: Int32 = -1,
    value: Span<UInt8>
  ) throws(SessionError) {
    var batch = EventBatch()
    var record = EventBatch.Record(kind: kind, instance: instance.number, id: id, time: now)
    record.port = port
    batch.append(record, name: Array(name.utf8).span, value: value)
    emissions.removeAll()
    try checkTime(of: instance)
    _ = plugins[instance.plugin].connection.deliver(
      batch, from: 0, after: budget.use, into: &emissions)
    _ = budget.count(until: ownTime)
    try takeEmissions(of: instance.plugin, answering: batch)
  }
}
