/// The folders that lead to watched files, by the numbers of their notices.
struct FilePlaces {
  /// What a name in a folder means.
  struct Name {
    /// The files that are found by it.
    var files: Set<PathKey> = []
    /// Whether it is a folder or a link on the way to files.
    var isOnTheWay = false
  }

  struct Place {
    var names: [PathKey: Name] = [:]
    /// The trees that the folder belongs to, with its path in each.
    var trees: [(tree: Int, path: String)] = []
  }

  var all: [Int32: Place] = [:]
}
