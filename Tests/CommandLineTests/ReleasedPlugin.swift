import Foundation
import TestSupport
import Testing

/// A plugin of `Tests/Compatibility`: one source file, in a folder with its transcripts.
struct ReleasedPlugin: CustomTestStringConvertible {
  /// Such as `1.0`: the version of the ABI that it was written for.
  let release: String
  let name: String
  let language: Language

  enum Language: String, CaseIterable {
    case c
    case cxx = "cpp"
    case rust = "rs"
  }

  static let root = "Tests/Compatibility"

  var folder: String { "\(Self.root)/\(release)/\(name)" }
  var source: String { "\(folder)/\(name).\(language.rawValue)" }
  var testDescription: String { source }

  static func releases() throws -> [String] {
    try folders(in: root)
  }

  static func all() throws -> [ReleasedPlugin] {
    try releases().flatMap { release in
      try folders(in: "\(root)/\(release)").filter { $0 != "include" }.map { name in
        let files = try contents(of: "\(root)/\(release)/\(name)")
        let language = Language.allCases.first { files.contains("\(name).\($0.rawValue)") }
        guard let language else {
          throw TestSupportError("There is no source in \(release)/\(name).")
        }
        return ReleasedPlugin(release: release, name: name, language: language)
      }
    }
  }

  func transcripts() throws -> [String] {
    try Self.contents(of: folder).filter { $0.hasSuffix(".vmt") }
  }

  /// Builds the library that transcripts call `NAME.so`, from the header of the release; false
  /// where there is no compiler for a language that the tests can do without.
  ///
  /// Warnings are no errors: the source stays as it is, whatever later compilers warn of.
  func compile(into directory: TemporaryDirectory) async throws -> Bool {
    let root = try Repository.root()
    let output = ["\(root)/\(source)", "-o", directory.file("\(name).so")]
    let header = ["-shared", "-fPIC", "-I", "\(root)/\(Self.root)/\(release)/include"]
    switch language {
    case .c: try await Compiler.c.run(["-std=c11"] + header + output)
    case .cxx: try await Compiler.cxx.run(["-std=c++17"] + header + output)
    case .rust:
      guard let rustc = Programs.path(of: "rustc") else {
        print("rustc is missing: \(source) isn't tried")
        return false
      }
      let options = ["--edition", "2021", "--crate-type", "cdylib"]
      let linker = try ["-C", "linker=\(Compiler.c.path)"]
      try await Compiler(path: rustc).run(options + linker + output)
    }
    return true
  }

  private static func contents(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root())/\(folder)").sorted()
  }

  private static func folders(in folder: String) throws -> [String] {
    let root = try Repository.root()
    return try contents(of: folder).filter {
      var isFolder: ObjCBool = false
      let path = "\(root)/\(folder)/\($0)"
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue
    }
  }
}
