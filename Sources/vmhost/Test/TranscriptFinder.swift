import HostCore

/// Finds the transcripts that a command line names.
enum TranscriptFinder {
  static let ending = ".vmt"

  /// The transcripts at the paths, those in folders in the order of their names, each once.
  static func find(_ paths: [String]) throws(Failure) -> [String] {
    var found: [String] = []
    for path in paths {
      do throws(SystemError) {
        try add(path, isNamed: true, to: &found)
      } catch {
        throw Failure(.usage, "could not look for transcripts in \"\(path)\": \(error.reason).")
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// - Parameter isNamed: whether the user named it, so that its ending doesn't matter.
  private static func add(
    _ path: String, isNamed: Bool, to found: inout [String]
  ) throws(SystemError) {
    switch try Files.kind(of: path) {
    case .directory:
      // A folder that links to one above it would be searched without end.
      if !isNamed, try Files.isLink(path) { return }
      let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
      let names = try Files.names(in: path)
      for name in names.sorted(by: { PathKey($0) < PathKey($1) }) where !name.hasPrefix(".") {
        let inner = folder.isEmpty ? "/\(name)" : "\(folder)/\(name)"
        try add(inner, isNamed: false, to: &found)
      }
    case .regular: if isNamed || path.hasSuffix(ending) { found.append(path) }
    case .other: if isNamed { found.append(path) }
    }
  }
}
