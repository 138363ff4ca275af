extension WorkerLink {
  /// Makes the worker play transcripts. The host kills it if it takes long, since it can't see how
  /// far a transcript has come.
  ///
  /// - Returns: the verdicts on the first of them. If there is none, or the worker has ended, it
  ///   ended in the transcript behind them.
  func play(_ transcripts: [[UInt8]]) -> [WorkerVerdict] {
    guard ending == nil else { return [] }
    var payload: [UInt8] = []
    ByteWriter.append(UInt32(transcripts.count), to: &payload)
    ByteWriter.append(UInt32(sharedBuffer.deliver(transcripts)), to: &payload)
    begin(.play, payload, steps: 0..<0)
    guard var exchange else { return [] }
    self.exchange = nil
    var failureText = exchange.failure
    var isOver = false
    if failureText == nil {
      let limit = min(limits.time, WorkerVerdict.timeLimit)
      let deadline = clock() + WorkerVerdict.batchTime + limit
      switch wait(Wait(until: deadline, limit: limit, maxPayload: 4)) {
      case .failure(let text): failureText = text
      case .message(let message):
        var number: [UInt8] = []
        ByteWriter.append(exchange.number, to: &number)
        isOver = message == WorkerMessage(.played, number)
      }
    }
    let verdicts = isOver ? sharedBuffer.verdicts(transcripts.count) : []
    if !verdicts.isEmpty { return verdicts }
    var scrap = EventBatch()
    _ = fail(
      failureText ?? Self.protocolError, in: &exchange, { _ in (0, "it played a transcript") },
      into: &scrap, survives: false)
    return failureText == nil ? [] : sharedBuffer.verdicts(transcripts.count)
  }
}
