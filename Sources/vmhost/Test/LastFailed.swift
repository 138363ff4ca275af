import HostCore

/// Which transcripts failed in the run before from the same folder; kept among the user's caches,
/// so that no project has to ignore a file.
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

  static func read() throws(Failure) -> Set<String> {
    let path = try path()
    do throws(SystemError) {
      let text = String(decoding: try Files.read(path), as: UTF8.self)
      return Set(text.split(separator: "\n").map(String.init))
    } catch {
      throw Failure(
        .nothingToTest, "--last-failed: no run before this one, from this folder, is remembered.")
    }
  }

  /// Remembers the failures of a run. Where that isn't possible nothing is lost but a convenience,
  /// and a folder that can't be written to is common on CI machines.
  static func write(_ results: [TestResult]) {
    guard let path = try? path() else { return }
    let failed = results.filter { $0.verdict.outcome != .success }.map(\.path)
    let text = failed.map { "\($0)\n" }.joined()
    try? Files.makeFolder(above: path)
    try? Files.replace(path, with: Array(text.utf8).span)
  }
}
