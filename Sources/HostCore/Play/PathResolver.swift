/// Makes paths absolute, so that they are the same from any folder. It resolves each folder once.
package struct PathResolver {
  private var folders: [String: String] = [:]

  package init() {}

  /// The absolute path of a file. A link isn't resolved, since its plugins are searched for in its
  /// own folder.
  package mutating func absolute(_ path: String) -> PathKey {
    // By bytes: an accent at the start of a name would be one character with the slash.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let whole = folders[folder] ?? (try? Files.absolute(folder)) else {
      return PathKey(path)
    }
    folders[folder] = whole
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    return PathKey("\(whole == "/" ? "" : whole)/\(name)")
  }
}
