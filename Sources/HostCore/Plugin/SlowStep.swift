import Basics

/// A step in which a plugin kept the session waiting.
package struct SlowStep: Equatable, Sendable {
  /// A step that takes less real time isn't noticed by a person.
  package static let limit: Nanoseconds = 100_000_000

  package let viewModel: String
  /// What the plugin handled: `"didSearch"`, or `the reply to "http"`.
  package let event: String
  package var time: Nanoseconds

  package var message: String {
    "\(viewModel): \(event) took \(time / 1_000_000) ms."
  }

  init(_ record: EventBatch.Record, name: String, of viewModel: String, took time: Nanoseconds) {
    self.viewModel = viewModel
    event = record.isOf(.input) ? "\"\(name)\"" : "the reply to \"\(name)\""
    self.time = time
  }
}

/// The slow steps of a session, each event of a view model once.
package final class SlowSteps {
  package private(set) var all: [SlowStep] = []
  /// Is told about each of them when it is found.
  package var didFind: ((SlowStep) -> Void)?

  package init() {}

  func add(_ step: SlowStep) {
    if let index = all.firstIndex(where: {
      $0.viewModel == step.viewModel && $0.event == step.event
    }) {
      all[index].time = max(all[index].time, step.time)
    } else {
      all.append(step)
      didFind?(step)
    }
  }

  /// Forgets those of another session.
  func removeAll() { all = [] }
}
