/// Storage that lasts as long as the session.
package final class MemoryStorage: StorageBackend {
  private var spaces: [String: [String: [UInt8]]] = [:]

  package init() {}

  package func value(of key: String, in plugin: String) -> [UInt8]? { spaces[plugin]?[key] }

  package func set(_ key: String, to value: [UInt8], in plugin: String) {
    spaces[plugin, default: [:]][key] = value
  }

  package func delete(_ key: String, in plugin: String) { spaces[plugin]?[key] = nil }

  package func keys(withPrefix prefix: String, in plugin: String) -> [String] {
    (spaces[plugin] ?? [:]).keys.filter { $0.utf8.starts(with: prefix.utf8) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
