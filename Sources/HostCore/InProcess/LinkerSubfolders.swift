/// The folders in which the linker looks before the folder that contains them, for libraries that
/// were made for this processor (ld.so(8)).
struct LinkerSubfolders {
  /// Those of folders that were asked for; nil for too many.
  private var known: [PathKey: [String]?] = [:]

  /// Their names before glibc 2.37, which may be nested in each other.
  private static let legacy = [
    "tls", "x86_64", "haswell", "xeon_phi", "avx512_1", "sse2", "aarch64", "atomics",
  ]
  private static let current = "glibc-hwcaps"
  private static let maxCount = 64

  /// All in a folder, or nil if there are too many, or they can't be listed.
  mutating func all(in folder: String) -> [String]? {
    if let folders = known[PathKey(folder)] { return folders }
    let folders = Self.search(folder)
    known[PathKey(folder)] = .some(folders)
    return folders
  }

  private static func search(_ folder: String) -> [String]? {
    var found: [String] = []
    if isFolder("\(folder)/\(current)") {
      guard let names = try? Files.names(in: "\(folder)/\(current)"), names.count <= maxCount else {
        return nil
      }
      found = names.sorted().map { "\(folder)/\(current)/\($0)" }
    }
    var waiting = [(folder: folder, names: legacy)]
    while let (parent, names) = waiting.popLast() {
      for name in names where isFolder("\(parent)/\(name)") {
        guard found.count < maxCount else { return nil }
        found.append("\(parent)/\(name)")
        waiting.append(("\(parent)/\(name)", names.filter { $0 != name }))
      }
    }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? Files.kind(of: path)) == .directory
  }
}
