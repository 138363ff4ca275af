import HostCore

/// The plugins that one thread has loaded: a worker serves one transcript after the other.
final class PluginPool {
  private let isolation: PluginIsolation
  private let limits: StepLimits
  private let watch: (StepMonitor) throws -> Void
  /// More would be processes and descriptors that nothing uses at the moment.
  private static let maxCount = 8
  private var loaded: [String: any PluginConnection] = [:]
  /// Their paths, the one that was asked for last at the end.
  private var order: [String] = []

  /// - Parameter watch: gets the monitor of a plugin that is about to be loaded into this process.
  init(
    _ isolation: PluginIsolation, _ limits: StepLimits,
    watch: @escaping (StepMonitor) throws -> Void
  ) {
    self.isolation = isolation
    self.limits = limits
    self.watch = watch
  }

  /// The plugin whose library is at a path; loaded unless it is already.
  func connection(_ path: String, _ name: String) throws -> any PluginConnection {
    order.removeAll { $0 == path }
    order.append(path)
    if let connection = loaded[path], !Self.hasEnded(connection) {
      connection.recentLines.removeAll()
      return connection
    }
    // A session that still has it keeps it.
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

  /// Lets go of all plugins: what went wrong in one transcript must not reach the next.
  func removeAll() {
    loaded.removeAll()
    order.removeAll()
  }
}
