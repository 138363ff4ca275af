/// Validates events from a worker, whose bytes can't be trusted.
///
/// It depends only on the bytes that it gets, and touches no memory but its own copies. One
/// validator serves one exchange, whose events may come in several parts.
package struct EmissionValidator {
  private static let maxName = 1 << 16
  /// The longest message of a refusal or a violation, which the plugin's limits don't count.
  static let maxMessage = 1 << 16

  private let limits: StepLimits
  private let use: StepUse
  private let steps: Range<Int>
  /// The step of the latest event. It is less than any step before the first event.
  private var step = Int.min
  /// The events, and the bytes of them, that this step may still emit.
  private var events = 0
  private var bytes = 0
  /// Whether the step had a request, a cancel, a refusal or a fault. Then the worker must stop
  /// after it.
  private var hasNews = false
  /// Whether there was a refusal or a violation. Nothing may follow it, even in the same step.
  private var isOver = false

  /// - Parameters:
  ///   - steps: the steps that the worker was asked to make.
  ///   - use: what the session's step has used up before.
  package init(steps: Range<Int>, limits: StepLimits, after use: StepUse = StepUse()) {
    self.limits = limits
    self.use = use
    self.steps = steps
  }

  /// Adds events to a batch, if a plugin can have emitted them in these steps.
  ///
  /// - Parameters:
  ///   - records: whole records, as they were in memory.
  ///   - content: the names and values of just these records, one after the other.
  /// - Returns: false if they are invalid. Then nothing is added.
  package mutating func take(
    records: Span<UInt8>, content: Span<UInt8>, into batch: inout EventBatch
  ) -> Bool {
    guard records.count % EventBatch.Record.size == 0 else { return false }
    let (count, start) = (batch.count, batch.bytes.count)
    unsafe records.withUnsafeBytes { records in
      unsafe content.withUnsafeBytes { content in
        unsafe batch.append(uncheckedRecords: records, bytes: content)
      }
    }
    return check(&batch, from: count, start)
  }

  /// Validates what was added to a batch unchecked, from the given record and byte on. Removes it
  /// if it is invalid.
  mutating func check(
    _ batch: inout EventBatch, from first: Int, _ start: Int
  ) -> Bool {
    if start > 0 { batch.moveBytes(by: start, from: first) }
    let records = batch.records
    let limit = batch.bytes.count
    var end = start
    for index in first..<records.count {
      let record = records[index]
      // Ranges may only be made once they are known to be within the bytes.
      let size = Int(record.nameCount) + Int(record.valueCount)
      guard record.nameStart == end, size <= limit - end, accepts(record) else {
        batch.truncate(toRecords: first, bytes: start)
        return false
      }
      end += size
      batch.note(record.code)
    }
    guard end == limit else {
      batch.truncate(toRecords: first, bytes: start)
      return false
    }
    return true
  }

  /// Whether `next` can be the first step that the worker did not make.
  package func isDone(before next: Int) -> Bool {
    if steps.isEmpty { return next == steps.lowerBound }
    // A worker makes at least one step. Otherwise exchanges could go on forever without progress.
    guard next > steps.lowerBound, next <= steps.upperBound, next > step else { return false }
    return !hasNews || next == step + 1
  }

  private mutating func accepts(_ record: EventBatch.Record) -> Bool {
    let recordStep = Int(record.step)
    if recordStep != step {
      guard recordStep > step, steps.contains(recordStep), !hasNews else { return false }
      step = recordStep
      events = limits.events - use.events
      bytes = limits.bytes - use.bytes
    }
    guard record.instance >= 0, record.nameCount <= Self.maxName, !isOver else { return false }
    if !record.isOf(.output) {
      guard let kind = EventKind(rawValue: record.code) else { return false }
      switch kind {
      case .output, .log: break
      case .request, .cancel, .fault: hasNews = true
      case .refusal, .violation: return acceptsEnd(record)
      case .input, .reply, .error, .death, .opened, .closed, .print: return false
      }
    }
    events -= 1
    bytes -= Int(record.nameCount) + Int(record.valueCount)
    return events >= 0 && bytes >= 0
  }

  /// The worker's own message about the plugin doesn't count towards the plugin's limits.
  private mutating func acceptsEnd(_ record: EventBatch.Record) -> Bool {
    hasNews = true
    isOver = true
    // A refused event causes no emissions.
    guard !record.isOf(.refusal) || events == limits.events - use.events else { return false }
    return record.nameCount == 0 && record.valueCount <= Self.maxMessage
  }
}
