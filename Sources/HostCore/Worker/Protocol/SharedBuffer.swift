import Glibc
import HostShims

/// Memory that host and worker both see: the events that the host delivers, and what the plugin
/// emits, with how far it is.
///
/// It outlives the worker, so what a plugin emitted before it crashed is not lost. The host never
/// reads what it delivers there, and copies what is emitted before it looks at it, since the
/// worker may change any of it at any time.
@safe package final class SharedBuffer {
  /// Room for events, each way; a larger one goes by the socket.
  static let maxRecords = 1 << 13
  static let maxBytes = 1 << 20

  private static let headerSize = 64
  private static let areaSize = maxRecords * EventBatch.Record.size + maxBytes
  package static let size = headerSize + 2 * areaSize

  // The header: how much is emitted (8): records in the upper half, bytes in the lower; finished
  // steps of this exchange (8). Then what is delivered, and what is emitted: room for records,
  // room for bytes.
  private let memory: SharedMemory

  init(_ memory: consuming SharedMemory) { self.memory = memory }

  private var header: UnsafeMutablePointer<UInt64> {
    unsafe memory.base.assumingMemoryBound(to: UInt64.self)
  }
  private var delivered: UnsafeMutableRawPointer { unsafe memory.base + Self.headerSize }
  private var emitted: UnsafeMutableRawPointer { unsafe delivered + Self.areaSize }

  /// How many steps of the present exchange are finished, as the worker says.
  var finishedSteps: Int { Int(clamping: unsafe host_load(header + 1)) }

  // MARK: The host's side

  /// Writes events from `first` on, as many as there is room for.
  ///
  /// - Returns: the index of the first event that has no room.
  func deliver(_ events: borrowing EventBatch, from first: Int) -> Int {
    var end = min(events.count, first + Self.maxRecords)
    guard end > first else { return first }
    let start = events.records[first].nameStart
    while end > first, events.records[end - 1].value.upperBound - start > Self.maxBytes {
      // What doesn't go now goes with the next exchange.
      end = first + (end - first) / 2
    }
    unsafe events.withMemory(of: first..<end) { records, bytes in
      unsafe Self.write(records, bytes, to: delivered, 0, 0)
    }
    return end
  }

  /// Appends what is emitted, unchecked.
  ///
  /// - Returns: false, and nothing is appended, if the worker says that it is more than there can
  ///   be.
  func takeEmitted(into batch: inout EventBatch) -> Bool {
    let word = unsafe host_load(header)
    let (count, size) = (Int(word >> 32), Int(word & 0xffff_ffff))
    guard count <= Self.maxRecords, size <= Self.maxBytes else { return false }
    unsafe batch.append(
      uncheckedRecords: UnsafeRawBufferPointer(
        start: emitted, count: count * EventBatch.Record.size),
      bytes: UnsafeRawBufferPointer(
        start: emitted + Self.maxRecords * EventBatch.Record.size, count: size))
    return true
  }

  /// Forgets what was emitted, before the next exchange.
  func begin() {
    unsafe host_store(header, 0)
    unsafe host_store(header + 1, 0)
  }

  // MARK: The worker's side

  /// The events that the host has delivered, where they lie.
  ///
  /// - Parameter body: gets the records, and from where their bytes count.
  func withDelivered<Result, Failure: Error>(
    _ count: Int,
    _ body: (UnsafeBufferPointer<EventBatch.Record>, UnsafeRawPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let records = unsafe UnsafeBufferPointer(
      start: delivered.assumingMemoryBound(to: EventBatch.Record.self),
      count: min(count, Self.maxRecords))
    // Places count from the start of the host's batch, of which this may be a later part.
    let start = unsafe records.first?.nameStart ?? 0
    return try unsafe body(
      records,
      UnsafeRawPointer(delivered + Self.maxRecords * EventBatch.Record.size - start))
  }

  /// Puts what a step emitted where the host finds it even if the next step ends the process.
  ///
  /// - Parameters:
  ///   - emissions: all of this exchange; what lies before `records` and `bytes` is there already.
  ///   - steps: how many steps are finished now.
  /// - Returns: false if there is no room for it; then nothing has changed.
  func commit(
    _ emissions: borrowing EventBatch, from records: Int, _ bytes: Int, steps: Int
  ) -> Bool {
    let (count, size) = (emissions.count, emissions.bytes.count)
    guard count <= Self.maxRecords, size <= Self.maxBytes else { return false }
    if count > records {
      unsafe emissions.withMemory(of: records..<count) {
        unsafe Self.write($0, $1, to: emitted, records, bytes)
      }
      unsafe host_store(header, UInt64(count) << 32 | UInt64(size))
    }
    unsafe host_store(header + 1, UInt64(steps))
    return true
  }

  private static func write(
    _ records: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
    to area: UnsafeMutableRawPointer, _ record: Int, _ byte: Int
  ) {
    if let start = records.baseAddress {
      unsafe memcpy(area + record * EventBatch.Record.size, start, records.count)
    }
    if let start = bytes.baseAddress {
      unsafe memcpy(
        area + maxRecords * EventBatch.Record.size + byte, start, bytes.count)
    }
  }
}
