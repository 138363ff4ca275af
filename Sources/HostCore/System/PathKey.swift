/// A path that is compared by its bytes, as a file system does.
///
/// Strings are equal if they differ only in Unicode normalisation, but their files may be different
/// ones. And the order of strings could change with Unicode.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.elementsEqual(other.path.utf8)
  }

  package static func < (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Strings with the same bytes are equal, so their hashes are equal too.
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
