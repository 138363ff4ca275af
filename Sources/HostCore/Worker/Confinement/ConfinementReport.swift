import HostShims

/// What became of each layer of a worker's confinement.
package struct ConfinementReport: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Not attempted yet.
    case pending
    case on
    /// The caller left it out.
    case off
    /// This machine has no such thing, or forbids it; the `errno` that said so.
    case unavailable(Int32)
  }

  private var states: [State]
  private var details: [UInt32]

  package init() {
    states = Array(repeating: .pending, count: Int(HOST_LAYER_COUNT))
    details = Array(repeating: 0, count: Int(HOST_LAYER_COUNT))
  }

  init(_ results: [host_layer_result]) {
    self.init()
    for (index, result) in results.enumerated() {
      switch Int(result.state) {
      case HOST_LAYER_ON: states[index] = .on
      case HOST_LAYER_OFF: states[index] = .off
      case HOST_LAYER_MISSING, HOST_LAYER_REFUSED: states[index] = .unavailable(result.error)
      default: states[index] = .pending
      }
      details[index] = result.detail
    }
  }

  package internal(set) subscript(layer: ConfinementLayer) -> State {
    get { states[layer.index] }
    set { states[layer.index] = newValue }
  }

  /// The version of Landlock's interface that is in force, 0 if none is.
  package var landlockVersion: UInt32 { details[ConfinementLayer.landlock.index] }

  func detail(of layer: ConfinementLayer) -> UInt32 { details[layer.index] }

  /// The layers that aren't on, in order.
  package var missing: [ConfinementLayer] { ConfinementLayer.allCases.filter { self[$0] != .on } }

  /// Takes over what a worker says of the layers that it applies; of the others the host knows.
  package mutating func adopt(_ worker: ConfinementReport) {
    for layer in ConfinementLayer.allCases where layer.isAppliedByWorker {
      states[layer.index] = worker.states[layer.index]
      details[layer.index] = worker.details[layer.index]
    }
  }

  /// The layer's state in words: "on", "off: not asked for", "not available: …".
  package func text(for layer: ConfinementLayer) -> String {
    switch self[layer] {
    case .pending: "not tried"
    case .on: layer == .landlock ? "on (version \(landlockVersion))" : "on"
    case .off: "off: not asked for"
    case .unavailable(let number): "not available: \(SystemError("", number: number).reason)"
    }
  }
}

// MARK: - The form in which it crosses from worker to host

extension ConfinementReport {
  /// Eight bytes a layer: the state, the `errno`, two zeros, the detail in little endian.
  package static let encodedSize = 8 * ConfinementLayer.allCases.count

  package var encoded: [UInt8] {
    results.flatMap { result in
      [UInt8(result.state), UInt8(clamping: result.error), 0, 0]
        + (0..<4).map { UInt8(truncatingIfNeeded: result.detail >> (8 * UInt32($0))) }
    }
  }

  /// Reads what a worker sent; nil if that isn't a report.
  package init?(encoded bytes: Span<UInt8>) {
    guard bytes.count == Self.encodedSize else { return nil }
    var results: [host_layer_result] = []
    for start in stride(from: 0, to: bytes.count, by: 8) {
      guard bytes[start] <= UInt8(HOST_LAYER_REFUSED), bytes[start + 2] == 0, bytes[start + 3] == 0
      else { return nil }
      let detail = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + 4 + $1]) << (8 * $1) }
      results.append(
        host_layer_result(
          state: UInt32(bytes[start]), error: Int32(bytes[start + 1]), detail: detail))
    }
    self.init(results)
  }
}
