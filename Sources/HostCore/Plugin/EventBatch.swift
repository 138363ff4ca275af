import Basics

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
  /// The session opened an instance: the name is the id of the view model. Only where a flow
  /// navigates; elsewhere whoever gave the line knows.
  case opened = 67
  /// The session closed an instance.
  case closed = 68

  /// Whether the plugin may emit it.
  package var isEmission: Bool { rawValue >= 16 && rawValue < 64 }
}

/// Events in order, held flat: records beside one run of bytes.
///
/// A million events are two arrays, and a batch travels to a worker process as it stands.
package struct EventBatch: Sendable {
  /// An event but for its bytes: numbers in a fixed order, which any bits are a value of, so that
  /// it crosses to another process as it lies in memory.
  package struct Record: Sendable, BitwiseCopyable {
    /// The number of the kind, as it is in memory.
    var code: UInt32
    /// The session's number of the instance.
    package var instance: Int32
    /// The number of the input or output in its view model, or -1.
    package var port: Int32 = -1
    /// In emissions: which delivered event they answer.
    package var step: Int32 = 0
    /// Of a request, reply, error or cancel. An input carries its sender's tag here.
    package var id: UInt64 = 0
    package var time: Nanoseconds = 0
    /// The name begins where the value before it ends.
    var nameStart = 0
    var nameCount: UInt32 = 0
    var valueCount: UInt32 = 0

    package init(kind: EventKind, instance: Int32, id: UInt64 = 0, time: Nanoseconds = 0) {
      code = kind.rawValue
      self.instance = instance
      self.id = id
      self.time = time
    }

    /// Traps if there is no such kind: what comes from elsewhere is checked before.
    package var kind: EventKind {
      guard let kind = EventKind(rawValue: code) else {
        preconditionFailure("a record that nobody checked is of kind \(code)")
      }
      return kind
    }

    /// Whether it is of that kind; quicker than to compare `kind`.
    package func isOf(_ kind: EventKind) -> Bool { code == kind.rawValue }

    package var name: Range<Int> { nameStart..<nameStart &+ Int(nameCount) }
    package var value: Range<Int> {
      let start = nameStart &+ Int(nameCount)
      return start..<start &+ Int(valueCount)
    }
  }

  package internal(set) var records: [Record] = []
  package internal(set) var bytes: [UInt8] = []
  /// Whether there is a request or a cancel among them.
  package private(set) var hasRequests = false
  /// Whether the plugin's own code failed, or a flow.
  package private(set) var hasFaults = false

  package init() {}

  package var count: Int { records.count }
  package var isEmpty: Bool { records.isEmpty }

  /// Adds an event; `name` and `value` are copied.
  package mutating func append(_ record: Record, name: Span<UInt8>, value: Span<UInt8>) {
    var record = record
    record.nameStart = bytes.count
    record.nameCount = UInt32(name.count)
    record.valueCount = UInt32(value.count)
    bytes.append(name, value)
    note(record)
    records.append(record)
  }

  /// Adds an event whose value `write` appends to the bytes it is given.
  package mutating func append<Failure: Error>(
    _ record: Record, name: Span<UInt8>, write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var record = record
    record.nameStart = bytes.count
    record.nameCount = UInt32(name.count)
    bytes.append(name)
    let start = bytes.count
    try write(&bytes)
    record.valueCount = UInt32(bytes.count - start)
    note(record)
    records.append(record)
  }

  /// Adds an event of another batch.
  mutating func append(_ other: borrowing EventBatch, at index: Int) {
    let record = other.records[index]
    let bytes = other.bytes
    append(
      record, name: bytes.span.extracting(record.name), value: bytes.span.extracting(record.value))
  }

  /// Adds the events of another batch.
  package mutating func append(_ other: borrowing EventBatch) {
    for index in other.records.indices { append(other, at: index) }
  }

  /// Fills in what the session knows of an event and its plugin doesn't.
  ///
  /// - Parameter step: nil for the one that it says itself.
  mutating func place(_ index: Int, port: Int32, time: Nanoseconds, step: Int32?) {
    records[index].port = port
    if let step { records[index].step = step }
    records[index].time = time
    records[index].id = 0
  }

  /// Gives all events the same time.
  mutating func stamp(_ time: Nanoseconds) {
    for index in records.indices { records[index].time = time }
  }

  mutating func note(_ record: Record) {
    if record.isOf(.output) { return }
    if record.isOf(.request) || record.isOf(.cancel) { hasRequests = true }
    if record.isOf(.fault) { hasFaults = true }
  }

  /// Takes away what was appended last.
  mutating func truncate(toRecords count: Int, bytes size: Int) {
    records.removeSubrange(count...)
    bytes.removeSubrange(size...)
    hasRequests = false
    hasFaults = false
    for record in records { note(record) }
  }

  /// Empties the batch. Room for an ordinary batch is kept; what one huge value took is given back.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: records.capacity <= 1 << 16)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
    hasRequests = false
    hasFaults = false
  }

  package func name(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.name))
  }

  package func value(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.value))
  }
}

extension EventBatch {
  /// Adds that a plugin broke its contract, and how.
  package mutating func appendViolation(_ text: String, instance: Int32, step: Int32) {
    var record = Record(kind: .violation, instance: instance)
    record.step = step
    append(record, name: [UInt8]().span, value: Array(text.utf8).span)
  }

  /// Adds that a plugin's process ended or hangs, and how.
  mutating func appendDeath(_ text: String, instance: Int32, step: Int32) {
    var record = Record(kind: .death, instance: instance)
    record.step = step
    append(record, name: [UInt8]().span, value: Array(text.utf8).span)
  }
}
