/// Runs plugins: it says where they are found, and in which processes they run.
public struct Host: Sendable {
  /// In which processes plugins run.
  public let isolation: Isolation
  /// The folders that are searched for plugins first. Those in `VMHOST_PLUGIN_PATH` and the folder
  /// of the app's executable come after them.
  public let pluginPath: [String]
  /// The path of the file with the only libraries that may be loaded, as `vmhost lock` writes it;
  /// nil if any may.
  public let lock: String?

  /// Makes a host. Nothing is loaded or started until a session is.
  public init(isolation: Isolation = .confined, pluginPath: [String] = [], lock: String? = nil) {
    self.isolation = isolation
    self.pluginPath = pluginPath
    self.lock = lock
  }

  func pluginLock() throws(HostError) -> PluginLock? {
    guard let lock else { return nil }
    do throws(SessionFailure) { return try PluginLock(contentsOf: lock) } catch {
      throw HostError(error)
    }
  }

  /// Starts a session, and loads its plugins.
  ///
  /// - Parameters:
  ///   - plugins: the plugins to load: paths, or names such as `movies.so`, which are searched for
  ///     as on the command line.
  ///   - flow: the path of a file that says which signal opens, closes or feeds which instances;
  ///     nil for none. `Session.changes()` reports what the flow opens and closes.
  ///   - options: the session's clock, store, secrets, effects and limits.
  /// - Throws: a `HostError`:
  ///   - `invalid` if an option, the flow file or the combination of plugins makes no sense;
  ///   - `notLoaded` if a plugin or the program for confined plugins isn't found or can't be
  ///     started;
  ///   - `system` if the store can't be opened, or if the system refuses a thread or a descriptor.
  public func session(
    plugins: [String], flow: String? = nil, options: SessionOptions = SessionOptions()
  ) async throws(HostError) -> Session {
    try await Session.start(
      try SessionPlan(host: self, plugins: plugins, flow: flow, options: options))
  }
}
