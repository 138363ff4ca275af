/// The folders in which a transcript may name files, where its author isn't the user: a pull
/// request brings transcripts, and a CI job plays them.
package struct PathFence: Sendable {
  /// The folders, with links resolved.
  private let folders: [String]
  /// The folders that the user names for plugins, as they are searched. Links in them are the
  /// user's own.
  private let searched: Set<PathKey>

  /// - Parameters:
  ///   - given: files and folders that the user names; what is in them, or beside the files.
  ///   - searched: folders that the user names for plugins.
  package init(given: [String], searched: [String]) {
    let above = given.map { path in
      (try? Files.kind(of: path)) == .directory ? path : Files.folder(of: path) ?? "."
    }
    folders = (["."] + above + searched).compactMap { try? Files.absolute($0) }
    self.searched = Set(searched.map(PathKey.init))
  }

  /// Whether an absolute path without links leads into one of the folders.
  package func permits(_ path: String) -> Bool {
    folders.contains { folder in
      let parent = Array((folder == "/" ? "/" : folder + "/").utf8)
      return path.utf8.starts(with: parent)
    }
  }

  /// Throws if a transcript may not name a file.
  ///
  /// - Parameters:
  ///   - name: what the transcript says.
  ///   - path: the file that it names.
  func check(_ name: String, at path: String) throws(ScriptError) {
    // Of a file that isn't there, its folder decides: whether there is one outside is nobody's
    // business either.
    var existing: String? = path
    while let file = existing {
      guard let whole = try? Files.absolute(file) else {
        existing = Files.folder(of: file).map { $0.isEmpty && file != "/" ? "/" : $0 }
        continue
      }
      if file == path ? permits(whole) : permits(whole + "/") { return }
      break
    }
    guard existing != nil else { return }
    throw ScriptError(
      "\"\(name)\" is outside the current folder and the given folders. If that is intended, add"
        + " --allow-outside.", at: .subject, code: .unsupported)
  }

  /// Throws if a transcript may not name a plugin. One that is found by its bare name in a folder
  /// of the user's is none of the transcript's choice.
  ///
  /// - Parameter path: where it was found.
  func check(plugin name: String, at path: String) throws(ScriptError) {
    if Files.folder(of: name) == nil, let folder = Files.folder(of: path),
      searched.contains(PathKey(folder))
    {
      return
    }
    try check(name, at: path)
  }
}
