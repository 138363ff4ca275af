import Basics
import CanonicalJSON

/// A living instance of a view model, as the session knows it.
package final class SessionInstance {
  /// A request that waits for its answer.
  struct OpenRequest {
    let effect: String
    /// Distinguishes it from an earlier request with the same id.
    let order: UInt64
    /// The id that users see; 0 for an effect that the engine simulates.
    var shownID: UInt64
    var isTimer: Bool { effect == SimulatedEffect.timer.rawValue }
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
  package private(set) var frame: [[UInt8]]
  private(set) var openRequests: [UInt64: OpenRequest] = [:]
  /// Maps the ids that users see to the plugin's own.
  private(set) var shownRequests: [UInt64: UInt64] = [:]
  /// The id of its first request, as users see it. The ids go on where those of an earlier instance
  /// with the same handle ended, so that a late answer can't reach another request.
  private(set) var firstShownID: UInt64
  private(set) var lastShownID: UInt64
  /// Whether its requests got new numbers, since its session is a replay of an earlier one.
  private(set) var isReplayed = false
  /// The requests that the plugin cancelled, by how many were made before each.
  private var cancelledRequests = NumberSet()

  /// What all instances of the plugin hold.
  private let usage: PluginUsage

  /// - Parameters:
  ///   - usage: shared by all instances of the plugin.
  ///   - earlierRequests: how many requests earlier instances with this handle have made.
  init(
    number: Int32, handle: String, viewModel: ViewModelManifest, plugin: Int,
    usage: PluginUsage = PluginUsage(), earlierRequests: UInt64
  ) {
    self.number = number
    firstShownID = earlierRequests + 1
    lastShownID = earlierRequests
    self.handle = handle
    inputNames = viewModel.inputs.map(\.nameBytes)
    self.viewModel = viewModel
    self.plugin = plugin
    self.usage = usage
    frame = Array(repeating: [], count: viewModel.stateCount)
  }

  /// Assigns the next id that users see. They count up, whatever the plugin's ids are, so that a
  /// transcript doesn't depend on what else the plugin asks for.
  func nextShownID() -> UInt64 {
    lastShownID += 1
    return lastShownID
  }

  /// Notes a request that waits from now on.
  ///
  /// - Parameter limits: nil if the request was open before.
  /// - Returns: the limit that is exceeded.
  func openRequest(_ id: UInt64, _ request: OpenRequest, _ limits: StepLimits?) -> StepLimit? {
    openRequests[id] = request
    if request.shownID != 0 { shownRequests[request.shownID] = id }
    count(request, 1)
    guard let limits else { return nil }
    if usage.openRequests > limits.openRequests { return .openRequests }
    return usage.timers > limits.timers ? .timers : nil
  }

  func closeRequest(_ id: UInt64) -> OpenRequest? {
    guard let request = openRequests.removeValue(forKey: id) else { return nil }
    if request.shownID != 0 { shownRequests[request.shownID] = nil }
    count(request, -1)
    return request
  }

  private func count(_ request: OpenRequest, _ change: Int) {
    if request.shownID != 0 {
      usage.openRequests += change
    } else if request.isTimer {
      usage.timers += change
    }
  }

  func closeAllRequests() {
    for request in openRequests.values { count(request, -1) }
    openRequests = [:]
  }

  /// Gives back what it holds, when it has ended. What it last emitted is still asked for by
  /// whoever shows that.
  func release() {
    closeAllRequests()
    usage.stateBytes -= frame.reduce(0) { $0 + $1.count }
  }

  /// Keeps the latest value of a state.
  ///
  /// - Returns: whether the states of the plugin have at most so many bytes.
  func keep(_ value: Span<UInt8>, of state: Int, limit: Int) -> Bool {
    let bytes = usage.stateBytes + value.count - frame[state].count
    guard bytes <= limit else { return false }
    usage.stateBytes = bytes
    frame[state].removeAll(keepingCapacity: true)
    frame[state].append(value)
    return true
  }

  /// Removes a request that the plugin cancels, or returns nil if it isn't open.
  func cancelRequest(_ id: UInt64) -> OpenRequest? {
    guard let request = closeRequest(id) else { return nil }
    if request.shownID >= firstShownID {
      cancelledRequests.insert(request.shownID - firstShownID)
    }
    return request
  }

  /// Whether the plugin cancelled a request, by the id that users see.
  func hasCancelled(_ shownID: UInt64) -> Bool {
    shownID >= firstShownID && cancelledRequests.contains(shownID - firstShownID)
  }

  /// Gives open requests other numbers. Answers to any other number up to the highest one come too
  /// late.
  func renumber(above highest: UInt64, _ number: (UInt64) -> UInt64?) {
    shownRequests = [:]
    for (id, request) in openRequests where request.shownID != 0 {
      let new = number(request.shownID) ?? request.shownID
      openRequests[id]?.shownID = new
      shownRequests[new] = id
    }
    isReplayed = true
    firstShownID = highest + 1
    lastShownID = max(highest, shownRequests.keys.max() ?? 0)
    cancelledRequests = NumberSet()
  }

  /// The effect that an open request asks for, by the id that users see.
  func effect(of shownID: UInt64) -> String? {
    shownRequests[shownID].flatMap { openRequests[$0]?.effect }
  }

  /// The latest value of each state, as an object in canonical JSON.
  package var states: [UInt8] {
    var bytes: [UInt8] = [0x7b]
    let names = viewModel.states.map(\.nameBytes)
    // Names are ASCII, for which the order of bytes is the canonical one.
    for (index, name) in names.enumerated().sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
      if bytes.count > 1 { bytes.append(0x2c) }
      CanonicalJSON.appendString(utf8: name.span, to: &bytes)
      bytes.append(0x3a)
      bytes += frame[index]
    }
    bytes.append(0x7d)
    return bytes
  }

  /// Whether an output carries a value.
  func hasValue(_ output: Int) -> Bool { viewModel.outputs[output].hasValue }

  /// The number of the output named by `name`, or nil.
  func output(named name: Span<UInt8>) -> Int? { viewModel.outputNames.firstIndex(of: name) }
}
