import Foundation
import Testing

/// Presentation -> Domain <- Data, which the one module of a plugin can't enforce by itself.
struct PluginLayerTests {
  static let plugins = ["MoviesPlugin", "AccountPlugin"]

  @Test(arguments: plugins) func `the domain imports nothing`(plugin: String) throws {
    for (file, text) in try Self.sources(of: "Domain", in: plugin) {
      #expect(!text.contains("import "), "\(file)")
    }
  }

  @Test(arguments: plugins)
  func `the other layers import the kit, and presentation the locales`(plugin: String) throws {
    let locales = ["import FoundationEssentials", "import FoundationInternationalization"]
    for (layer, others) in [("Data", []), ("Presentation", locales)] {
      for (file, text) in try Self.sources(of: layer, in: plugin) {
        let imports = text.split(separator: "\n").map(String.init).filter {
          $0.hasPrefix("import ")
        }
        let allowed = ["import ViewModelKit"] + others
        #expect(imports.allSatisfy(allowed.contains), "\(file) of \(layer)")
      }
    }
  }

  @Test(arguments: plugins)
  func `presentation and data know nothing of each other`(plugin: String) throws {
    for (layer, other) in [("Presentation", "Data"), ("Data", "Presentation")] {
      let types = try Self.types(of: other, in: plugin)
      try #require(!types.isEmpty)
      for (file, text) in try Self.sources(of: layer, in: plugin) {
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        #expect(words.intersection(types) == [], "\(file) of \(layer)")
      }
    }
  }

  /// The types that a layer's files are named for. A file with a plus in its name only adds to a
  /// type, which may be of another layer or the kit's.
  private static func types(of layer: String, in plugin: String) throws -> Set<String> {
    let files = try sources(of: layer, in: plugin).map(\.file).filter { !$0.contains("+") }
    return Set(files.map { String($0.prefix { $0 != "." }) })
  }

  private static func sources(
    of layer: String, in plugin: String
  ) throws -> [(file: String, text: String)] {
    let folder = URL(filePath: #filePath)
      .deletingLastPathComponent().appending(path: "../../Plugins/\(plugin)/\(layer)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") }
    try #require(!paths.isEmpty)
    return try paths.map { path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return (file: path.split(separator: "/").last.map(String.init) ?? path, text: text)
    }
  }
}
