/// A path as a file system takes it, by its bytes: a String is equal to one in another Unicode
/// normalisation, which can be another file, and is in an order that could change with Unicode.
struct PathKey: Hashable, Comparable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  static func == (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.elementsEqual(other.path.utf8)
  }

  static func < (one: PathKey, other: PathKey) -> Bool {
    one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Strings with the same bytes are equal, so their hashes are.
  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
