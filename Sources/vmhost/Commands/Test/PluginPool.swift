import HostCore

/// The plugins that one thread has loaded. A worker serves one transcript after the other.
final class PluginPool {
  private let isolation: PluginIsolation
  private let limits: StepLimits
  private let watch: (StepMonitor) throws -> Void
  /// How many plugins stay loaded. More would only occupy processes and descriptors.
  private static let maxCount = 8
  private var loaded: [String: any PluginConnection] = [:]
  /// Their paths, the most recently used one last.
  private var order: [String] = []

  /// - Parameter watch: gets the monitor of each plugin that is about to be loaded in this process.
  init(
    _ isolation: PluginIsolation, _ limits: StepLimits,
    watch: @escaping (StepMonitor) throws -> Void
  ) {
    self.isolation = isolation
    self.limits = limits
    self.watch = watch
  }

  /// The plugin whose library is at a path. It is loaded unless it is loaded already.
  func connection(_ path: String, _ name: String) throws -> any PluginConnection {
    order.removeAll { $0 == path }
    order.append(path)
    if let connection = loaded[path], !Self.hasEnded(connection) {
      connection.recentLines.removeAll()
      return connection
    }
    // A session that still uses the plugin keeps it alive.
    if order.count > Self.maxCount { loaded[order.removeFirst()] = nil }
    let connection = try isolation.load(
      path, named: name, limits,
      inProcess: { try LocalPlugin.load(path, name, limits, watch: watch) }, printed: { _ in })
    loaded[path] = connection
    return connection
  }

  private static func hasEnded(_ connection: any PluginConnection) -> Bool {
    (connection as? RemotePlugin)?.ending != nil
  }

  /// Whether a plugin was ended because it hung.
  var hasHung: Bool {
    loaded.values.contains { ($0 as? RemotePlugin)?.failure == .hang }
  }

  /// Releases all plugins, so that an error in one transcript can't affect the next.
  func removeAll() {
    loaded.removeAll()
    order.removeAll()
  }
}
