import HostCore

/// The transcripts that failed when they were last run from the same folder. The list is among the
/// user's caches, so that no project has to ignore a file.
enum LastFailed {
  private static func path() throws(Failure) -> String {
    let caches: String
    if let folder = Environment.path("XDG_CACHE_HOME"), Files.isAbsolute(folder) {
      caches = folder
    } else if let home = Environment.path("HOME"), Files.isAbsolute(home) {
      caches = "\(home)/.cache"
    } else {
      throw Failure(
        .usage,
        "--last-failed needs a folder to remember failures in, but neither XDG_CACHE_HOME nor"
          + " HOME is set.")
    }
    do throws(SystemError) {
      let folder = try Files.absolute(".")
      return "\(caches)/vmhost/failed-\(SHA256.digest(of: Array(folder.utf8)).prefix(16))"
    } catch { throw Failure(error) }
  }

  private static func paths() throws(Failure) -> Set<PathKey> {
    // Without such a file, nothing has failed yet.
    let path = try path()
    guard let bytes = try? Files.read(path) else { return [] }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return Set(lines.map { PathKey(String(decoding: $0, as: UTF8.self)) })
  }

  /// Returns the transcripts that failed when they were last run.
  static func among(_ paths: [String]) throws(Failure) -> [String] {
    let failed = try self.paths()
    var resolver = PathResolver()
    return paths.filter { failed.contains(resolver.absolute($0)) }
  }

  /// Saves which of these transcripts failed, and keeps what is known of others.
  ///
  /// Errors are ignored: only a convenience is lost, and CI machines often have no folder that can
  /// be written to.
  ///
  /// - Parameter accepted: the transcripts that were rewritten and no longer differ.
  static func write(_ results: [TestResult], accepted: Set<PathKey>) {
    guard let path = try? path(), let known = try? paths() else { return }
    var failed = known
    var resolver = PathResolver()
    for result in results {
      let key = resolver.absolute(result.path)
      if result.verdict.outcome == .success || accepted.contains(PathKey(result.path)) {
        failed.remove(key)
      } else {
        failed.insert(key)
      }
    }
    guard failed != known else { return }
    let text = failed.sorted().map { "\($0.path)\n" }.joined()
    try? Files.makeFolder(above: path)
    try? Files.replace(path, with: Array(text.utf8).span)
  }
}
