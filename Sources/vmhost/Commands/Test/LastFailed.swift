import HostCore

/// Which transcripts failed when they were last run from the same folder; kept among the user's
/// caches, so that no project has to ignore a file.
enum LastFailed {
  private static func path() throws(Failure) -> String {
    let caches: String
    if let folder = Environment.value("XDG_CACHE_HOME"), folder.hasPrefix("/") {
      caches = folder
    } else if let home = Environment.value("HOME"), home.hasPrefix("/") {
      caches = "\(home)/.cache"
    } else {
      throw Failure(
        .usage,
        "--last-failed: there is no folder to remember that in: neither XDG_CACHE_HOME nor HOME is"
          + " set.")
    }
    do throws(SystemError) {
      let folder = try Files.absolute(".")
      return "\(caches)/vmhost/failed-\(SHA256.digest(of: Array(folder.utf8)).prefix(16))"
    } catch { throw Failure(error) }
  }

  private static func places() throws(Failure) -> Set<PathKey> {
    // Where there is no such file, nothing has failed yet.
    let path = try path()
    guard let bytes = try? Files.read(path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return Set(lines.map { PathKey(String($0)) })
  }

  /// Those of the transcripts that failed when they were last run.
  static func among(_ paths: [String]) throws(Failure) -> [String] {
    let failed = try places()
    var places = PathPlaces()
    return paths.filter { failed.contains(places.place(of: $0)) }
  }

  /// Remembers how transcripts fared; what is known of others stays. Where that isn't possible
  /// nothing is lost but a convenience, and a folder that can't be written to is common on CI
  /// machines.
  ///
  /// - Parameter mended: those in which nothing differs any more.
  static func write(_ results: [TestResult], mended: Set<PathKey>) {
    guard let path = try? path(), var failed = try? places() else { return }
    var places = PathPlaces()
    for result in results {
      let place = places.place(of: result.path)
      if result.verdict.outcome == .success || mended.contains(PathKey(result.path)) {
        failed.remove(place)
      } else {
        failed.insert(place)
      }
    }
    let text = failed.sorted().map { "\($0.path)\n" }.joined()
    try? Files.makeFolder(above: path)
    try? Files.replace(path, with: Array(text.utf8).span)
  }
}
