/// In which process plugins run.
public struct Isolation: Sendable {
  enum Location: Sendable {
    case process
    case worker(path: String?, mode: SandboxMode, memory: UInt64)
  }

  let location: Location

  /// Plugins run in the app's own process. A plugin can read and write all of the app's memory. If
  /// it crashes, the app crashes; if it hangs, its session hangs.
  public static let inProcess = Isolation(location: .process)

  /// Each plugin runs in a confined process of its own.
  ///
  /// The process runs the program `vmhost`: the one that the variable `VMHOST` names, else the one
  /// beside the app's executable, else the first on `PATH`. If there is none, starting a session
  /// throws `notLoaded`. Plugins are never loaded into the app instead.
  public static let confined = Isolation.confined()

  /// Each plugin runs in a confined process of its own.
  ///
  /// - Parameters:
  ///   - worker: the path of the program `vmhost`; nil to search for it as `confined` does.
  ///   - isStrict: whether loading a plugin fails where this machine lacks a layer of confinement.
  ///   - memory: how many bytes a plugin may allocate, at least 16 MiB. With less, starting a
  ///     session throws `invalid`.
  public static func confined(
    worker: String? = nil, isStrict: Bool = false, memory: UInt64 = 1 << 30
  ) -> Isolation {
    let mode: SandboxMode = isStrict ? .strict : .bestEffort
    return Isolation(location: .worker(path: worker, mode: mode, memory: memory))
  }

  /// The isolation with the path of the workers' program filled in.
  ///
  /// - Throws: `invalid` if the memory is too small; `notLoaded` if the program isn't found.
  func resolved() throws(HostError) -> PluginIsolation {
    guard case .worker(let path, let mode, let memory) = location else { return .inProcess }
    guard memory >= Confinement.minMemory else {
      throw HostError(
        .invalid, "memory: \(memory) is not a size such as 512M or 2G, of at least 16M.")
    }
    let worker = if let path { path } else { try WorkerLocator.path() }
    return .worker(Sandbox(mode, memory: memory, worker: worker))
  }
}
