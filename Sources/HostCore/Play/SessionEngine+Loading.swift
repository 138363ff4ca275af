extension SessionEngine {
  /// Loads the plugin whose library is at a path, and adds it, unless it would get what another
  /// library has stored. If it doesn't load, what it printed is among the events.
  func add(
    named name: String, at path: String, loading load: () throws -> any PluginConnection
  ) throws -> any PluginConnection {
    do {
      let connection = try load()
      try claimStore(for: connection, at: path, named: name)
      try add(connection, named: name)
      return connection
    } catch let error as PluginLoadError {
      for line in error.printed {
        for part in PrintedLine.parts(of: line, without: secrets) {
          events.append(printed: part, by: name, step: 0, time: now)
        }
      }
      throw error
    }
  }

  /// Goes on with another store, which the plugin with an index may use.
  func useStore(_ store: any StorageBackend, forPlugin index: Int, at path: String) throws {
    historyStorage?.storage = store
    let plugin = plugins[index]
    try claimStore(for: plugin.connection, at: path, named: plugin.name)
  }

  /// Claims the plugin's space of the store, if it uses that.
  private func claimStore(
    for connection: any PluginConnection, at path: String, named name: String
  ) throws {
    let manifest = connection.manifest
    guard manifest.viewModels.contains(where: { $0.requests.contains(where: Self.isStorage) })
    else { return }
    var library = StoreOwner(path: path, digest: "")
    let owner = try effects.storage.claim(manifest.id) { () throws(StorageError) in
      do throws(SystemError) {
        // A plugin in this process has no digest of its own.
        var digest = connection.digest ?? ""
        if digest.isEmpty { digest = try SHA256.digest(ofFile: path) }
        library = StoreOwner(path: path, digest: digest)
      } catch { throw StorageError("\(name) can't be read: \(error.reason).") }
      return library
    }
    guard let owner else { return }
    throw PluginLoadError(
      name,
      .storeOfAnother(
        "the store has values that another library stored as \"\(manifest.id)\". That library is"
          + " \(owner), and this one is \(library). If this one may have them, add --store-adopt"
          + " \(manifest.id)."), printed: connection.takePrinted())
  }

  private static func isStorage(_ effect: String) -> Bool {
    SimulatedEffect(rawValue: effect).map { $0 != .timer } ?? false
  }
}
