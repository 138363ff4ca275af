import HostCore

/// `vmhost lock`: writes which libraries plugins are, so that no others are loaded.
enum LockCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    do {
      let output = Output(descriptor: try Descriptor.divertStandardOutput())
      var entries: [PluginLock.Entry] = []
      let loading = try PluginLoading(arguments, output)
      for name in arguments.positionals {
        let path = try loading.path(of: name)
        let hashes = try LibraryHashes(of: path, named: name)
        let plugin = try loading.load(path, named: name)
        try hashes.requireUnchanged()
        let entry = PluginLock.Entry(
          id: plugin.manifest.id, version: plugin.manifest.version,
          file: Files.components(of: path).last ?? path,
          digest: plugin.digest ?? hashes.digest, beside: hashes.beside)
        try add(entry, named: name, to: &entries)
      }
      let text = PluginLock(path: "", entries: entries).text
      output.write { $0 += Array(text.utf8) }
      try output.flush()
      return .success
    } catch { throw Failure(error) }
  }

  private static func add(
    _ entry: PluginLock.Entry, named name: String, to entries: inout [PluginLock.Entry]
  ) throws(Failure) {
    guard !entries.contains(where: { $0.id == entry.id }) else {
      throw Failure(.usage, "\"\(name)\" and an earlier plugin both have the id \"\(entry.id)\".")
    }
    entries.append(entry)
  }
}
