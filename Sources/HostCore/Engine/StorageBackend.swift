/// A store of values: memory in a replay, a database in a live run.
///
/// Each plugin has a space of its own, named by its id. Values are canonical JSON.
package protocol StorageBackend: AnyObject {
  func value(of key: String, in plugin: String) throws(StorageError) -> [UInt8]?
  func set(_ key: String, to value: [UInt8], in plugin: String) throws(StorageError)
  func delete(_ key: String, in plugin: String) throws(StorageError)
  /// The keys that begin with `prefix`, in the order of their UTF-8 bytes.
  func keys(withPrefix prefix: String, in plugin: String) throws(StorageError) -> [String]
}

/// The reason why a store could not be read or written.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
