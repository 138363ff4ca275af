/// Makes paths absolute, so that they are the same from any folder. It resolves each folder once.
package struct PathResolver {
  private var folders: [PathKey: String] = [:]

  package init() {}

  /// The absolute path of a file. A link isn't resolved, since its plugins are searched for in its
  /// own folder.
  package mutating func absolute(_ path: String) -> PathKey {
    let folder = Files.folder(of: path).map { $0.isEmpty ? "/" : $0 } ?? "."
    let key = PathKey(folder)
    guard let whole = folders[key] ?? (try? Files.absolute(folder)) else {
      return PathKey(path)
    }
    folders[key] = whole
    return PathKey("\(whole == "/" ? "" : whole)/\(Files.name(of: path))")
  }
}
