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

  /// All Markdown files but hidden ones, by their names from the root.
  package static func documents() throws -> [(name: String, text: String)] {
    let root = try root()
    let files = FileManager.default.enumerator(
      at: URL(filePath: root), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let names = (files?.compactMap { ($0 as? URL)?.path } ?? []).filter { $0.hasSuffix(".md") }
      .map { String($0.dropFirst(root.count + 1)) }
    return try names.sorted().map { ($0, try text($0)) }
  }
}
