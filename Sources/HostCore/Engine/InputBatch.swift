/// Inputs for one plugin that are delivered together.
package struct InputBatch: Sendable {
  var events = EventBatch()
  /// The position of the plugin in the session.
  var plugin = 0
  /// The index of the first input that hasn't been delivered.
  var next = 0
  /// The inputs whose senders want an answer, by their indices, which ascend.
  private var seqs: [(index: Int, seq: UInt64)] = []
  /// The error of the input that would come behind the others, whose value doesn't fit.
  var misfit: SessionError?
  /// The inputs behind that one, in one batch.
  private var rest: [InputBatch] = []
  /// The name of the input that was added last, and the instance and port it belongs to. The next
  /// input is usually the same one, and looking at the instance costs more than the rest.
  private var name: [UInt8] = []
  private var named: (instance: Int32, port: Int32) = (-1, -1)

  package init() {}

  package var isEmpty: Bool { !hasNext && misfit == nil }
  /// Whether it holds so much that it should be delivered before more is added.
  var isLarge: Bool { events.isLarge }
  /// Whether there is an input to deliver.
  var hasNext: Bool { next < events.count }
  package var count: Int { events.count - next }
  /// The tag of the first input that hasn't been delivered; nil if there is none.
  var nextTag: UInt64? { hasNext ? events.records[next].id : nil }
  /// The number of the instance that the input added last is for; nil if there is none.
  package var lastInstance: Int32? { events.records.last?.instance }

  /// Has the session say when the input that was added last is done.
  package mutating func wantAnswer(_ seq: UInt64) { seqs.append((events.count - 1, seq)) }

  /// The number by which the sender of an input knows it, if an answer is wanted.
  func seq(of index: Int) -> UInt64? { answers(in: index..<index + 1).first?.seq }

  /// The inputs among a range whose senders want an answer.
  func answers(in range: Range<Int>) -> ArraySlice<(index: Int, seq: UInt64)> {
    guard !seqs.isEmpty else { return [] }
    let end = seqs.partitionIndex { $0.index >= range.upperBound }
    return seqs[seqs.partitionIndex { $0.index >= range.lowerBound }..<end]
  }

  /// Ends the batch before an input whose value doesn't fit. Those behind it are kept for
  /// `afterMisfit`.
  mutating func cut(at index: Int, _ error: SessionError) {
    misfit = error
    var others = InputBatch()
    others.plugin = plugin
    for other in index + 1..<events.count {
      others.events.append(events, at: other)
      if let seq = seq(of: other) { others.wantAnswer(seq) }
    }
    rest = [others]
    events.truncate(toRecords: index, bytes: events.records[index].name.lowerBound)
    seqs.removeLast(seqs.count - seqs.partitionIndex { $0.index >= index })
  }

  /// The inputs behind the one whose value doesn't fit.
  func afterMisfit() -> InputBatch { rest.first ?? InputBatch() }

  /// Removes the first input, as a batch of its own.
  mutating func takeFirst() -> InputBatch {
    var one = InputBatch()
    one.plugin = plugin
    one.events.append(events, at: next)
    if let seq = seq(of: next) { one.wantAnswer(seq) }
    next += 1
    return one
  }

  @inline(__always) mutating func append(
    _ record: EventBatch.Record, of instance: SessionInstance, value: Span<UInt8>
  ) {
    if named != (record.instance, record.port) {
      name = instance.inputNames[Int(record.port)]
      named = (record.instance, record.port)
    }
    Self.append(record, name, value, to: &events)
  }

  /// Adds an input like an earlier one, but with a value and tag of its own.
  mutating func append(like index: Int, value: Span<UInt8>, tag: UInt64) {
    var record = events.records[index]
    guard named == (record.instance, record.port) else {
      return events.append(like: index, value: value, id: tag)
    }
    record.id = tag
    Self.append(record, name, value, to: &events)
  }

  mutating func removeAll() {
    events.removeAll()
    next = 0
    misfit = nil
    rest = []
    if !seqs.isEmpty { seqs.removeAll(keepingCapacity: true) }
  }

  /// Borrows the name from the caller. A local copy of it would cost a reference count.
  private static func append(
    _ record: EventBatch.Record, _ name: [UInt8], _ value: Span<UInt8>,
    to events: inout EventBatch
  ) {
    events.appendInlined(record, name: name.span, value: value)
  }
}
