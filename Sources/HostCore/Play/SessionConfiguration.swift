import Basics

/// The options of a session, for the command line and for apps, and the parts made from them.
package struct SessionConfiguration: Sendable {
  /// A program that answers an effect.
  package struct Provider: Sendable {
    package let effect: String
    /// A command line for a shell.
    package let command: String

    package init(effect: String, command: String) {
      self.effect = effect
      self.command = command
    }
  }

  package var isolation = PluginIsolation.worker(Sandbox())
  /// The libraries that may be loaded; nil for any.
  package var lock: PluginLock?
  package var clock = SessionDriver.Clock.live
  /// The seed of all random numbers; nil for a random one.
  package var seed: UInt64?
  /// The date at which the session begins, as time since 1970-01-01T00:00:00Z; nil for now.
  package var time: Nanoseconds?
  package var locale: String?
  package var timeZone: String?
  package var secrets = Secrets()
  /// The path of an SQLite file; nil for memory.
  package var store: String?
  /// The ids of plugins that may have what another library has kept in the store.
  package var adoptedStores: Set<String> = []
  package var providers: [Provider] = []
  /// The effects that only lines or an app's own code answer, whatever else could.
  package var handled: Set<String> = []
  /// What plugins may cost the host.
  package var limits = StepLimits()
  /// Folders that are searched for plugins before those of `VMHOST_PLUGIN_PATH`.
  package var pluginPath: [String] = []
  /// The folder of the script that names plugins.
  package var scriptFolder: String?

  package init() {}

  /// - Throws: `invalid` for a locale that is none, or a time zone that this machine doesn't know.
  package func engineOptions() throws(SessionFailure) -> SessionEngine.Options {
    let problem =
      locale.flatMap { LocaleName.problem(with: $0) }
      ?? timeZone.flatMap { TimeZoneName.problem(with: $0) }
    if let problem { throw SessionFailure(.invalid, problem) }
    var made = SessionEngine.Options()
    var random = SystemRandomNumberGenerator()
    made.seed = seed ?? random.next()
    made.epoch = time ?? SystemClock.wall()
    made.locale = locale ?? made.locale
    made.timeZone = timeZone ?? made.timeZone
    made.recorded = handled.intersection(SimulatedEffect.names)
    made.limits = limits
    return made
  }

  package func storage() throws(StorageError) -> any StorageBackend {
    guard let store else { return MemoryStorage() }
    return try DatabaseStorage(path: store, adopting: adoptedStores)
  }

  /// - Throws: `invalid` if a store is adopted for a plugin that isn't among those with these ids.
  package func checkAdopted(among ids: [String]) throws(SessionFailure) {
    guard let other = adoptedStores.subtracting(ids).min() else { return }
    throw SessionFailure(
      .invalid,
      "no plugin has the id \"\(other)\", so none can adopt the values stored under it."
        + NearestName.hint(for: other, among: ids))
  }

  /// The programs that answer effects. `vmhost-http`, in the folder of the worker's program,
  /// answers `http` unless something else does.
  package func effectProviders() throws(SystemError) -> [EffectProvider] {
    let named = providers.map {
      EffectProvider(effect: $0.effect, command: .shell($0.command))
    }
    guard !handled.contains("http"), !providers.contains(where: { $0.effect == "http" }) else {
      return named
    }
    var folder = try Files.executableFolder()
    if case .worker(let sandbox) = isolation, let own = sandbox.workerFolder { folder = own }
    return named
      + [EffectProvider(effect: "http", command: .executable("\(folder)/vmhost-http"))]
  }

  /// Finds plugins by their names.
  package func locator() throws(SystemError) -> PluginLocator {
    PluginLocator(
      script: scriptFolder, given: pluginPath,
      variable: Environment.path(PluginLocator.variable),
      executable: try Files.executableFolder())
  }
}
