import Basics

/// A living instance of a view model, as the session knows it.
package final class SessionInstance {
  /// A request that waits for its answer.
  struct OpenRequest {
    let effect: String
    /// Distinguishes it from an earlier request with the same id.
    let order: UInt64
    /// The id that users see; 0 for an effect that the engine simulates.
    let shownID: UInt64
  }

  package let number: Int32
  package let handle: String
  let inputNames: [[UInt8]]
  package let viewModel: ViewModelManifest
  /// The position of its plugin in the session.
  package let plugin: Int
  /// The config that it was opened with, secrets included, as canonical JSON; or empty. It is kept
  /// for a flow, which may pass it on.
  var config: [UInt8] = []
  /// The latest value of each state, as canonical JSON.
  package internal(set) var frame: [[UInt8]]
  var openRequests: [UInt64: OpenRequest] = [:]
  /// Maps the ids that users see to the plugin's own.
  var shownRequests: [UInt64: UInt64] = [:]
  private(set) var lastShownID: UInt64 = 0
  /// The requests that the plugin cancelled, by the ids that users see.
  var cancelledRequests = NumberSet()

  init(number: Int32, handle: String, viewModel: ViewModelManifest, plugin: Int) {
    self.number = number
    self.handle = handle
    inputNames = viewModel.inputs.map(\.nameBytes)
    self.viewModel = viewModel
    self.plugin = plugin
    frame = Array(repeating: [], count: viewModel.stateCount)
  }

  /// Assigns the next id that users see. They count from 1, whatever the plugin's ids are, so that
  /// a transcript doesn't depend on what else the plugin asks for.
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

  /// The effect that an open request asks for, by the id that users see.
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
