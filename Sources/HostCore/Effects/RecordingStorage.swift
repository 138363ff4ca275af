/// Storage that notes which values a session reads that a replay of it would not have: those that
/// were there before, or that somebody else has put there.
final class RecordingStorage: StorageBackend {
  struct Read {
    let plugin: String
    let key: String
    /// Canonical JSON.
    let value: [UInt8]
  }

  private let storage: any StorageBackend
  /// What the storage of a replay holds by now.
  private var replayed: [String: [String: [UInt8]]] = [:]
  private var reads: [Read] = []

  init(_ storage: any StorageBackend) { self.storage = storage }

  /// Takes what was read since the last call, in that order.
  func takeReads() -> [Read] {
    defer { reads = [] }
    return reads
  }

  func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]? {
    let value = try storage.value(of: key, in: plugin)
    if let value, replayed[plugin]?[key] != value {
      replayed[plugin, default: [:]][key] = value
      reads.append(Read(plugin: plugin, key: key, value: value))
    }
    return value
  }

  func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError) {
    try storage.set(key, to: value, in: plugin)
    replayed[plugin, default: [:]][key] = value
  }

  func delete(_ key: String, in plugin: String) throws(StorageError) {
    try storage.delete(key, in: plugin)
    replayed[plugin]?[key] = nil
  }

  func keys(withPrefix prefix: String, in plugin: String) throws(StorageError) -> [String] {
    let keys = try storage.keys(withPrefix: prefix, in: plugin)
    // A key can only be listed in a replay that has a value for it.
    for key in keys where replayed[plugin]?[key] == nil { _ = try value(of: key, in: plugin) }
    return keys
  }
}
