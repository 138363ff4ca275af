import Basics
import CanonicalJSON

/// Plays the history of a session again, in a new session with the same or other plugins.
///
/// Nobody is asked anything: requests get the answers that the history has for equal ones, and the
/// new session has a store of its own.
final class HistoryPlayer {
  /// A step that couldn't be made again.
  struct SkippedStep {
    /// The number of the step in the history, from 1.
    let step: Int
    let reason: String
  }

  /// A step that emitted something else than before.
  struct ChangedStep {
    /// The number of the step in the history, from 1.
    let step: Int
    fileprivate var expected: EventBatch
    fileprivate var found: EventBatch
  }

  /// An answer of the history.
  private struct Answer {
    /// How many steps the history has before it.
    let step: Int
    let kind: EventKind
    let value: [UInt8]
  }

  private let history: SessionHistory
  private let driver: SessionDriver
  private let storage: MemoryStorage
  /// Whether the plugins are the same builds, so that they do the same again.
  private let repeats: Bool
  private(set) var pairing = RequestPairing()
  private(set) var skipped: [SkippedStep] = []
  private(set) var changed: [ChangedStep] = []
  /// Whether it was ended before all steps were made.
  private(set) var isInterrupted = false
  /// Whether all steps and all answers of the history are in the new session.
  var isWhole: Bool { skipped.isEmpty && late.isEmpty }
  /// The answers whose requests haven't come yet.
  private var late: [RequestPairing.Key: Answer] = [:]
  /// The entries of the new session's history that were looked at.
  private var seen = 0
  /// How many events of the last of them were. More timers may have joined it.
  private var seenEvents = 0

  private var session: SessionEngine { driver.session }
  private var handles: [String] { history.handles }

  /// - Parameters:
  ///   - driver: has a fresh session with a virtual clock, which keeps its history.
  ///   - storage: the session's store.
  ///   - repeats: whether the plugins are the same builds.
  init(
    _ history: SessionHistory, in driver: SessionDriver, storage: MemoryStorage, repeats: Bool
  ) {
    self.history = history
    self.driver = driver
    self.storage = storage
    self.repeats = repeats
  }

  /// Plays all of it, and lets the session's time pass up to `end`.
  ///
  /// - Parameter isInterrupted: called between steps; true ends it.
  /// - Throws: `contract` if a plugin breaks down, or the error of a recording.
  func play(
    until end: Nanoseconds? = nil, isInterrupted: () -> Bool = { false }
  ) throws(SessionError) {
    for entry in history.entries {
      self.isInterrupted = isInterrupted()
      guard !self.isInterrupted else { return }
      try play(entry)
    }
    guard let end, end > session.now else { return }
    try pass(to: end, before: history.steps)
  }

  private func play(_ entry: SessionHistory.Entry) throws(SessionError) {
    for read in entry.reads {
      if let value = read.value {
        storage.set(read.key, to: value, in: read.plugin)
      } else {
        storage.delete(read.key, in: read.plugin)
      }
    }
    if case .timers(let count) = entry.action {
      try driver.advance(to: entry.time, firingAtMost: repeats ? count : .max)
    } else if entry.time > session.now {
      try pass(to: entry.time, before: entry.start)
    }
    do throws(SessionError) {
      switch entry.action {
      case .timers: break
      case .open(let viewModel, let handle, let config):
        try driver.open(viewModel, as: handle, config: config)
      case .close(let handle): try driver.close(handle)
      case .inputs(let inputs): try deliver(inputs, entry)
      case .answer(let instance, let id, let kind, let value):
        let key = RequestPairing.Key(instance: instance, id: id)
        late[key] = Answer(step: entry.start, kind: kind, value: value)
        try answer(key)
      }
    } catch {
      guard !error.endsSession else { throw error }
      skip(entry.start, error)
    }
    compare(entry)
    try answerLate(in: entry.start + entry.count - 1)
  }

  /// Lets time pass in which nothing happened before.
  private func pass(to time: Nanoseconds, before step: Int) throws(SessionError) {
    do throws(SessionError) {
      try driver.advance(to: time)
    } catch {
      guard !error.endsSession else { throw error }
    }
    compare(EventBatch(), at: step)
    try answerLate(in: step)
  }

  private func skip(_ step: Int, _ error: SessionError) {
    skipped.append(SkippedStep(step: step + 1, reason: error.description))
  }

  // MARK: Inputs

  private func deliver(
    _ inputs: EventBatch, _ entry: SessionHistory.Entry
  ) throws(SessionError) {
    var batch = InputBatch()
    for (index, record) in inputs.records.enumerated() {
      let handle = handles[Int(record.instance)]
      let name = inputs.bytes.span.extracting(record.name)
      guard let instance = session.instances.first(where: { $0.handle == handle }),
        let port = instance.inputNames.firstIndex(where: { $0.span.equals(name) })
      else {
        try deliver(&batch, entry)
        let reason =
          session.isOpen(handle)
          ? "\(handle) has no input \"\(inputs.name(of: record))\"." : "\(handle) isn't open."
        skipped.append(SkippedStep(step: entry.start + index + 1, reason: reason))
        continue
      }
      let value = inputs.bytes.span.extracting(record.value)
      let tag = UInt64(index + 1)
      while !session.add(to: &batch, instance, port, value: value, tag: tag) {
        try deliver(&batch, entry)
      }
      if session.navigates(batch) { try deliver(&batch, entry) }
    }
    try deliver(&batch, entry)
  }

  /// Delivers inputs, and goes on behind each one that is refused.
  private func deliver(
    _ batch: inout InputBatch, _ entry: SessionHistory.Entry
  ) throws(SessionError) {
    while !batch.isEmpty {
      do throws(SessionError) {
        try driver.deliver(&batch)
      } catch {
        guard !error.endsSession, let tag = error.tag ?? error.stepTag else { throw error }
        skip(entry.start + Int(tag) - 1, error)
        batch = session.takeUndelivered()
      }
    }
  }

  // MARK: Answers

  /// Answers the request that equals one of the history, once there is one.
  private func answer(_ key: RequestPairing.Key) throws(SessionError) {
    guard let new = pairing.new[key], let answer = late.removeValue(forKey: key),
      // It may be cancelled by now.
      let instance = session.living[new.instance], instance.effect(of: new.id) != nil
    else { return }
    do throws(SessionError) {
      if answer.kind == .error {
        let error = try? JSONValue(parsing: answer.value.span)
        try driver.fail(
          instance, new.id, code: error?["code"]?.stringValue ?? "",
          message: error?["message"]?.stringValue ?? "")
      } else {
        try driver.reply(to: instance, new.id, value: answer.value)
      }
    } catch {
      guard !error.endsSession else { throw error }
      skip(answer.step, error)
    }
  }

  /// Answers the requests that came later than in the history.
  ///
  /// - Parameter step: how many steps the history has before the present one.
  private func answerLate(in step: Int) throws(SessionError) {
    while !pairing.news.isEmpty {
      let news = pairing.news
      pairing.news = []
      // An answer may lead to the request of another one.
      for key in news where late[key] != nil {
        try answer(key)
        compare(EventBatch(), at: step)
      }
    }
  }

  // MARK: What is emitted

  /// The events of the new session since the last call.
  ///
  /// - Returns: the events, and the tags of the inputs that caused them; 0 for any other step.
  private func takeFound() -> [(tag: UInt64, events: EventBatch)] {
    guard let history = session.history else { return [] }
    var found: [(tag: UInt64, events: EventBatch)] = []
    let first = max(seen - 1, 0)
    for index in first..<max(history.entries.count, first) {
      let entry = history.entries[index]
      let start = index < seen ? seenEvents : 0
      if case .inputs(let inputs) = entry.action {
        guard index >= seen else { continue }
        var next = 0
        for (step, input) in inputs.records.enumerated() {
          let begin = next
          while next < entry.events.count, Int(entry.events.records[next].step) == step {
            next += 1
          }
          found.append((input.id, entry.events.copy(of: begin..<next)))
        }
      } else if start < entry.events.count {
        found.append((0, entry.events.copy(of: start..<entry.events.count)))
      }
    }
    seen = history.entries.count
    seenEvents = history.entries.last?.events.count ?? 0
    return found
  }

  private func compare(_ entry: SessionHistory.Entry) {
    guard case .inputs(let inputs) = entry.action else {
      return compare(entry.events, at: entry.start)
    }
    let found = takeFound()
    var (position, next) = (0, 0)
    for index in inputs.records.indices {
      let begin = position
      while position < entry.events.count, Int(entry.events.records[position].step) == index {
        position += 1
      }
      var events = EventBatch()
      while next < found.count, found[next].tag <= UInt64(index + 1) {
        events.append(found[next].events)
        next += 1
      }
      compare(entry.events.copy(of: begin..<position), events, at: entry.start + index)
    }
  }

  private func compare(_ expected: EventBatch, at step: Int) {
    var events = EventBatch()
    for part in takeFound() { events.append(part.events) }
    compare(expected, events, at: step)
  }

  /// Compares what a step emitted before with what it emits now.
  ///
  /// - Parameter step: how many steps the history has before it.
  private func compare(_ expected: EventBatch, _ found: EventBatch, at step: Int) {
    for record in expected.records where record.isOf(.request) {
      pairing.ask(key(record), content(record, expected, handles[Int(record.instance)]))
    }
    for record in found.records where record.isOf(.request) {
      pairing.make(key(record), content(record, found, session.handle(of: record)))
    }
    // What a step that wasn't made would have emitted is no difference of its own.
    guard skipped.last?.step != step + 1, !isSame(expected, found) else { return }
    guard let last = changed.indices.last, changed[last].step == step + 1 else {
      changed.append(ChangedStep(step: step + 1, expected: expected, found: found))
      return
    }
    changed[last].expected.append(expected)
    changed[last].found.append(found)
  }

  /// The difference of a step.
  ///
  /// - Parameter numbers: the numbers that requests of the new session have now.
  func difference(
    of step: ChangedStep, _ numbers: [RequestPairing.Key: UInt64]
  ) -> StepDifference? {
    let old = lines(of: step.expected) { [handles] in
      handles[Int($0.instance)]
    } id: {
      $0.id
    }
    let new = lines(of: step.found) { [session] in
      session.handle(of: $0)
    } id: { [self] record in
      numbers[key(record)] ?? record.id
    }
    return StepDifference(expected: old, found: new, stepLine: step.step)
  }

  private func key(_ record: EventBatch.Record) -> RequestPairing.Key {
    RequestPairing.Key(instance: record.instance, id: record.id)
  }

  private func content(
    _ record: EventBatch.Record, _ events: EventBatch, _ handle: String
  ) -> RequestPairing.Content {
    RequestPairing.Content(
      handle: handle, effect: events.name(of: record), value: Array(events.bytes[record.value]))
  }

  private func isSame(_ expected: EventBatch, _ found: EventBatch) -> Bool {
    guard expected.count == found.count else { return false }
    let (one, other) = (expected.bytes.span, found.bytes.span)
    return expected.records.indices.allSatisfy { index in
      let (old, new) = (expected.records[index], found.records[index])
      return old.isOf(new.kind)
        && (old.isOf(.output) || pairing.new[key(old)] == key(new))
        && handles[Int(old.instance)] == session.handle(of: new)
        && one.extracting(old.name).equals(other.extracting(new.name))
        && one.extracting(old.value).equals(other.extracting(new.value))
    }
  }

  private func lines(
    of events: EventBatch, handle: (EventBatch.Record) -> String,
    id: (EventBatch.Record) -> UInt64
  ) -> [StepLine] {
    let isAlone = Set(handles).count == 1
    return events.records.map { record in
      var shown = record
      if !record.isOf(.output) { shown.id = id(record) }
      return StepLine(
        head: TranscriptWriter.head(
          of: shown, events, isAlone ? nil : handle(record), offset: nil),
        value: session.redacted(Array(events.bytes[record.value])), line: 0)
    }
  }
}
