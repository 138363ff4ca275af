/// Storage that notes where what a session reads is not what a replay of it would find: values that
/// were there before, and what somebody else has stored or deleted since.
package final class RecordingStorage: StorageBackend {
  package struct Read: Sendable {
    package let plugin: String
    package let key: String
    /// Canonical JSON; nil: there is no value.
    package let value: [UInt8]?
  }

  /// The storage that it reads and writes.
  package var storage: any StorageBackend
  /// What the storage of a replay holds by now. Nil: the value was deleted.
  private var replayed: [String: [String: [UInt8]?]] = [:]
  private var reads: [Read] = []
  /// The values of all keys that the session has read, stored or deleted, before it did so first.
  private var originals: [String: [String: [UInt8]?]] = [:]
  /// Whether nobody wants to know any more.
  private var hasEnded = false

  package init(_ storage: any StorageBackend) { self.storage = storage }

  /// What the storage of a plugin held when the session began.
  package func original(of plugin: String) -> [String: [UInt8]] {
    let touched = originals[plugin] ?? [:]
    var values = touched.compactMapValues { $0 }
    for key in (try? storage.keys(withPrefix: "", in: plugin)) ?? [] where touched[key] == nil {
      // A value that can't be read is an error only for whoever asks for it.
      values[key] = try? storage.value(of: key, in: plugin)
    }
    return values
  }

  /// Notes nothing from now on, and forgets what it has noted.
  func end() {
    hasEnded = true
    (replayed, reads, originals) = ([:], [], [:])
  }

  /// Takes what was read since the last call, in that order.
  package func takeReads() -> [Read] {
    defer { reads = [] }
    return reads
  }

  package func claim(
    _ plugin: String, for library: () throws(StorageError) -> StoreOwner
  ) throws(StorageError) -> StoreOwner? {
    try storage.claim(plugin, for: library)
  }

  package func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]? {
    let value = try storage.value(of: key, in: plugin)
    touch(key, in: plugin, value)
    note(value, of: key, in: plugin)
    return value
  }

  package func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError) {
    touch(key, in: plugin, try? storage.value(of: key, in: plugin))
    try storage.set(key, to: value, in: plugin)
    guard !hasEnded else { return }
    replayed[plugin, default: [:]][key] = value
  }

  package func delete(_ key: String, in plugin: String) throws(StorageError) {
    touch(key, in: plugin, try? storage.value(of: key, in: plugin))
    try storage.delete(key, in: plugin)
    guard !hasEnded else { return }
    replayed[plugin, default: [:]].updateValue(nil, forKey: key)
  }

  package func keys(withPrefix prefix: String, in plugin: String) throws(StorageError) -> [String] {
    let keys = try storage.keys(withPrefix: prefix, in: plugin)
    guard !hasEnded else { return keys }
    // A replay lists the keys that it has values for.
    let listed = Set(keys)
    // A value that can't be read is an error only for whoever asks for it.
    for key in keys where known(key, in: plugin) == nil { _ = try? value(of: key, in: plugin) }
    let gone = (replayed[plugin] ?? [:]).filter { key, value in
      value != nil && !listed.contains(key) && key.utf8.starts(with: prefix.utf8)
    }
    for key in gone.keys.sorted() { note(nil, of: key, in: plugin) }
    return keys
  }

  package func size(of key: String, in plugin: String) throws(StorageError) -> Int {
    try storage.size(of: key, in: plugin)
  }

  package func size(of plugin: String) throws(StorageError) -> Int { try storage.size(of: plugin) }

  private func note(_ value: [UInt8]?, of key: String, in plugin: String) {
    guard !hasEnded, known(key, in: plugin) != value else { return }
    replayed[plugin, default: [:]].updateValue(value, forKey: key)
    reads.append(Read(plugin: plugin, key: key, value: value))
  }

  private func touch(_ key: String, in plugin: String, _ value: @autoclosure () -> [UInt8]?) {
    guard !hasEnded, originals[plugin]?[key] == nil else { return }
    originals[plugin, default: [:]].updateValue(value(), forKey: key)
  }

  /// The value that a replay finds.
  private func known(_ key: String, in plugin: String) -> [UInt8]? {
    replayed[plugin]?[key].flatMap { $0 }
  }
}
