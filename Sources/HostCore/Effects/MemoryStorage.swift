/// Storage that lasts as long as the session.
package final class MemoryStorage: StorageBackend {
  private struct Space {
    var values: [String: [UInt8]] = [:]
    var size = 0
  }

  private var spaces: [String: Space] = [:]

  package init() {}

  /// Nothing that another library has kept is left in memory.
  package func claim(
    _ plugin: String, for library: () throws(StorageError) -> StoreOwner
  ) -> StoreOwner? { nil }

  package func value(of key: String, in plugin: String) -> [UInt8]? {
    spaces[plugin]?.values[key]
  }

  package func set(_ key: String, to value: [UInt8], in plugin: String) {
    let change = StorageSize.of(key, value) - size(of: key, in: plugin)
    spaces[plugin, default: Space()].values[key] = value
    spaces[plugin]?.size += change
  }

  package func delete(_ key: String, in plugin: String) {
    let size = size(of: key, in: plugin)
    spaces[plugin]?.values[key] = nil
    spaces[plugin]?.size -= size
  }

  package func keys(withPrefix prefix: String, in plugin: String) -> [String] {
    (spaces[plugin]?.values ?? [:]).keys.filter { $0.utf8.starts(with: prefix.utf8) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func size(of key: String, in plugin: String) -> Int {
    spaces[plugin]?.values[key].map { StorageSize.of(key, $0) } ?? 0
  }

  package func size(of plugin: String) -> Int { spaces[plugin]?.size ?? 0 }
}
