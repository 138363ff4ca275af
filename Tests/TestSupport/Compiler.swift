/// A compiler of this machine: its own, or else the one that Swift's toolchain has.
package struct Compiler {
  package let path: String

  package init(path: String) { self.path = path }

  package static var c: Compiler {
    get throws { try find("cc", orToolchain: "clang") }
  }

  package static var cxx: Compiler {
    get throws { try find("c++", orToolchain: "clang++") }
  }

  private static func find(_ name: String, orToolchain clang: String) throws -> Compiler {
    guard let path = Programs.path(of: name) ?? Programs.path(of: clang) else {
      throw TestSupportError("There is no \(name) or \(clang) in PATH.")
    }
    return Compiler(path: path)
  }

  /// Throws what the compiler says if it fails.
  package func run(_ arguments: [String]) async throws {
    let output = try await ChildProcess.run(path, arguments, within: .seconds(300))
    guard output.status == .success else { throw Failure(description: output.stderr) }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}
