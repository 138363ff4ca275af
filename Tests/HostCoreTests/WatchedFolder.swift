import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

/// A folder with files that a test watches.
struct WatchedFolder {
  let path: String
  let watcher: FileWatcher

  static func with<Result>(
    usesNotices: Bool = true, timing: FileWatcher.Timing = .init(),
    _ body: (WatchedFolder) async throws -> Result
  ) async throws -> Result {
    try await TemporaryDirectory.with { folder in
      let watcher = try FileWatcher(
        timing: timing, usesNotices: usesNotices, isWhole: LibraryFile.isWhole)
      return try await body(WatchedFolder(path: folder.path, watcher: watcher))
    }
  }

  /// The same for a folder in it.
  func inner(_ name: String) -> WatchedFolder {
    WatchedFolder(path: file(name), watcher: watcher)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file in place, with the folders above it.
  func write(_ text: String, to name: String) throws {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestFile.write(Array(text.utf8), to: url.path)
  }

  func move(_ name: String, to other: String) throws {
    try #require(unsafe rename(file(name), file(other)) == 0)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
  }

  /// How many folders the kernel watches.
  func watchedFolders() throws -> Int {
    let number = try #require(watcher.interests.first).number
    let bytes = try Files.read("/proc/self/fdinfo/\(number)")
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .count { $0.hasPrefix("inotify") }
  }

  /// Waits until there are changes, and nothing is about to be one.
  ///
  /// - Returns: each change as "name" or "name kind", in their order.
  func changes(
    atLeast count: Int = 1, within limit: Nanoseconds = 20_000_000_000
  ) throws -> [String] {
    let end = SystemClock.monotonic() + limit
    var told: [String] = []
    while true {
      told += watcher.take().map(text)
      if told.count >= count && !watcher.isUnsettled && watcher.timeout != 0 { return told }
      let left = end - SystemClock.monotonic()
      try #require(left > 0, "only these changes were told: \(told)")
      var interests = watcher.interests
      try HostCore.Descriptor.wait(for: &interests, timeout: min(left, watcher.timeout ?? left))
    }
  }

  private func text(_ change: FileWatcher.Change) -> String {
    let name = String(change.path.dropFirst(path.count + 1))
    return change.kind == .written ? name : "\(name) \(change.kind)"
  }
}
