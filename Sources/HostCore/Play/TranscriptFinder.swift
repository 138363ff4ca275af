import Basics

/// Finds transcripts.
package struct TranscriptFinder {
  package static let ending = ".vmt"

  private var found: [String] = []
  private var seen: Set<PathKey> = []
  private var places = PathPlaces()

  /// The transcripts at the paths, those in folders in the order of their names, each once.
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
    if seen.insert(places.place(of: path)).inserted { found.append(path) }
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
      // A link to nowhere is a file that can't be read, if its name is a transcript's.
      switch try? Files.kind(of: inner) {
      case .directory:
        // One that links to a folder above it would be searched without end.
        if (try? Files.isLink(inner)) != true { try addFolder(inner) }
      case .regular, nil: if name.hasSuffix(Self.ending) { add(inner) }
      case .other: break
      }
    }
  }

  // MARK: Paths that lead nowhere

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

  /// What was probably meant by the first name on the way that isn't there.
  private static func hint(for path: String) -> String {
    var known = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      if (try? Files.kind(of: known + name)) != nil {
        known += "\(name)/"
        continue
      }
      let names = (try? Files.names(in: known.isEmpty ? "." : known)) ?? []
      let likely = names.filter {
        $0.hasSuffix(ending) || (try? Files.kind(of: known + $0)) == .directory
      }
      return NearestName.hint(for: String(name), among: likely, prefix: known)
    }
    return ""
  }
}
