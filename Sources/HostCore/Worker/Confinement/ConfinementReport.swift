import HostShims

/// The state of each layer of a worker's confinement.
package struct ConfinementReport: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Not tried yet.
    case pending
    case on
    /// Not wanted.
    case off
    /// This machine lacks or forbids it. The value is the `errno`.
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

  /// The version of Landlock's ABI that is in force, or 0.
  package var landlockVersion: UInt32 { details[ConfinementLayer.landlock.index] }

  func detail(of layer: ConfinementLayer) -> UInt32 { details[layer.index] }

  /// The layers among `wanted` that aren't on, in order.
  package func missing(of wanted: Set<ConfinementLayer> = .all) -> [ConfinementLayer] {
    ConfinementLayer.allCases.filter { wanted.contains($0) && self[$0] != .on }
  }

  /// Adopts a worker's report on the layers that it applies. The host knows the others itself.
  package mutating func adopt(_ worker: ConfinementReport) {
    for layer in ConfinementLayer.allCases where layer.isAppliedByWorker {
      states[layer.index] = worker.states[layer.index]
      details[layer.index] = worker.details[layer.index]
    }
  }

  /// The state of a layer as text: "on", "off: not requested", "not available: …".
  package func text(for layer: ConfinementLayer) -> String {
    switch self[layer] {
    case .pending: "not tried"
    case .on: layer == .landlock ? "on (version \(landlockVersion))" : "on"
    case .off: "off: not requested"
    case .unavailable(let number): "not available: \(SystemError("", number: number).reason)"
    }
  }
}

// MARK: - Encoding

extension ConfinementReport {
  /// The size in bytes. Each layer has eight: the state, the `errno`, two zeros, and the detail in
  /// little-endian order.
  package static let encodedSize = 8 * ConfinementLayer.allCases.count

  package var encoded: [UInt8] {
    results.flatMap { result in
      [UInt8(result.state), UInt8(clamping: result.error), 0, 0]
        + (0..<4).map { UInt8(truncatingIfNeeded: result.detail >> (8 * UInt32($0))) }
    }
  }

  /// Decodes a worker's report. Returns nil if the bytes aren't one.
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
