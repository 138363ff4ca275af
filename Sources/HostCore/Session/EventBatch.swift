/// What an event is. The first group's numbers are those of `vm_plugin.h`.
package enum EventKind: UInt32, Sendable {
  case input = 1
  case reply = 2
  case error = 3

  case output = 16
  case request = 17
  case cancel = 18
  case log = 19
  case fault = 20

  /// The plugin refused an event: `id` has the status, the value the plugin's words.
  case refusal = 64
  /// The plugin broke its contract: the value says how. Nothing can be trusted after it.
  case violation = 65
  /// The plugin's process ended or hangs: the value says how. Nothing comes after it.
  case death = 66

  /// Whether the plugin may emit it.
  var isEmission: Bool { rawValue >= 16 && rawValue < 64 }
}

/// Events in order, held flat: records beside one run of bytes.
///
/// A million events are two arrays, and a batch travels to a worker process as it stands.
package struct EventBatch: Sendable {
  package struct Record: Sendable {
    package var kind: EventKind
    /// The session's number of the instance.
    package var instance: Int32
    /// The number of the input or output in its view model, or -1.
    package var port: Int32 = -1
    /// In emissions: which delivered event they answer.
    package var step: Int32 = 0
    /// Of a request, reply, error or cancel. An input carries its sender's tag here.
    package var id: UInt64 = 0
    package var time: Nanoseconds = 0
    fileprivate var nameStart = 0
    fileprivate var valueStart = 0
    fileprivate var valueEnd = 0

    package var name: Range<Int> { nameStart..<valueStart }
    package var value: Range<Int> { valueStart..<valueEnd }

    package init(kind: EventKind, instance: Int32, id: UInt64 = 0, time: Nanoseconds = 0) {
      self.kind = kind
      self.instance = instance
      self.id = id
      self.time = time
    }
  }

  package private(set) var records: [Record] = []
  package private(set) var bytes: [UInt8] = []
  /// Whether there is a request or a cancel among them.
  package private(set) var hasRequests = false
  /// Whether the plugin's own code failed.
  package private(set) var hasFaults = false

  package init() {}

  package var count: Int { records.count }
  package var isEmpty: Bool { records.isEmpty }

  /// Adds an event; `name` and `value` are copied.
  package mutating func append(_ record: Record, name: Span<UInt8>, value: Span<UInt8>) {
    var record = record
    record.nameStart = bytes.count
    bytes.append(name)
    record.valueStart = bytes.count
    bytes.append(value)
    record.valueEnd = bytes.count
    note(record.kind)
    records.append(record)
  }

  /// Adds an event whose value `write` appends to the bytes it is given.
  package mutating func append<Failure: Error>(
    _ record: Record, name: Span<UInt8>, write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var record = record
    record.nameStart = bytes.count
    bytes.append(name)
    record.valueStart = bytes.count
    try write(&bytes)
    record.valueEnd = bytes.count
    note(record.kind)
    records.append(record)
  }

  /// Fills in what the session knows of an event and its plugin doesn't.
  mutating func place(_ index: Int, port: Int32, time: Nanoseconds) {
    records[index].port = port
    records[index].time = time
    records[index].id = 0
  }

  private mutating func note(_ kind: EventKind) {
    switch kind {
    case .request, .cancel: hasRequests = true
    case .fault: hasFaults = true
    default: break
    }
  }

  /// Empties the batch. Room for an ordinary batch is kept; what one huge value took is given back.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: records.capacity <= 1 << 16)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
    hasRequests = false
    hasFaults = false
  }

  /// Adds to the step numbers of the events from `start` on.
  mutating func shiftSteps(by count: Int32, from start: Int) {
    for index in start..<records.count { records[index].step += count }
  }

  package func name(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.name))
  }

  package func value(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.value))
  }
}
