extension Files {
  /// The folder of a path, or nil for a bare name.
  package static func folder(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// The part of a path behind its last slash.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Resolves a path that is relative to `folder`. A nil folder is the current one.
  package static func path(_ path: String, from folder: String?) -> String {
    guard let folder, !path.hasPrefix("/") else { return path }
    return "\(folder)/\(path)"
  }

  /// The path of `target` relative to the folder of `file`, so that both can move together.
  ///
  /// It is the absolute path if the two have nothing in common but the root.
  package static func path(of target: String, fromFolderOf file: String) -> String {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    guard let end = try? absolute(target), let start = try? absolute(folder) else { return target }
    let (to, from) = (end.split(separator: "/"), start.split(separator: "/"))
    let common = zip(to, from).prefix { $0 == $1 }.count
    guard common > 0 else { return end }
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common).map(String.init)).joined(separator: "/")
  }
}
