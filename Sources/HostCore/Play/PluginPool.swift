/// The plugins that one thread has loaded. A worker serves one transcript after the other.
package final class PluginPool {
  /// Loads the library at a path; gets the plugin's name, too.
  private let load: (_ path: String, _ name: String) throws -> any PluginConnection
  /// How many plugins stay loaded. More would only occupy processes and descriptors.
  private static let maxCount = 8
  private var loaded: [PathKey: any PluginConnection] = [:]
  /// Their paths, the most recently used one last.
  private var order: [PathKey] = []

  package init(load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection) {
    self.load = load
  }

  /// The plugin whose library is at a path. It is loaded unless it is loaded already.
  package func connection(_ path: String, _ name: String) throws -> any PluginConnection {
    let key = PathKey(path)
    order.removeAll { $0 == key }
    order.append(key)
    if let connection = loaded[key], !Self.hasEnded(connection) {
      if let plugin = connection as? RemotePlugin {
        plugin.prepareForSession()
      } else {
        connection.recentLines.removeAll()
        connection.slowSteps.removeAll()
      }
      return connection
    }
    // A session that still uses the plugin keeps it alive.
    if order.count > Self.maxCount { loaded[order.removeFirst()] = nil }
    let connection = try load(path, name)
    loaded[key] = connection
    return connection
  }

  private static func hasEnded(_ connection: any PluginConnection) -> Bool {
    (connection as? RemotePlugin)?.ending != nil
  }

  /// Whether a plugin was ended because it hung.
  package var hasHung: Bool {
    loaded.values.contains { ($0 as? RemotePlugin)?.failure == .hang }
  }

  /// Releases all plugins, so that an error in one transcript can't affect the next.
  package func removeAll() {
    loaded.removeAll()
    order.removeAll()
  }
}
