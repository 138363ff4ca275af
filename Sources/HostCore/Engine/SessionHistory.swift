package import CanonicalJSON

/// What has happened in a session, in memory, so that it can be played again.
///
/// The steps are those that the session counts. Secrets are in it, so it never leaves the process.
package struct SessionHistory: Sendable {
  /// How many bytes it may have at most, whatever the limits of a step are.
  private static let mostBytes = 64_000_000

  package enum Action: Sendable {
    /// - Parameter config: as it was given, with the names of secrets.
    case open(viewModel: String, handle: String?, config: JSONValue?)
    case close(handle: String)
    /// Inputs, each of which is a step.
    case inputs(EventBatch)
    /// The answer to a request, or its failure.
    case answer(instance: Int32, id: UInt64, EventKind, value: [UInt8])
    /// So many timers of one time.
    case timers(Int)
  }

  /// One step, or several inputs that were delivered together.
  package struct Entry: Sendable {
    /// How many steps the session made before.
    package let start: Int
    package var action: Action
    /// The session's time.
    package let time: Nanoseconds
    /// The outputs, requests and cancels. For inputs, `step` is the index among them.
    package var events: EventBatch
    /// What the last step read from the store.
    package var reads: [RecordingStorage.Read]

    /// How many steps it is.
    package var count: Int {
      if case .inputs(let inputs) = action { inputs.count } else { 1 }
    }

    /// What it takes beside its values.
    static let ownBytes = 200

    /// Roughly how much memory it takes.
    var bytes: Int {
      let values =
        switch action {
        case .inputs(let inputs): inputs.memory
        case .answer(_, _, _, let value): value.count
        case .open, .close, .timers: 0
        }
      let read = reads.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) + 100 }
      return values + events.memory + read + Self.ownBytes
    }
  }

  package private(set) var entries: [Entry] = []
  /// The handles of the instances, by their numbers.
  package internal(set) var handles: [String] = []
  /// Whether it was dropped because it had too many bytes.
  package private(set) var isDropped = false
  /// Roughly how much memory it takes.
  private(set) var bytes = 0
  /// How many bytes it may have. Beyond that it is dropped.
  package let maxBytes: Int

  /// - Parameter limits: those of a session, for which it must not take much more memory than a
  ///   step may.
  package init(_ limits: StepLimits) { maxBytes = min(Self.mostBytes, limits.bytes / 3) }

  /// How many steps it has.
  package var steps: Int { entries.last.map { $0.start + $0.count } ?? 0 }

  mutating func append(
    _ action: Action, at time: Nanoseconds, _ events: EventBatch, reads: [RecordingStorage.Read]
  ) {
    guard !isDropped else { return }
    append(Entry(start: steps, action: action, time: time, events: events, reads: reads))
  }

  private mutating func append(_ entry: Entry) {
    bytes += entry.bytes
    guard bytes <= maxBytes else {
      (entries, bytes, isDropped) = ([], 0, true)
      return
    }
    entries.append(entry)
  }

  /// Adds more timers of the same step.
  mutating func appendTimer(_ events: EventBatch, reads: [RecordingStorage.Read]) {
    guard let last = entries.indices.last, case .timers(let count) = entries[last].action else {
      return
    }
    bytes -= entries[last].bytes
    entries[last].action = .timers(count + 1)
    entries[last].events.append(events)
    entries[last].reads += reads
    bytes += entries[last].bytes
    if bytes > maxBytes { (entries, bytes, isDropped) = ([], 0, true) }
  }

  /// The number of the entry with a step, from 0 on.
  package func entry(ofStep step: Int) -> Int? {
    let index = entries.partitionIndex { $0.start + $0.count > step }
    return index < entries.count ? index : nil
  }

  /// Roughly how much memory it takes beside a history that has the same first steps.
  func bytes(from steps: Int) -> Int {
    entries.reduce(0) { $0 + ($1.start < steps ? Entry.ownBytes : $1.bytes) }
  }

  /// The history up to a step.
  package func prefix(_ steps: Int) -> SessionHistory {
    var history = self
    (history.entries, history.bytes) = ([], 0)
    for entry in entries where entry.start < steps {
      history.append(entry.prefix(steps - entry.start))
    }
    return history
  }

  // MARK: Requests

  /// A request, by the number that users see.
  package struct RequestKey: Hashable, Sendable {
    package let instance: Int32
    package let id: UInt64

    package init(instance: Int32, id: UInt64) {
      self.instance = instance
      self.id = id
    }
  }

  /// Gives requests other numbers, in all that is about them.
  package mutating func renumber(_ numbers: [RequestKey: UInt64]) {
    guard !numbers.isEmpty else { return }
    for index in entries.indices {
      if case .answer(let instance, let id, let kind, let value) = entries[index].action,
        let number = numbers[RequestKey(instance: instance, id: id)]
      {
        entries[index].action = .answer(instance: instance, id: number, kind, value: value)
      }
      if entries[index].events.hasRequests { entries[index].events.renumber(numbers) }
    }
  }
}

extension SessionHistory.Entry {
  fileprivate func prefix(_ steps: Int) -> SessionHistory.Entry {
    guard steps < count, case .inputs(let inputs) = action else { return self }
    let end = events.records.partitionIndex { Int($0.step) >= steps }
    return SessionHistory.Entry(
      start: start, action: .inputs(inputs.copy(of: 0..<steps)), time: time,
      events: events.copy(of: 0..<end), reads: [])
  }
}

extension EventBatch {
  /// Roughly how much memory it takes.
  fileprivate var memory: Int { records.count * MemoryLayout<Record>.stride + bytes.count }

  fileprivate mutating func renumber(_ numbers: [SessionHistory.RequestKey: UInt64]) {
    for index in records.indices where records[index].isOf(.request) || records[index].isOf(.cancel)
    {
      let key = SessionHistory.RequestKey(
        instance: records[index].instance, id: records[index].id)
      if let number = numbers[key] { setID(number, of: index) }
    }
  }
}
