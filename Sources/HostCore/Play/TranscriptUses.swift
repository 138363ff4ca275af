extension PluginLocator {
  /// The libraries that a plugin needs, other than those of the system; empty if it isn't there.
  package func neededLibraries(of name: String) -> [String] {
    (try? path(of: name)).map(Self.librariesNeeded) ?? []
  }

  fileprivate static func librariesNeeded(by library: String) -> [String] {
    guard let path = try? Files.absolute(library) else { return [] }
    return ConfinedProcess.Command.needs(of: path, .own).files
  }
}

/// The files that transcripts depend on, so that a change of one leads to those that it touches.
package struct TranscriptUses {
  /// What one transcript uses.
  private struct Uses {
    var libraries: Set<PathKey> = []
    var flow: PathKey?
    /// Whether all of its plugins were found.
    var isComplete = true
  }

  private let locator: (_ folder: String?) throws(SystemError) -> PluginLocator
  private var uses: [PathKey: Uses] = [:]
  /// What the libraries need, by their paths.
  private var needs: [PathKey: [PathKey]] = [:]

  package init(pluginPath: [String]) {
    locator = { folder throws(SystemError) in
      var configuration = SessionConfiguration()
      configuration.pluginPath = pluginPath
      configuration.scriptFolder = folder
      return try configuration.locator()
    }
  }

  /// The libraries and flows that any of the transcripts uses.
  package var libraries: Set<PathKey> {
    uses.values.reduce(into: []) { $0.formUnion($1.libraries) }
  }
  package var flows: Set<PathKey> { Set(uses.values.compactMap(\.flow)) }

  /// Reads what these transcripts use, as far as it isn't known.
  ///
  /// - Parameter changed: the files that have changed since the last call.
  package mutating func update(_ paths: [String], changed: Set<PathKey>) {
    for library in changed { needs[library] = nil }
    var read: [PathKey: Uses] = [:]
    for path in paths {
      let key = PathKey(path)
      if let known = uses[key], known.isComplete, changed.isDisjoint(with: known.libraries),
        !changed.contains(key)
      {
        read[key] = known
      } else {
        read[key] = self.read(path)
      }
    }
    uses = read
  }

  /// Whether a change of one of these files touches the transcript.
  package func touches(_ path: String, _ changed: Set<PathKey>) -> Bool {
    let key = PathKey(path)
    guard let used = uses[key], !changed.contains(key) else { return true }
    return !changed.isDisjoint(with: used.libraries) || used.flow.map(changed.contains) ?? false
  }

  private mutating func read(_ path: String) -> Uses {
    var found = Uses()
    // A file with a mistake in its head uses nothing before it is mended.
    guard let source = try? TranscriptSource(path), let head = TranscriptReader.head(of: source),
      let locator = try? locator(source.folder)
    else { return found }
    found.flow = head.flow.map { PathKey(Files.path($0, from: source.folder)) }
    for name in head.plugins {
      let places = locator.places(of: name)
      found.libraries.formUnion(places.map(PathKey.init))
      if let library = places.first, places.count == 1 {
        found.libraries.formUnion(needs(of: PathKey(library)))
      } else {
        found.isComplete = false
      }
    }
    return found
  }

  /// The libraries that a plugin needs, other than those of the system.
  private mutating func needs(of library: PathKey) -> [PathKey] {
    if let known = needs[library] { return known }
    let found = PluginLocator.librariesNeeded(by: library.path).map(PathKey.init)
    needs[library] = found
    return found
  }
}
