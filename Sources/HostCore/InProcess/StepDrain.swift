import Basics
import PluginABI

/// Collects the events of a step from a plugin, within the limits of a step.
struct StepDrain {
  private let limits: StepLimits
  /// What the session's step has used up before.
  private let before: StepUse
  private(set) var step: Int32 = 0
  /// What the session's step has used up, the events so far included.
  private var use: StepUse
  private(set) var events = 0
  private var start: Nanoseconds = 0
  /// Whether the plugin emitted a request, a cancel or a fault, which the session must see before
  /// the next event.
  private(set) var hasNews = false
  private(set) var isBroken = false

  /// No name or value can be larger: its size would be a mistake, and not a matter of limits.
  private static let maxSize = Int(UInt32.max)

  /// The events between two readings of the clock. One costs as much as a step of a fast plugin.
  private static let eventsPerClockReading = 1024

  init(limits: StepLimits, after use: StepUse) {
    self.limits = limits
    before = use
    self.use = use
  }

  /// Begins the next step of a batch, in which each step has what the session's step has left.
  mutating func begin(_ step: Int32) {
    self.step = step
    use = before
    events = 0
    start = 0
    hasNews = false
    isBroken = false
  }

  /// Polls one instance until it is idle. Returns whether it says that it may have woken others.
  mutating func poll(
    _ table: PluginTable, _ instance: OpaquePointer, _ number: Int32,
    into emissions: inout EventBatch
  ) -> Bool {
    let nothing = unsafe vm_bytes(data: nil, size: 0)
    var event = unsafe vm_event(
      size: UInt32(MemoryLayout<vm_event>.size), kind: 0, id: 0, time_ns: 0, name: nothing,
      json: nothing)
    while true {
      let status = unsafe table.poll(instance, &event)
      if status == VM_IDLE { return false }
      if status == VM_IDLE_OTHERS { return true }
      guard status == VM_OK else {
        breakOff("poll returned the status \(status)", number, &emissions)
        return false
      }
      // The fields are read one by one. A copy of the whole struct would use wider reads than the
      // plugin's writes, and the processor would stall.
      unsafe append(
        event.kind, event.id, span(event.name.data, event.name.size),
        span(event.json.data, event.json.size), number, to: &emissions)
      if isBroken { return false }
      // The plugin may have overwritten all fields, even `size`.
      unsafe event.size = UInt32(MemoryLayout<vm_event>.size)
      unsafe event.name = unsafe nothing
      unsafe event.json = unsafe nothing
      unsafe event.id = 0
    }
  }

  private mutating func append(
    _ kind: vm_event_kind, _ id: UInt64, _ name: UnsafeBufferPointer<UInt8>?,
    _ value: UnsafeBufferPointer<UInt8>?, _ number: Int32, to emissions: inout EventBatch
  ) {
    events += 1
    var record = EventBatch.Record(code: kind, instance: number, id: id)
    guard record.isEmission else {
      return breakOff("it emitted an event of kind \(kind)", number, &emissions)
    }
    guard let name = unsafe name, let value = unsafe value else {
      return breakOff(
        "it emitted a NULL pointer with a size, or an impossible"
          + " size", number, &emissions)
    }
    use.events += 1
    use.bytes += name.count + value.count
    guard use.events <= limits.events else {
      return breakOff(limits.excess(.events), number, &emissions)
    }
    guard use.bytes <= limits.bytes else {
      return breakOff(limits.excess(.bytes), number, &emissions)
    }
    guard isInTime() else { return breakOff(limits.excessOfTime, number, &emissions) }
    record.step = step
    if !record.isOf(.output) && !record.isOf(.log) { hasNews = true }
    unsafe emissions.append(
      record, name: Span(_unsafeElements: name), value: Span(_unsafeElements: value))
  }

  private func span(_ data: UnsafePointer<UInt8>?, _ size: Int) -> UnsafeBufferPointer<UInt8>? {
    if size == 0 { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    // A size_t over half of the address space comes as a negative number.
    guard let data = unsafe data, size > 0, size <= Self.maxSize else { return nil }
    return unsafe UnsafeBufferPointer(start: data, count: size)
  }

  private mutating func isInTime() -> Bool {
    guard events % Self.eventsPerClockReading == 0 else { return true }
    let now = SystemClock.monotonic()
    if start == 0 { start = now }
    return now - start <= limits.time - use.time
  }

  private mutating func breakOff(
    _ violation: String, _ number: Int32, _ emissions: inout EventBatch
  ) {
    isBroken = true
    hasNews = true
    emissions.appendViolation(violation, instance: number, step: step)
  }
}
