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
  /// - Parameters:
  ///   - plugins: paths, or names such as `movies.so`, which are looked for as on the command line.
  ///   - flow: the path of a file that says which signal opens, closes or feeds what. What it
  ///     opens and closes, `Session.changes()` tells.
  public func session(
    plugins: [String], flow: String? = nil, options: SessionOptions = SessionOptions()
  ) async throws(HostError) -> Session {
    try await Session.start(
      try SessionPlan(host: self, plugins: plugins, flow: flow, options: options))
  }
}
