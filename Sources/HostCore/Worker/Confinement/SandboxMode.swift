/// How strictly a run confines its plugins, from the least to the most.
package enum SandboxMode: String, CaseIterable, Comparable, Sendable {
  /// No layer that restricts the plugin, for debugging a trusted one.
  case off
  /// All layers that this machine offers. The run says which are missing.
  case bestEffort = "best-effort"
  /// All layers, but namespaces may be missing: containers and some distributions don't allow them.
  case standard
  /// All layers. If one isn't available, the plugin isn't loaded.
  case strict

  /// The layers to apply. Even without confinement, a worker has none of the host's open files and
  /// ends with the host, since this restricts no plugin.
  package var layers: Set<ConfinementLayer> {
    self == .off ? [.descriptors, .parentDeath] : .all
  }

  /// The layers without which no plugin is loaded. Fixed addresses serve repeatable runs and not
  /// protection, so no mode demands them.
  package var demanded: Set<ConfinementLayer> {
    switch self {
    case .off, .bestEffort: []
    case .standard: .all.subtracting([.fixedAddresses, .namespaces])
    case .strict: .all.subtracting([.fixedAddresses])
    }
  }

  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .off: 0
    case .bestEffort: 1
    case .standard: 2
    case .strict: 3
    }
  }
}
