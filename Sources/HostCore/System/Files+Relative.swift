extension Files {
  /// The folder of a path, or nil for a bare name.
  package static func folder(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// The path that a file in `folder` means by `path`; nil for the present folder.
  package static func path(_ path: String, from folder: String?) -> String {
    guard let folder, !path.hasPrefix("/") else { return path }
    return "\(folder)/\(path)"
  }

  /// What to call a file in another file, so that it is found from that one's folder. Both can move
  /// together then.
  ///
  /// Where they have nothing in common but the root, it is the whole path.
  static func path(of target: String, fromFolderOf file: String) -> String {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    guard let end = try? absolute(target), let start = try? absolute(folder) else { return target }
    let (to, from) = (end.split(separator: "/"), start.split(separator: "/"))
    let common = zip(to, from).prefix { $0 == $1 }.count
    guard common > 0 else { return end }
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common).map(String.init)).joined(separator: "/")
  }
}
