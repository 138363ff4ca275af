import Basics

/// Finds transcripts.
package struct TranscriptFinder {
  package static let ending = ".vmt"

  private var found: [String] = []
  private var seen: Set<PathKey> = []
  private var resolver = PathResolver()

  /// Returns the transcripts at the paths, each once. Those in folders are sorted by name.
  package static func find(_ paths: [String]) throws(SessionFailure) -> [String] {
    var finder = TranscriptFinder()
    for path in paths {
      switch try kind(of: path) {
      case .directory: try finder.addFolder(path)
      case .regular: finder.add(path)
      case .other:
        throw SessionFailure(
          .invalid, "\"\(path)\" is neither a file nor a folder. A transcript is read twice.")
      }
    }
    return finder.found
  }

  private mutating func add(_ path: String) {
    if seen.insert(resolver.absolute(path)).inserted { found.append(path) }
  }

  private mutating func addFolder(_ path: String) throws(SessionFailure) {
    let names: [String]
    do throws(SystemError) {
      names = try Files.names(in: path)
    } catch { throw Self.unreadable(path, error) }
    var folder = path[...]
    while folder.hasSuffix("/") { folder.removeLast() }
    for name in names.sorted(by: { PathKey($0) < PathKey($1) }) where !name.hasPrefix(".") {
      let inner = "\(folder)/\(name)"
      // A dangling link with a transcript's name counts as a file, which then can't be read.
      switch try? Files.kind(of: inner) {
      case .directory:
        // A link to a folder above it would be searched for ever.
        if (try? Files.isLink(inner)) != true { try addFolder(inner) }
      case .regular, nil: if name.hasSuffix(Self.ending) { add(inner) }
      case .other: break
      }
    }
  }

  // MARK: Errors

  private static func kind(of path: String) throws(SessionFailure) -> Files.Kind {
    do throws(SystemError) {
      return try Files.kind(of: path)
    } catch {
      throw error.isNotFound
        ? SessionFailure(.invalid, "there is no file or folder \"\(path)\".\(hint(for: path))")
        : unreadable(path, error)
    }
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> SessionFailure {
    SessionFailure(.invalid, "could not look for transcripts in \"\(path)\": \(error.reason).")
  }

  /// A hint for the first name in the path that doesn't exist.
  private static func hint(for path: String) -> String {
    var known = Files.isAbsolute(path) ? "/" : ""
    for name in Files.components(of: path) {
      if (try? Files.kind(of: known + name)) != nil {
        known += "\(name)/"
        continue
      }
      let names = (try? Files.names(in: known.isEmpty ? "." : known)) ?? []
      let likely = names.filter {
        $0.hasSuffix(ending) || (try? Files.kind(of: known + $0)) == .directory
      }
      return NearestName.hint(for: name, among: likely, prefix: known)
    }
    return ""
  }
}
