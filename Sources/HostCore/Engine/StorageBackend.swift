/// A store of values: memory in a replay, a database in a live run.
///
/// Each plugin has a space of its own, named by its id. Values are canonical JSON.
package protocol StorageBackend: AnyObject {
  /// Claims the space of a plugin for its library, before that gets or keeps anything.
  ///
  /// - Parameter library: called only by a store that outlives the session.
  /// - Returns: the library that the space belongs to, if that is another one; else nil.
  func claim(
    _ plugin: String, for library: () throws(StorageError) -> StoreOwner
  ) throws(StorageError) -> StoreOwner?
  func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]?
  func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError)
  func delete(_ key: String, in plugin: String) throws(StorageError)
  /// The keys that begin with `prefix`, in the order of their UTF-8 bytes.
  func keys(withPrefix prefix: String, in plugin: String) throws(StorageError) -> [String]
  /// The size of a key with its value, as quotas count it; 0 if there is no value.
  func size(of key: String, in plugin: String) throws(StorageError) -> Int
  /// The size of all keys and values of a plugin.
  func size(of plugin: String) throws(StorageError) -> Int
}

/// What quotas of a store count.
package enum StorageSize {
  /// What a value costs besides its bytes and those of its key. Without it, very many small values
  /// would take far more memory than a quota allows.
  package static let ofEntry = 100

  package static func of(_ key: String, _ value: [UInt8]) -> Int {
    key.utf8.count + value.count + ofEntry
  }
}

extension StorageBackend {
  /// Stores a value, unless the plugin has more than `quota` bytes then. What makes a store smaller
  /// is always possible.
  func set(
    _ key: String, to value: [UInt8], in plugin: String, quota: Int
  ) throws(StorageError) {
    let (size, before) = (StorageSize.of(key, value), try self.size(of: key, in: plugin))
    if size > before {
      let (sum, overflow) = try self.size(of: plugin).addingReportingOverflow(size - before)
      guard !overflow && sum <= quota else {
        throw StorageError(
          "\"\(key)\" doesn't fit into the store: \"\(plugin)\" may keep \(quota) bytes there."
            + " Deleting makes room, and \(StepLimits.advice(.storage)).", .full)
      }
    }
    try set(key, to: value, in: plugin)
  }
}

/// The library that a space of a store belongs to.
package struct StoreOwner: Equatable, Sendable, CustomStringConvertible {
  /// The absolute path.
  package let path: String
  /// The SHA-256 in hexadecimal.
  package let digest: String

  package init(path: String, digest: String) {
    self.path = path
    self.digest = digest
  }

  /// Whether both are the same library: one that was built again, or moved.
  func isSame(as other: StoreOwner) -> Bool { path == other.path || digest == other.digest }

  package var description: String { "\(path) (SHA-256 \(digest))" }
}

/// The reason why a store could not be read or written.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What plugins get as the code of the error.
  package enum Code: String, Sendable {
    case failed = "storage-failed"
    /// The plugin may keep no more.
    case full = "storage-full"
  }

  package let code: Code
  package let description: String

  package init(_ description: String, _ code: Code = .failed) {
    self.code = code
    self.description = description
  }
}
