import Basics

/// The kind of an event. The first two groups have the numbers of `vm_plugin.h`.
package enum EventKind: UInt32, Sendable {
  case input = 1
  case reply = 2
  case error = 3

  case output = 16
  case request = 17
  case cancel = 18
  case log = 19
  case fault = 20

  /// The plugin refused an event. The id is the status, the value is the plugin's message.
  case refusal = 64
  /// The plugin broke its contract. The value says how. Nothing after it can be trusted.
  case violation = 65
  /// The plugin's process ended or hangs. The value says how. Nothing follows it.
  case death = 66
  /// The session opened an instance. The name is the id of the view model. Only flows cause it: the
  /// sender of an `open` line knows anyway.
  case opened = 67
  /// The session closed an instance.
  case closed = 68
  /// A line that the plugin printed. The name is the plugin's, the value is the text. It belongs to
  /// no instance.
  case print = 69
}

/// Events in order, stored flat as an array of records and an array of bytes.
///
/// A million events take two arrays, and a batch goes to a worker process without conversion.
package struct EventBatch: Sendable {
  /// An event without its bytes: numbers in a fixed order. Any bits are a valid value, so that a
  /// record can go to another process as it is in memory.
  package struct Record: Sendable, BitwiseCopyable {
    /// The raw value of the kind, unchecked.
    var code: UInt32
    /// The session's number of the instance.
    package var instance: Int32
    /// The number of the input or output in its view model, or -1.
    package var port: Int32 = -1
    /// In emissions, the number of the delivered event that they answer.
    package var step: Int32 = 0
    /// The id of a request, reply, error or cancel. An input carries its sender's tag here.
    package var id: UInt64 = 0
    package var time: Nanoseconds = 0
    /// The offset of the name in the bytes of the batch. The value follows the name.
    var nameStart = 0
    var nameCount: UInt32 = 0
    var valueCount: UInt32 = 0

    package init(kind: EventKind, instance: Int32, id: UInt64 = 0, time: Nanoseconds = 0) {
      self.init(code: kind.rawValue, instance: instance, id: id)
      self.time = time
    }

    /// - Parameter code: the kind, unchecked.
    init(code: UInt32, instance: Int32, id: UInt64) {
      self.code = code
      self.instance = instance
      self.id = id
    }

    /// Whether a plugin may emit events of this kind.
    package var isEmission: Bool { EventKind.output.rawValue...EventKind.fault.rawValue ~= code }

    /// The kind of the event. Traps if there is no such kind, so check foreign records first.
    package var kind: EventKind {
      guard let kind = EventKind(rawValue: code) else {
        preconditionFailure("an unchecked record has the kind \(code)")
      }
      return kind
    }

    /// Whether the event is of this kind. It is faster than comparing `kind`.
    package func isOf(_ kind: EventKind) -> Bool { code == kind.rawValue }

    /// Sets the fields that the session knows and the plugin doesn't.
    ///
    /// - Parameter step: the step, or nil to keep the event's own.
    mutating func complete(port: Int32, time: Nanoseconds, step: Int32?) {
      self.port = port
      if let step { self.step = step }
      self.time = time
      id = 0
    }

    package var name: Range<Int> { nameStart..<nameStart &+ Int(nameCount) }
    package var value: Range<Int> {
      let start = nameStart &+ Int(nameCount)
      return start..<start &+ Int(valueCount)
    }
  }

  package internal(set) var records: [Record] = []
  package internal(set) var bytes: [UInt8] = []
  /// Whether the batch has a request or a cancel.
  package private(set) var hasRequests = false
  /// Whether the batch has a fault, from the plugin's own code or a flow.
  package private(set) var hasFaults = false
  /// Whether the batch has something that the plugin logged or printed.
  package private(set) var hasLogs = false

  package init() {}

  package var count: Int { records.count }
  package var isEmpty: Bool { records.isEmpty }
  /// Whether it holds so much that it should be passed on before more is added.
  package var isLarge: Bool { bytes.count >= 1 << 22 || records.count >= 1 << 16 }

  /// Adds an event. It copies the name and the value.
  package mutating func append(_ record: Record, name: Span<UInt8>, value: Span<UInt8>) {
    appendInlined(record, name: name, value: value)
  }

  /// The same for a record that the caller has just made. If it were passed in memory, the
  /// processor would wait until its fields are written before it reads several of them at once.
  @inline(__always)
  mutating func appendInlined(_ record: Record, name: Span<UInt8>, value: Span<UInt8>) {
    var record = record
    record.nameStart = bytes.count
    record.nameCount = UInt32(name.count)
    record.valueCount = UInt32(value.count)
    bytes.append(name, value)
    note(record.code)
    records.append(record)
  }

  /// Adds an event like an earlier one, but with a value and id of its own.
  mutating func append(like index: Int, value: Span<UInt8>, id: UInt64) {
    var record = records[index]
    let name = record.name
    record.id = id
    record.nameStart = bytes.count
    record.valueCount = UInt32(value.count)
    // Names are short, and copying one within the array byte by byte needs no copy in between.
    for byte in name { bytes.append(bytes[byte]) }
    bytes.append(value)
    note(record.code)
    records.append(record)
  }

  /// Adds an event. `write` appends its value to the bytes that it gets.
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
    note(record.code)
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

  /// A copy of some of the events.
  func copy(of range: Range<Int>) -> EventBatch {
    var copy = EventBatch()
    guard let first = records[range].first, let last = records[range].last else { return copy }
    let start = first.nameStart
    copy.bytes = Array(bytes[start..<last.value.upperBound])
    copy.records = Array(records[range])
    copy.update { $0.nameStart -= start }
    if hasRequests || hasFaults || hasLogs { for record in copy.records { copy.note(record.code) } }
    return copy
  }

  /// Changes records where they are. To change each as an element of the array would check each
  /// time whether the array is shared.
  ///
  /// - Parameter first: the index of the first record that is changed.
  @inline(__always) mutating func update(from first: Int = 0, _ body: (inout Record) -> Void) {
    var records = records.mutableSpan
    for index in first..<records.count { body(&records[index]) }
  }

  /// Changes the number of the step of all events.
  mutating func shiftSteps(by offset: Int) {
    guard offset != 0 else { return }
    update { $0.step += Int32(offset) }
  }

  mutating func setID(_ id: UInt64, of index: Int) { records[index].id = id }

  /// Makes all events those of one step.
  mutating func setStep(_ step: Int32) {
    update { $0.step = step }
  }

  /// Gives all events the same time.
  mutating func stamp(_ time: Nanoseconds) {
    update { $0.time = time }
  }

  /// - Parameter code: the raw value of an event's kind. Passing a whole record on would keep it
  ///   from registers.
  @inline(__always)
  mutating func note(_ code: UInt32) {
    switch code {
    case EventKind.request.rawValue, EventKind.cancel.rawValue: hasRequests = true
    case EventKind.fault.rawValue: hasFaults = true
    case EventKind.log.rawValue, EventKind.print.rawValue: hasLogs = true
    default: break
    }
  }

  /// Removes what was appended after the first `count` records and `size` bytes.
  mutating func truncate(toRecords count: Int, bytes size: Int) {
    records.removeSubrange(count...)
    bytes.removeSubrange(size...)
    hasRequests = false
    hasFaults = false
    hasLogs = false
    for record in records { note(record.code) }
  }

  mutating func removeLast() {
    guard let last = records.last else { return }
    truncate(toRecords: records.count - 1, bytes: last.nameStart)
  }

  /// The end of the events from `first` on whose names and values are few enough bytes to be copied
  /// at once: at least one event.
  package func endOfPart(from first: Int, in range: Range<Int>) -> Int {
    let start = records[first].nameStart
    if records[range.upperBound - 1].value.upperBound - start <= Self.partSize {
      return range.upperBound
    }
    let end = range.dropFirst(first - range.lowerBound + 1).first {
      records[$0].value.upperBound - start > Self.partSize
    }
    return end ?? range.upperBound
  }

  private static let partSize = 1 << 20

  /// Makes room for the events of another batch at once. Growing by doubling would take more.
  mutating func reserve(for other: borrowing EventBatch) {
    guard other.isLarge else { return }
    records.reserveCapacity(records.count + other.count)
    bytes.reserveCapacity(bytes.count + other.bytes.count)
  }

  /// Empties the batch. It keeps the capacity for an ordinary batch, and frees that of a huge one.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: records.capacity <= 1 << 16)
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
    hasRequests = false
    hasFaults = false
    hasLogs = false
  }

  package func name(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.name))
  }

  package func value(of record: Record) -> String {
    String(repairing: bytes.span.extracting(record.value))
  }
}

extension EventBatch {
  /// Adds an event that says how a plugin broke its contract.
  package mutating func appendViolation(_ text: String, instance: Int32, step: Int32) {
    var record = Record(kind: .violation, instance: instance)
    record.step = step
    append(record, name: [UInt8]().span, value: Array(text.utf8).span)
  }

  /// Adds a line that the plugin printed.
  mutating func append(
    printed line: String, by plugin: String = "", step: Int32, time: Nanoseconds = 0
  ) {
    var record = Record(kind: .print, instance: -1, time: time)
    record.step = step
    append(record, name: Array(plugin.utf8).span, value: Array(line.utf8).span)
  }

  /// Adds an event that says how a plugin's process ended, or that it hangs.
  mutating func appendDeath(_ text: String, instance: Int32, step: Int32) {
    var record = Record(kind: .death, instance: instance)
    record.step = step
    append(record, name: [UInt8]().span, value: Array(text.utf8).span)
  }
}
