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
  /// The process runs the program that the variable `VMHOST` names, else `vmhost-worker` or
  /// `vmhost` beside the app's executable, else the first `vmhost` on `PATH`. If there is none,
  /// starting a session throws `notLoaded`. Plugins are never loaded into the app instead.
  public static let confined = Isolation.confined()

  /// How much confinement a plugin needs at least.
  public enum Sandbox: Sendable {
    /// As much as this machine offers. `LoadedPlugin.missingLayers` says what is missing.
    case bestEffort
    /// Everything but namespaces, which containers and some distributions don't allow.
    case standard
    /// Everything.
    case strict

    var mode: SandboxMode {
      switch self {
      case .bestEffort: .bestEffort
      case .standard: .standard
      case .strict: .strict
      }
    }
  }

  /// Each plugin runs in a confined process of its own.
  ///
  /// The variable `VMHOST_SANDBOX` can demand more than `sandbox`, and then `inProcess` throws
  /// `invalid`.
  ///
  /// - Parameters:
  ///   - worker: the path of `vmhost-worker` or `vmhost`; nil to search for it as `confined` does.
  ///   - sandbox: what a plugin needs at least. Where this machine lacks it, starting a session
  ///     throws `notLoaded`.
  ///   - memory: how many bytes a plugin may allocate, at least 16 MiB. With less, starting a
  ///     session throws `invalid`.
  public static func confined(
    worker: String? = nil, sandbox: Sandbox = .bestEffort, memory: UInt64 = 1 << 30
  ) -> Isolation {
    Isolation(location: .worker(path: worker, mode: sandbox.mode, memory: memory))
  }

  /// The isolation with the path of the workers' program filled in.
  ///
  /// - Throws: `invalid` if the memory is too small, or if `VMHOST_SANDBOX` demands confinement and
  ///   there is none; `notLoaded` if the program isn't found.
  func resolved() throws(HostError) -> PluginIsolation {
    do {
      let policy = try SandboxPolicy()
      guard case .worker(let path, let mode, let memory) = location else {
        try policy.allowUnconfined(by: "Isolation.inProcess")
        return .inProcess
      }
      guard memory >= Confinement.minMemory else {
        throw HostError(
          .invalid, "memory: \(memory) is not a size such as 512M or 2G, of at least 16M.")
      }
      let worker = if let path { path } else { try WorkerLocator.path() }
      // The variable may demand more than an app was written to ask for.
      let demanded = max(mode, try policy.mode(nil))
      return .worker(HostCore.Sandbox(demanded, memory: memory, worker: worker))
    } catch { throw HostError(error) }
  }
}
