import Foundation

/// The files of the project under test.
package enum Repository {
  /// The folder that has `Package.swift`, found upwards from this source file.
  package static func root(_ file: String = #filePath) throws -> String {
    var folder = URL(filePath: file).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    throw TestSupportError("no Package.swift above \(file)")
  }

  /// The text of a file, named from the root.
  package static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root())/\(path)", encoding: .utf8)
  }

  /// All Markdown files, by their names from the root.
  package static func documents() throws -> [(name: String, text: String)] {
    let root = try root()
    let folder = "\(root)/Documentation"
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
    return try (["README.md", "CHANGELOG.md"] + names).map { ($0, try text($0)) }
  }
}
