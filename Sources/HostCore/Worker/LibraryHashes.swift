/// The SHA-256 of a plugin's library, and of those beside it that it needs, which are all that
/// isn't the system's or Swift's.
package struct LibraryHashes: Sendable {
  package struct Library: Equatable, Sendable {
    /// The name by which it is needed, which is the same on all machines.
    package let name: String
    /// The SHA-256 in hexadecimal.
    package let digest: String

    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  /// The library's own SHA-256, in hexadecimal.
  package let digest: String
  /// The libraries beside it, sorted by name.
  package let beside: [Library]
  private let plugin: String
  private let installation: Installation
  private let files: [PathKey: FileIdentity]

  /// Computes the hashes. No code of the libraries runs.
  ///
  /// - Parameters:
  ///   - path: the library.
  ///   - plugin: the plugin as the user named it, for errors.
  ///   - digest: the library's own SHA-256, if it is known already.
  ///   - installation: the installation of the program that loads the library.
  /// - Throws: if a library can't be read, or can't be told by its name alone.
  package init(
    of path: String, named plugin: String, digest: String? = nil,
    installation: Installation = .own
  ) throws(PluginLoadError) {
    self.plugin = plugin
    self.installation = installation
    let needs: LibraryNeeds
    do throws(SystemError) {
      let path = try Files.absolute(path)
      var files = [PathKey(path): try FileIdentity(of: path)]
      needs = ConfinedProcess.Command.needs(of: path, installation)
      for library in needs.libraries {
        files[PathKey(library.path)] = try FileIdentity(of: library.path)
      }
      self.files = files
      self.digest = if let digest { digest } else { try SHA256.digest(ofFile: path) }
      var beside: [Library] = []
      for library in needs.libraries {
        beside.append(
          Library(name: library.name, digest: try SHA256.digest(ofFile: library.path)))
      }
      self.beside = beside.sorted { (PathKey($0.name), $0.digest) < (PathKey($1.name), $1.digest) }
    } catch {
      throw PluginLoadError(plugin, .unreadable(error.reason))
    }
    guard let doubt = needs.doubt else { return }
    throw PluginLoadError(
      plugin,
      .locked("\(doubt.terminalSafeLine), so a lock can't say which libraries are loaded."))
  }

  /// Throws if one of the files has changed since its hash was computed.
  package func requireUnchanged() throws(PluginLoadError) {
    for (key, identity) in files where (try? FileIdentity(of: key.path)) != identity {
      throw PluginLoadError(plugin, .locked("\(key.path) changed while it was loaded: try again."))
    }
  }

  /// Throws if one of these files was loaded and is not one whose hash was computed.
  ///
  /// - Parameter own: the files that were loaded before.
  func requireOnly(_ loaded: Set<PathKey>, besides own: Set<PathKey>) throws(PluginLoadError) {
    let others = loaded.subtracting(own).filter {
      guard files[$0] == nil else { return false }
      guard let folder = Files.folder(of: $0.path) else { return true }
      return !ConfinedProcess.Command.isOfSystemOrSwift(folder, installation)
    }
    guard let other = others.min() else { return }
    throw PluginLoadError(
      plugin,
      .locked(
        "it loaded \"\(other.path.terminalSafeLine)\","
          + " which is not among the libraries that it needs."
      ))
  }
}
