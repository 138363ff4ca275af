// What a session notes of its steps.
extension SessionEngine {
  /// Keeps the history from now on. Call it before the first instance is opened.
  package func keepHistory() {
    let storage = RecordingStorage(effects.storage)
    effects.storage = storage
    historyStorage = storage
    history = SessionHistory(options.limits)
  }

  /// Whether steps are noted. A history that was dropped gets no more of them.
  private var notesSteps: Bool { history?.isDropped == false }

  /// Notes the step that was just made.
  ///
  /// - Parameters:
  ///   - effect: that of the request that is answered.
  ///   - position: where its events begin.
  func note(
    _ action: @autoclosure () -> SessionHistory.Action, effect: String? = nil, from position: Int
  ) {
    show(action(), effect: effect, from: position)
    guard notesSteps else { return }
    append(action(), shownEvents(from: position))
  }

  /// Notes inputs, each of which was a step.
  func note(_ inputs: Range<Int>, of batch: borrowing InputBatch, from position: Int) {
    guard notesSteps, !inputs.isEmpty else { return }
    var shown = shownEvents(from: position, of: inputs)
    shown.shiftSteps(by: -inputs.lowerBound)
    append(.inputs(batch.events.copy(of: inputs)), shown)
  }

  /// Notes a timer, in a step of its own or in that of an earlier one.
  func noteTimer(isFirst: Bool, from position: Int) {
    if isFirst { show(.timers(1), from: position) }
    guard notesSteps else { return }
    let shown = shownEvents(from: position)
    if isFirst { return append(.timers(1), shown) }
    history?.appendTimer(shown, reads: historyStorage?.takeReads() ?? [])
    if !notesSteps { historyStorage?.end() }
  }

  private func append(_ action: SessionHistory.Action, _ events: EventBatch) {
    let reads = historyStorage?.takeReads() ?? []
    if history?.handles.count != handles.count { history?.handles = handles }
    history?.append(action, at: now, events, reads: reads)
    if !notesSteps { historyStorage?.end() }
  }

  /// The last events that a transcript has lines for.
  ///
  /// - Parameter inputs: the inputs whose events are meant; nil for all events.
  private func shownEvents(from position: Int, of inputs: Range<Int>? = nil) -> EventBatch {
    let range = min(position, events.count)..<events.count
    let isShown = { (record: EventBatch.Record) in
      (record.isOf(.output) || record.isOf(.request) || record.isOf(.cancel))
        && inputs?.contains(Int(record.step)) ?? true
    }
    if events.records[range].allSatisfy(isShown) { return events.copy(of: range) }
    var shown = EventBatch()
    for index in range where isShown(events.records[index]) { shown.append(events, at: index) }
    return shown
  }

  // MARK: Numbers of requests

  /// The highest number that a request of each handle ever had.
  package var highestRequestIDs: [String: UInt64] {
    var highest = lastRequestIDs
    for instance in instances { highest[instance.handle] = instance.lastShownID }
    return highest
  }

  /// Gives open requests other numbers, also in the history. Later requests have numbers above the
  /// highest.
  package func renumber(
    _ numbers: [SessionHistory.RequestKey: UInt64], above highest: [String: UInt64]
  ) {
    lastRequestIDs.merge(highest) { max($0, $1) }
    for instance in instances {
      instance.renumber(above: lastRequestIDs[instance.handle] ?? 0) {
        numbers[SessionHistory.RequestKey(instance: instance.number, id: $0)]
      }
    }
    history?.renumber(numbers)
  }

  /// The value of an open request; empty if it has none.
  package func requestValue(_ handle: String, _ id: UInt64) -> [UInt8] {
    guard let (events, record) = request(handle, id) else { return [] }
    return Array(events.bytes[record.value])
  }

  /// Adds an open request to the events once more, so that it is asked again.
  package func askAgain(_ handle: String, _ id: UInt64) {
    guard let (events, record) = request(handle, id) else { return }
    var again = record
    again.step = 0
    again.time = now
    let bytes = events.bytes
    self.events.append(
      again, name: bytes.span.extracting(record.name), value: bytes.span.extracting(record.value))
  }

  private func request(
    _ handle: String, _ id: UInt64
  ) -> (events: EventBatch, record: EventBatch.Record)? {
    guard let instance = byHandle[handle], let history else { return nil }
    for entry in history.entries.reversed() where entry.events.hasRequests {
      let record = entry.events.records.last {
        $0.isOf(.request) && $0.instance == instance.number && $0.id == id
      }
      if let record { return (entry.events, record) }
    }
    return nil
  }
}
