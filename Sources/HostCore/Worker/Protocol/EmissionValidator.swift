/// Checks events that come from a worker, all of whose bytes may be lies, before they count.
///
/// It is a function of the bytes that it is given and of those before them, and touches no memory
/// but its own copies. One check is for one exchange, whose events may come in several parts.
package struct EmissionValidator {
  private static let maxName = 1 << 16
  /// The host's own words in a refusal or a violation are no event of the plugin's.
  static let maxWords = 1 << 16

  private let limits: StepLimits
  private let steps: Range<Int>
  /// The step of the latest event; before the first one, less than any.
  private var step = Int.min
  /// How many events, and bytes of them, that step may still emit.
  private var events = 0
  private var bytes = 0
  /// After a step that asks, cancels, refuses or fails, the worker must stop.
  private var hasNews = false
  /// After a refusal or a broken contract nothing comes, even of its step.
  private var isOver = false

  /// - Parameter steps: those that the worker was asked to make.
  package init(steps: Range<Int>, limits: StepLimits) {
    self.limits = limits
    self.steps = steps
  }

  /// Adds events to a batch, if they can be what a plugin emitted in these steps.
  ///
  /// - Parameters:
  ///   - records: whole records, as they lay in memory.
  ///   - content: the names and values, one after the other, of just these records.
  /// - Returns: false if it is nonsense; then nothing is added.
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

  /// Checks what was added to a batch as it came, from that record and that byte on.
  mutating func check(
    _ batch: inout EventBatch, from first: Int, _ start: Int
  ) -> Bool {
    if start > 0 { batch.moveBytes(by: start, from: first) }
    let records = batch.records
    let limit = batch.bytes.count
    var end = start
    for index in first..<records.count {
      let record = records[index]
      // A range is made of it only once it is known to lie within the bytes.
      let size = Int(record.nameCount) + Int(record.valueCount)
      guard record.nameStart == end, size <= limit - end, accepts(record) else {
        batch.truncate(toRecords: first, bytes: start)
        return false
      }
      end += size
      batch.note(record)
    }
    guard end == limit else {
      batch.truncate(toRecords: first, bytes: start)
      return false
    }
    return true
  }

  /// Whether a worker that says that `next` is the first step it did not make can be right.
  package func isDone(before next: Int) -> Bool {
    if steps.isEmpty { return next == steps.lowerBound }
    // It makes one step at least, or an exchange would change nothing, for ever.
    guard next > steps.lowerBound, next <= steps.upperBound, next > step else { return false }
    return !hasNews || next == step + 1
  }

  private mutating func accepts(_ record: EventBatch.Record) -> Bool {
    let place = Int(record.step)
    if place != step {
      guard place > step, steps.contains(place), !hasNews else { return false }
      step = place
      events = limits.events
      bytes = limits.bytes
    }
    guard record.instance >= 0, record.nameCount <= Self.maxName, !isOver else { return false }
    if !record.isOf(.output) {
      guard let kind = EventKind(rawValue: record.code) else { return false }
      switch kind {
      case .output, .log: break
      case .request, .cancel, .fault: hasNews = true
      case .refusal, .violation: return acceptsEnd(record)
      case .input, .reply, .error, .death, .opened, .closed: return false
      }
    }
    events -= 1
    bytes -= Int(record.nameCount) + Int(record.valueCount)
    return events >= 0 && bytes >= 0
  }

  /// The worker's own words about the plugin come on top of what that may emit.
  private mutating func acceptsEnd(_ record: EventBatch.Record) -> Bool {
    hasNews = true
    isOver = true
    // What is refused causes nothing.
    guard !record.isOf(.refusal) || events == limits.events else { return false }
    return record.nameCount == 0 && record.valueCount <= Self.maxWords
  }
}
