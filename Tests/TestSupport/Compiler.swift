import Foundation

/// A compiler of this machine: its own, or else the one that Swift's toolchain has.
package struct Compiler: Sendable {
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

  /// Makes a file, which many tests want alike: only the first of them runs the compiler.
  ///
  /// - Parameter arguments: all but those that name the file.
  package func make(_ file: String, _ arguments: [String]) async throws {
    let bytes = try await Self.cache.bytes(of: [path] + arguments) { output in
      try await run(arguments + ["-o", output])
    }
    let new = "\(file).new"
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    guard FileManager.default.createFile(atPath: new, contents: bytes, attributes: attributes),
      unsafe rename(new, file) == 0
    else { throw TestSupportError("Could not write \(file).") }
  }

  /// What compilers have made since the tests began.
  private static let cache = Cache()

  private actor Cache {
    private var made: [[String]: Task<Data, any Error>] = [:]

    func bytes(
      of command: [String], _ compile: @escaping @Sendable (String) async throws -> Void
    ) async throws -> Data {
      let task =
        made[command]
        ?? Task {
          try await TemporaryDirectory.with { folder in
            try await compile(folder.file("made"))
            return try Data(contentsOf: URL(fileURLWithPath: folder.file("made")))
          }
        }
      made[command] = task
      return try await task.value
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}
