/// What runs plugins: where they are found, and where they run.
public struct Host: Sendable {
  public let isolation: Isolation
  /// Folders to look for plugins in, before those that `VMHOST_PLUGIN_PATH` lists and that of the
  /// app's executable.
  public let pluginPath: [String]

  public init(isolation: Isolation = .confined, pluginPath: [String] = []) {
    self.isolation = isolation
    self.pluginPath = pluginPath
  }

  /// Starts a session with some plugins.
  ///
  /// - Parameter plugins: paths, or names such as `movies.so`, which are looked for as on the
  ///   command line.
  public func session(
    plugins: [String], options: SessionOptions = SessionOptions()
  ) async throws(HostError) -> Session {
    try await Session.start(SessionPlan(host: self, plugins: plugins, options: options))
  }
}
