/// Where plugins run.
public struct Isolation: Sendable {
  enum Place: Sendable {
    case process
    case worker(path: String?, mode: SandboxMode, memory: UInt64)
  }

  let place: Place

  /// In the app's own process. A plugin can read and write all of the app's memory; if it crashes,
  /// the app does, and if it hangs, its session does.
  public static let inProcess = Isolation(place: .process)

  /// Each plugin in a confined process of its own. That is the program `vmhost` which the variable
  /// `VMHOST` names, or the one beside the app's executable, or on `PATH`. Where there is none,
  /// sessions throw; plugins are never loaded into the app instead.
  public static let confined = Isolation.confined()

  /// Each plugin in a confined process of its own.
  ///
  /// - Parameters:
  ///   - worker: the path of the program `vmhost`; nil for the one that is found as for `confined`.
  ///   - isStrict: whether a plugin isn't loaded where this machine lacks a layer of confinement.
  ///   - memory: the bytes that a plugin may allocate, at least 16 MiB.
  public static func confined(
    worker: String? = nil, isStrict: Bool = false, memory: UInt64 = 1 << 30
  ) -> Isolation {
    let mode: SandboxMode = isStrict ? .strict : .bestEffort
    return Isolation(place: .worker(path: worker, mode: mode, memory: memory))
  }

  /// The same with the program of the workers found.
  func resolved() throws(HostError) -> PluginIsolation {
    guard case .worker(let path, let mode, let memory) = place else { return .inProcess }
    guard memory >= Confinement.minMemory else {
      throw HostError(
        .invalid, "memory: \(memory) is not a size such as 512M or 2G, of at least 16M.")
    }
    let worker = if let path { path } else { try WorkerLocator.path() }
    return .worker(Sandbox(mode, memory: memory, worker: worker))
  }
}
