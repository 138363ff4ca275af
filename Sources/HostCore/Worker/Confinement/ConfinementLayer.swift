import HostShims

/// One of the independent layers that shield the machine from a plugin's process.
///
/// They are applied in this order. The first four are applied between fork and exec, before any
/// code of the worker runs. The worker applies the others before it loads anything, except the last
/// one, which follows loading.
package enum ConfinementLayer: String, CaseIterable, Sendable {
  case descriptors
  case fixedAddresses = "fixed-addresses"
  case parentDeath = "parent-death"
  case namespaces
  case privileges
  case limits
  case landlock
  case seccompLoad = "seccomp-load"
  case seccompRun = "seccomp-run"

  /// What the layer does, as `vmhost doctor` shows it.
  package var purpose: String {
    switch self {
    case .descriptors: "no open file of the host reaches the plugin"
    case .fixedAddresses: "memory lies at the same addresses in every run"
    case .parentDeath: "no worker outlives the host"
    case .namespaces: "no network, users or shared memory of the machine"
    case .privileges: "no capabilities, and no way to gain privileges"
    case .limits: "bounded memory, CPU time and descriptors; no files, no core dumps"
    case .landlock: "no files, TCP, or signals to other processes"
    case .seccompLoad: "while loading: only the system calls that loading needs"
    case .seccompRun: "once loaded: only memory, clocks, and what is open already"
    }
  }

  /// The number of the layer in C.
  var index: Int {
    switch self {
    case .descriptors: HOST_LAYER_DESCRIPTORS
    case .fixedAddresses: HOST_LAYER_FIXED_ADDRESSES
    case .parentDeath: HOST_LAYER_PARENT_DEATH
    case .namespaces: HOST_LAYER_NAMESPACES
    case .privileges: HOST_LAYER_PRIVILEGES
    case .limits: HOST_LAYER_LIMITS
    case .landlock: HOST_LAYER_LANDLOCK
    case .seccompLoad: HOST_LAYER_SECCOMP_LOAD
    case .seccompRun: HOST_LAYER_SECCOMP_RUN
    }
  }

  /// Whether the worker applies the layer to itself.
  package var isAppliedByWorker: Bool { index > HOST_LAYER_NAMESPACES }
}

extension Set<ConfinementLayer> {
  package static var all: Self { Set(ConfinementLayer.allCases) }

  var mask: UInt32 { reduce(0) { $0 | 1 << UInt32($1.index) } }

  init(mask: UInt32) {
    self = Self.all.filter { mask >> UInt32($0.index) & 1 == 1 }
  }
}
