/// Storage that notes where what a session reads is not what a replay of it would find: values that
/// were there before, and what somebody else has stored or deleted since.
final class RecordingStorage: StorageBackend {
  struct Read {
    let plugin: String
    let key: String
    /// Canonical JSON; nil: there is no value.
    let value: [UInt8]?
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

  func claim(
    _ plugin: String, for library: () throws(StorageError) -> StoreOwner
  ) throws(StorageError) -> StoreOwner? {
    try storage.claim(plugin, for: library)
  }

  func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]? {
    let value = try storage.value(of: key, in: plugin)
    note(value, of: key, in: plugin)
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
    // A replay lists the keys that it has values for.
    let listed = Set(keys)
    // A value that can't be read is an error only for whoever asks for it.
    for key in keys where replayed[plugin]?[key] == nil { _ = try? value(of: key, in: plugin) }
    let gone = (replayed[plugin] ?? [:]).keys.filter {
      !listed.contains($0) && $0.utf8.starts(with: prefix.utf8)
    }
    for key in gone.sorted() { note(nil, of: key, in: plugin) }
    return keys
  }

  func size(of key: String, in plugin: String) throws(StorageError) -> Int {
    try storage.size(of: key, in: plugin)
  }

  func size(of plugin: String) throws(StorageError) -> Int { try storage.size(of: plugin) }

  private func note(_ value: [UInt8]?, of key: String, in plugin: String) {
    guard replayed[plugin]?[key] != value else { return }
    replayed[plugin, default: [:]][key] = value
    reads.append(Read(plugin: plugin, key: key, value: value))
  }
}
