// What a session says of its steps, if somebody wants to know: a step comes before its events.
extension SessionEngine {
  /// Says what makes the step that was just made.
  ///
  /// - Parameters:
  ///   - effect: that of the request that is answered.
  ///   - position: where its events begin.
  func show(
    _ action: @autoclosure () -> SessionHistory.Action, effect: String? = nil, from position: Int
  ) {
    guard showsSteps else { return }
    append(action(), step: steps, effect: effect, at: position)
  }

  /// Says what makes a step that is never finished, because a plugin breaks down in it.
  func show(
    _ action: @autoclosure () -> SessionHistory.Action, effect: String? = nil, from position: Int,
    endedBy error: SessionError
  ) {
    guard showsSteps, error.endsSession else { return }
    append(action(), step: steps + 1, effect: effect, at: position)
  }

  /// Says what makes the steps of inputs, and answers those whose senders want that.
  ///
  /// - Parameters:
  ///   - wanted: the inputs whose senders want an answer.
  ///   - before: how many steps the session had made before.
  ///   - position: where the first one's events begin.
  func show(
    _ inputs: Range<Int>, of batch: borrowing InputBatch,
    _ wanted: ArraySlice<(index: Int, seq: UInt64)> = [], after before: Int, from position: Int
  ) {
    guard showsSteps else { return }
    var (position, wanted) = (position, wanted)
    for index in inputs {
      let step = before + index - inputs.lowerBound + 1
      while position < events.count, events.records[position].step < index { position += 1 }
      append(.inputs(batch.events.copy(of: index..<index + 1)), step: step, at: position)
      guard let (next, seq) = wanted.first, next == index else { continue }
      wanted.removeFirst()
      while position < events.count, events.records[position].step <= index { position += 1 }
      answers.append(SessionAnswer(.done(step: step), seq: seq, position: position))
    }
  }

  private func append(
    _ action: SessionHistory.Action, step: Int, effect: String? = nil, at position: Int
  ) {
    let record = StepRecord(action, at: now, step: step, effect: effect, handles: handles)
    answers.append(SessionAnswer(.step(record), seq: nil, position: position))
  }
}
