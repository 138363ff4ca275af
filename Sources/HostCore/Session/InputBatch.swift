/// Inputs for one plugin that are delivered together.
package struct InputBatch: Sendable {
  var events = EventBatch()
  /// The position of the plugin in the session.
  var plugin = 0

  package init() {}

  package var isEmpty: Bool { events.isEmpty }
  package var count: Int { events.count }
}
