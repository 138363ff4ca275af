/// A path as a file system takes it, by its bytes: a String is equal to one in another Unicode
/// normalisation, which can be another file, and is in an order that could change with Unicode.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.elementsEqual(other.path.utf8)
  }

  package static func < (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Strings with the same bytes are equal, so their hashes are.
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
