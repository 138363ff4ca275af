import Foundation
import Testing

extension MoviesPluginTests {
  /// Presentation -> Domain <- Data, which a single module can't enforce by itself.
  @Suite struct LayerTests {
    private static let plugin = URL(filePath: #filePath)
      .deletingLastPathComponent().appending(path: "../../Plugins/MoviesPlugin")

    @Test func `the domain imports nothing`() throws {
      let sources = try sources(of: "Domain")
      #expect(sources.count >= 10)
      for (file, text) in sources {
        #expect(!text.contains("import "), "\(file)")
      }
    }

    @Test func `the other layers import the kit and nothing else`() throws {
      for (file, text) in try sources(of: "Data") + sources(of: "Presentation") {
        let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
        #expect(imports.allSatisfy { $0 == "import ViewModelKit" }, "\(file)")
      }
    }

    @Test func `presentation and data know nothing of each other`() throws {
      for (layer, other) in [("Presentation", "Data"), ("Data", "Presentation")] {
        // A file is named for its type; an extension's file, after the plus, for what it adds to.
        let names = try sources(of: other).map { $0.file.prefix { $0 != "." && $0 != "+" } }
        let types = Set(names).subtracting(["CalendarDate", "MoviesFailure"])
        #expect(types.count >= 8)
        for (file, text) in try sources(of: layer) {
          let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
          #expect(words.isDisjoint(with: types), "\(file) of \(layer)")
        }
      }
    }

    private func sources(of layer: String) throws -> [(file: String, text: String)] {
      let folder = Self.plugin.appending(path: layer)
      let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap {
        $0 as? String
      }
      return try (files ?? []).filter { $0.hasSuffix(".swift") }.map { path in
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return (file: String(path.split(separator: "/").last ?? ""), text: text)
      }
    }
  }
}
