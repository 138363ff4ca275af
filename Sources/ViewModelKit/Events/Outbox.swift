import PluginABI

/// Kinds of events for the host, with their values in the ABI.
enum OutgoingKind: UInt32 {
  case output = 16
  case request = 17
  case cancel = 18
  case log = 19
  case fault = 20
}

/// The events of one instance that wait for the host, in order.
///
/// What the host reads must stay in place until the instance's next poll, while more is written. So
/// there are two buffers: one to write, and one to read, which is refilled when it is used up.
@safe struct Outbox: ~Copyable {
  fileprivate struct Event {
    var kind: OutgoingKind
    var nameCount: UInt32
    var id: UInt64
    var jsonCount: Int
  }

  /// Events that were taken out of an outbox, to be put back after others.
  struct Batch {
    fileprivate var events: [Event]
    fileprivate var bytes: [UInt8]
  }

  private var events: [Event] = []
  private var bytes: [UInt8] = []
  private var reading: [Event] = []
  private var nextEvent = 0
  private var nextByte = 0
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init() {}

  deinit { unsafe memory.deallocate() }

  // MARK: Writing

  /// Appends an event. `write` appends its JSON, and may throw; then nothing is appended.
  mutating func append<Failure: Error>(
    _ kind: OutgoingKind, id: UInt64 = 0, name: [UInt8],
    json write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let start = bytes.count
    bytes.append(contentsOf: name)
    do {
      try write(&bytes)
    } catch {
      bytes.removeSubrange(start...)
      throw error
    }
    events.append(
      Event(
        kind: kind, nameCount: UInt32(name.count), id: id,
        jsonCount: bytes.count - start - name.count))
  }

  mutating func takeAll() -> Batch {
    let batch = Batch(events: events, bytes: bytes)
    events = []
    bytes = []
    return batch
  }

  mutating func append(_ batch: Batch) {
    events += batch.events
    bytes += batch.bytes
  }

  // MARK: Reading

  /// Fills in the next event except for its size. Returns false if there is none.
  mutating func next(_ out: UnsafeMutablePointer<vm_event>) -> Bool {
    guard nextEvent < reading.count || turn() else { return false }
    let event = reading[nextEvent]
    let name = unsafe bytes(Int(event.nameCount))
    let json = unsafe bytes(event.jsonCount)
    nextEvent += 1
    unsafe out.pointee.kind = event.kind.rawValue
    unsafe out.pointee.id = event.id
    unsafe out.pointee.time_ns = 0
    unsafe out.pointee.name = name
    unsafe out.pointee.json = json
    return true
  }

  private mutating func bytes(_ count: Int) -> vm_bytes {
    guard count > 0 else { return unsafe vm_bytes(data: nil, size: 0) }
    let start = unsafe memory.baseAddress.map { unsafe UnsafeRawPointer($0) + nextByte }
    nextByte += count
    return unsafe vm_bytes(data: start?.assumingMemoryBound(to: UInt8.self), size: count)
  }

  /// Moves what was written to the buffer for reading. Returns false if there is nothing.
  private mutating func turn() -> Bool {
    nextEvent = 0
    nextByte = 0
    reading.removeAll(keepingCapacity: reading.capacity <= Outbox.keptEvents)
    guard !events.isEmpty else {
      if unsafe memory.count > Outbox.keptBytes { reserve(0) }
      return false
    }
    swap(&events, &reading)
    let room = unsafe memory.count
    if bytes.count > room || room > max(bytes.count * 4, Outbox.keptBytes) {
      reserve(bytes.count)
    }
    unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    bytes.removeAll(keepingCapacity: bytes.capacity <= Outbox.keptBytes)
    return true
  }

  private mutating func reserve(_ count: Int) {
    unsafe memory.deallocate()
    unsafe memory =
      count == 0
      ? UnsafeMutableRawBufferPointer(start: nil, count: 0)
      : .allocate(byteCount: count, alignment: 1)
  }

  // Larger buffers are released when they are used up, so that an idle instance stays small.
  private static let keptBytes = 1024
  private static let keptEvents = 32
}
