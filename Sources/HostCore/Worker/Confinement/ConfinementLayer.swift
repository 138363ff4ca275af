import HostShims

/// One of the independent means that keep a plugin's process from the rest of the machine.
///
/// They are applied in this order. The first four are put in place between fork and exec, before
/// any code of the worker runs; the others by the worker, before it loads anything.
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

  /// What the layer does, in the words of `vmhost doctor`.
  package var purpose: String {
    switch self {
    case .descriptors: "no open file of the host reaches the plugin"
    case .fixedAddresses: "memory lies at the same addresses in every run"
    case .parentDeath: "no worker outlives the host"
    case .namespaces: "no network, no users, no shared memory segments of the machine"
    case .privileges: "no capabilities, and no way to gain privileges"
    case .limits: "bounded memory, CPU time and descriptors; no files, no core dumps"
    case .landlock: "no files, TCP, or signals to other processes"
    case .seccompLoad: "while loading: only the system calls that loading takes"
    case .seccompRun: "once loaded: only memory, clocks, and what is open already"
    }
  }

  /// The number that the C side counts by.
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

  /// True for the layers that the worker applies to itself.
  package var isAppliedByWorker: Bool { index > HOST_LAYER_NAMESPACES }
}

extension Set<ConfinementLayer> {
  package static var all: Self { Set(ConfinementLayer.allCases) }

  var mask: UInt32 { reduce(0) { $0 | 1 << UInt32($1.index) } }

  init(mask: UInt32) {
    self = Self.all.filter { mask >> UInt32($0.index) & 1 == 1 }
  }
}

/// How much confinement a run asks for.
package enum SandboxMode: String, CaseIterable, Sendable {
  /// Every layer, or the plugin isn't loaded.
  case strict
  /// Every layer that this machine offers.
  case bestEffort = "best-effort"
  /// None that keeps a plugin from anything: for debugging one that is trusted.
  case off

  /// The layers to apply. Even without confinement a worker holds none of the host's files and
  /// ends with the host: that hinders nobody.
  package var layers: Set<ConfinementLayer> {
    self == .off ? [.descriptors, .parentDeath] : .all
  }
}
