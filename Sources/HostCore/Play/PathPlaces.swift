/// Paths from the root, the same from wherever files are named; each folder is asked for once.
package struct PathPlaces {
  private var folders: [String: String] = [:]

  package init() {}

  /// A file's place. A link is a file of its own, since its plugins are looked for beside it.
  package mutating func place(of path: String) -> PathKey {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let whole = folders[folder] ?? (try? Files.absolute(folder)) else {
      return PathKey(path)
    }
    folders[folder] = whole
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    return PathKey("\(whole == "/" ? "" : whole)/\(name)")
  }
}
