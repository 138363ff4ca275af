import Glibc
import HostShims

/// Memory that the host and a worker share: the events that the host delivers, the plugin's
/// emissions, and its progress.
///
/// It outlives the worker, so the emissions before a crash aren't lost. The worker may change all
/// of it at any time. So the host never reads the delivered events there, and copies the emissions
/// before it validates them.
@safe package final class SharedBuffer {
  /// The room for events in each direction. A larger event goes through the socket.
  static let maxRecords = 1 << 13
  static let maxBytes = 1 << 24
  /// The bytes of several events that are delivered together. Those that the worker doesn't come to
  /// are copied again, so more would cost more. A larger event is delivered alone.
  static let maxBatchBytes = 1 << 20

  private static let headerSize = 64
  private static let areaSize = maxRecords * EventBatch.Record.size + maxBytes
  package static let size = headerSize + 2 * areaSize

  // The header, in words of 8 bytes: the size of the emissions (records in the upper half, bytes in
  // the lower), the finished steps of this exchange, the exchange that the host announced last, and
  // the one that the worker answered last. Then two areas, for delivered events and for emissions.
  // Each has room for records, then for bytes.
  private let memory: SharedMemory
  /// The bytes of the events that were delivered last.
  private var deliveredBytes = 0
  /// The most bytes in one direction since memory was released.
  private var mostBytes = 0

  init(_ memory: consuming SharedMemory) { self.memory = memory }

  private var header: UnsafeMutablePointer<UInt64> {
    unsafe memory.base.assumingMemoryBound(to: UInt64.self)
  }
  private var delivered: UnsafeMutableRawPointer { unsafe memory.base + Self.headerSize }
  private var emitted: UnsafeMutableRawPointer { unsafe delivered + Self.areaSize }

  /// The number of finished steps in the current exchange, according to the worker.
  var finishedSteps: Int { Int(clamping: unsafe host_load(header + 1)) }

  // MARK: The host's side

  /// Writes events from `first` on, as many as there is room for.
  ///
  /// - Returns: the index of the first event that didn't fit.
  func deliver(_ events: borrowing EventBatch, from first: Int) -> Int {
    var end = min(events.count, first + Self.maxRecords)
    guard end > first else { return first }
    let start = events.records[first].nameStart
    var size: Int { events.records[end - 1].value.upperBound - start }
    // The rest goes with the next exchange.
    while end > first + 1, size > Self.maxBatchBytes { end = first + (end - first) / 2 }
    guard size <= Self.maxBytes else { return first }
    deliveredBytes = size
    mostBytes = max(mostBytes, size)
    unsafe events.withMemory(of: first..<end) { records, bytes in
      unsafe Self.write(records, bytes, to: delivered, 0, 0)
    }
    return end
  }

  /// Writes transcripts instead of events, each behind its length.
  ///
  /// - Returns: the number of bytes.
  func deliver(_ transcripts: [[UInt8]]) -> Int {
    var bytes: [UInt8] = []
    for transcript in transcripts { ByteWriter.append(run: transcript.span, to: &bytes) }
    precondition(bytes.count <= Self.maxBytes, "the transcripts are too long")
    deliveredBytes = bytes.count
    mostBytes = max(mostBytes, bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe delivered.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    return bytes.count
  }

  /// The verdicts on the first of `count` transcripts, as far as they are valid.
  func verdicts(_ count: Int) -> [WorkerVerdict] {
    let size = WorkerVerdict.size
    let bytes = unsafe Array(
      UnsafeRawBufferPointer(start: emitted, count: min(finishedSteps, count) * size))
    var verdicts: [WorkerVerdict] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      guard let verdict = WorkerVerdict(bytes.span.extracting(start..<start + size)) else { break }
      verdicts.append(verdict)
    }
    return verdicts
  }

  /// Appends the emissions without validating them.
  ///
  /// - Returns: false if the worker states an impossible size. Then nothing is appended.
  func takeEmitted(into batch: inout EventBatch) -> Bool {
    let word = unsafe host_load(header)
    let (count, size) = (Int(word >> 32), Int(word & 0xffff_ffff))
    guard count <= Self.maxRecords, size <= Self.maxBytes else { return false }
    mostBytes = max(mostBytes, size)
    unsafe batch.append(
      uncheckedRecords: UnsafeRawBufferPointer(
        start: emitted, count: count * EventBatch.Record.size),
      bytes: UnsafeRawBufferPointer(
        start: emitted + Self.maxRecords * EventBatch.Record.size, count: size))
    return true
  }

  /// Discards the emissions, before the next exchange.
  func begin() {
    unsafe host_store(header, 0)
    unsafe host_store(header + 1, 0)
    // The memory of large events is kept as long as more of them follow.
    if mostBytes > Self.maxBatchBytes, deliveredBytes <= Self.maxBatchBytes { releaseLarge() }
    deliveredBytes = 0
  }

  /// Gives memory that only large events need back to the system.
  private func releaseLarge() {
    mostBytes = 0
    let page = sysconf(Int32(_SC_PAGESIZE))
    for area in [Self.headerSize, Self.headerSize + Self.areaSize] {
      // The last bytes of an area, in whole pages.
      let end = area + Self.areaSize
      let start = (end - Self.maxBytes + Self.maxBatchBytes + page - 1) / page * page
      // Where that fails, the memory stays in use.
      _ = unsafe madvise(memory.base + start, end / page * page - start, MADV_REMOVE)
    }
  }

  /// Tells a worker that waits awake that an exchange has begun. Its message must be on the socket.
  func announce(_ exchange: UInt32) { unsafe host_store(header + 2, UInt64(exchange)) }

  /// Whether the worker says that it has answered an exchange. The answer itself is on the socket.
  func isAnswered(_ exchange: UInt32) -> Bool {
    unsafe host_load(header + 3) == UInt64(exchange)
  }

  // MARK: The worker's side

  /// The exchange that the host announced last; 0 if the worker is to sleep while it waits.
  var announced: UInt32 { UInt32(truncatingIfNeeded: unsafe host_load(header + 2)) }

  /// Tells a host that waits awake that an exchange is over. Its answer must be on the socket.
  func answer(_ exchange: UInt32) { unsafe host_store(header + 3, UInt64(exchange)) }

  /// Passes the delivered events to `body` without copying them.
  ///
  /// - Parameter body: gets the records, and the address that their offsets are relative to.
  func withDelivered<Result, Failure: Error>(
    _ count: Int,
    _ body: (UnsafeBufferPointer<EventBatch.Record>, UnsafeRawPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let records = unsafe UnsafeBufferPointer(
      start: delivered.assumingMemoryBound(to: EventBatch.Record.self),
      count: min(count, Self.maxRecords))
    // Offsets are relative to the host's whole batch, of which this may be a later part.
    let start = unsafe records.first?.nameStart ?? 0
    return try unsafe body(
      records,
      UnsafeRawPointer(delivered + Self.maxRecords * EventBatch.Record.size - start))
  }

  /// Copies the transcripts, of which each is behind its length.
  func deliveredTranscripts(_ count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: delivered, count: min(count, Self.maxBytes)))
  }

  /// Publishes the verdict on a transcript, so that the host has it even if the next one ends the
  /// process.
  func report(_ verdict: WorkerVerdict, at index: Int) {
    unsafe verdict.encoded.withUnsafeBytes { bytes in
      unsafe (emitted + index * WorkerVerdict.size)
        .copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    unsafe host_store(header + 1, UInt64(index + 1))
  }

  /// Publishes the emissions of a step, so that the host has them even if the next step ends the
  /// process.
  ///
  /// - Parameters:
  ///   - emissions: all emissions of this exchange. Those before `records` and `bytes` are already
  ///     there.
  ///   - steps: the number of steps that are finished now.
  /// - Returns: false if there is no room. Then nothing has changed.
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
