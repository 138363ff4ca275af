import Basics

/// A living instance as the session knows it.
package final class SessionInstance {
  /// What a request waits for.
  struct OpenRequest {
    let effect: String
    /// Tells it from an earlier request of the same id.
    let order: UInt64
    /// The id that users see; 0 for what the engine simulates.
    let shownID: UInt64
  }

  package let number: Int32
  package let handle: String
  let inputNames: [[UInt8]]
  package let viewModel: ViewModelManifest
  /// The position of its plugin in the session.
  package let plugin: Int
  /// What it was opened with, secrets included; kept for a flow, which may hand it on. Canonical
  /// JSON, or empty.
  var config: [UInt8] = []
  /// The latest value of each state, as canonical JSON.
  package internal(set) var frame: [[UInt8]]
  var openRequests: [UInt64: OpenRequest] = [:]
  /// From the ids that users see to the plugin's own.
  var shownRequests: [UInt64: UInt64] = [:]
  private(set) var lastShownID: UInt64 = 0
  /// The ids that users see of the requests that the plugin cancelled.
  var cancelledRequests = NumberSet()

  init(number: Int32, handle: String, viewModel: ViewModelManifest, plugin: Int) {
    self.number = number
    self.handle = handle
    inputNames = viewModel.inputs.map(\.nameBytes)
    self.viewModel = viewModel
    self.plugin = plugin
    frame = Array(repeating: [], count: viewModel.stateCount)
  }

  /// Numbers the requests that users see from 1, whatever the plugin's ids are, so that a
  /// transcript doesn't depend on what else the plugin asks for.
  func nextShownID(for id: UInt64) -> UInt64 {
    lastShownID += 1
    shownRequests[lastShownID] = id
    return lastShownID
  }

  func closeRequest(_ id: UInt64) -> OpenRequest? {
    guard let request = openRequests.removeValue(forKey: id) else { return nil }
    if request.shownID != 0 { shownRequests[request.shownID] = nil }
    return request
  }

  /// What an open request asks for, by the id that users see.
  func effect(of shownID: UInt64) -> String? {
    shownRequests[shownID].flatMap { openRequests[$0]?.effect }
  }

  /// Whether an output carries a value.
  func hasValue(_ output: Int) -> Bool { viewModel.outputs[output].hasValue }

  /// The number of the output named by `name`, or nil.
  func output(named name: Span<UInt8>) -> Int? {
    viewModel.outputs.firstIndex { $0.nameBytes.span.equals(name) }
  }
}
