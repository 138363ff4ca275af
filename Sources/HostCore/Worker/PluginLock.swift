/// The libraries that may be loaded, known by their hashes.
package struct PluginLock: Equatable, Sendable {
  /// A plugin that may be loaded.
  package struct Entry: Equatable, Sendable {
    package let id: String
    package let version: String
    /// The name of its library's file.
    package let file: String
    /// The SHA-256 of its library.
    package let digest: String
    /// The libraries beside it, sorted by name.
    package let beside: [LibraryHashes.Library]

    package init(
      id: String, version: String, file: String, digest: String, beside: [LibraryHashes.Library]
    ) {
      self.id = id
      self.version = version
      self.file = file
      self.digest = digest
      self.beside = beside
    }
  }

  /// The path of the file that it was read from.
  let path: String
  package let entries: [Entry]

  package init(path: String, entries: [Entry]) {
    self.path = path
    self.entries = entries
  }

  /// Finds the entry for a library that is about to be loaded.
  ///
  /// - Parameters:
  ///   - file: the path of the library.
  ///   - plugin: the plugin as the user named it, for errors.
  /// - Throws: unless the library, and those beside it, are just those of an entry.
  func entry(
    for hashes: LibraryHashes, at file: String, named plugin: String
  ) throws(PluginLoadError) -> Entry {
    let name = Files.components(of: file).last ?? file
    guard let entry = entries.first(where: { $0.digest == hashes.digest }) else {
      throw PluginLoadError(
        plugin, .locked(missing(hashes, entries.first { $0.file == name }, plugin)))
    }
    for (locked, found) in Self.pairs(entry.beside, hashes.beside) where locked != found {
      let name = (locked ?? found)?.name ?? ""
      let state =
        if let locked, let found {
          "has the SHA-256 \(found.digest), and \(path) lists \(locked.digest) for it"
        } else if let found {
          "has the SHA-256 \(found.digest), and \(path) doesn't list it for \"\(entry.id)\""
        } else {
          "is missing, and \(path) lists it for \"\(entry.id)\""
        }
      throw PluginLoadError(
        plugin, .locked("the library \"\(name)\" beside it \(state). \(Self.advice(plugin))"))
    }
    return entry
  }

  private func missing(_ hashes: LibraryHashes, _ entry: Entry?, _ plugin: String) -> String {
    let found = "its SHA-256 is \(hashes.digest), and \(path)"
    guard let entry else {
      return "\(found) doesn't list it. \(Self.advice(plugin))"
    }
    return "\(found) lists \(entry.digest) for \"\(entry.id)\". \(Self.advice(plugin))"
  }

  /// What to type if the library is to be loaded.
  private static func advice(_ plugin: String) -> String {
    "If it may be loaded, lock all plugins anew: vmhost lock \(plugin) … > plugins.lock."
  }

  /// Both lists side by side, by name.
  private static func pairs(
    _ locked: [LibraryHashes.Library], _ found: [LibraryHashes.Library]
  ) -> [(locked: LibraryHashes.Library?, found: LibraryHashes.Library?)] {
    let keys = Set((locked + found).map { PathKey($0.name) }).sorted()
    return keys.map { key in
      (locked.first { PathKey($0.name) == key }, found.first { PathKey($0.name) == key })
    }
  }

  /// Throws if a plugin says that it is another one than the entry of its library.
  ///
  /// - Parameter printed: what it has printed so far.
  func check(
    _ id: String, is entry: Entry, named plugin: String, printed: [String] = []
  ) throws(PluginLoadError) {
    guard entry.id != id else { return }
    throw PluginLoadError(
      plugin,
      .locked(
        "its id is \"\(id)\", and \(path) lists \"\(entry.id)\" for its SHA-256"
          + " \(entry.digest). \(Self.advice(plugin))"), printed: printed)
  }
}
