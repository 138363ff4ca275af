import Foundation

/// A new, empty folder under the system's temporary folder, removed with its owner.
package final class TemporaryDirectory: Sendable {
  /// Absolute, without a slash at its end.
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("vmhost-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      FileHandle.standardError.write(Data("Could not remove \(path): \(error)\n".utf8))
    }
  }

  /// Makes a folder for `body` alone. Prefer this: a local variable may be released, and its folder
  /// removed, right after its last use.
  package static func with<Result>(
    _ body: (TemporaryDirectory) async throws -> Result
  ) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try await body(directory)
  }

  /// The path of a file or folder inside.
  package func file(_ name: String) -> String {
    path + "/" + name
  }

  /// Writes a file inside, with the folders above it, and gives its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestFile.write(Array(text.utf8), to: url.path)
    return url.path
  }
}
