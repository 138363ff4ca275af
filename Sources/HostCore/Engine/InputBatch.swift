/// Inputs for one plugin that are delivered together.
package struct InputBatch: Sendable {
  var events = EventBatch()
  /// The position of the plugin in the session.
  var plugin = 0
  /// The name of the input that was added last, and the instance and port it belongs to. The next
  /// input is usually the same one, and looking at the instance costs more than the rest.
  private var name: [UInt8] = []
  private var named: (instance: Int32, port: Int32) = (-1, -1)

  package init() {}

  package var isEmpty: Bool { events.isEmpty }
  package var count: Int { events.count }
  /// The number of the instance that the input added last is for; nil if there is none.
  package var lastInstance: Int32? { events.records.last?.instance }

  mutating func append(
    _ record: EventBatch.Record, of instance: SessionInstance, value: Span<UInt8>
  ) {
    if named != (record.instance, record.port) {
      name = instance.inputNames[Int(record.port)]
      named = (record.instance, record.port)
    }
    Self.append(record, name, value, to: &events)
  }

  /// Borrows the name from the caller. A local copy of it would cost a reference count.
  private static func append(
    _ record: EventBatch.Record, _ name: [UInt8], _ value: Span<UInt8>,
    to events: inout EventBatch
  ) {
    events.append(record, name: name.span, value: value)
  }
}
