/// A plugin in C that says it is another one, or wants what is another one's.
package enum PosingPlugin {
  /// Compiles it.
  ///
  /// - Parameters:
  ///   - path: where to put the library. The folder must be there.
  ///   - secret: the secret that its default config names.
  ///   - loaded: what it prints while it is loaded, before anything else of it runs.
  ///   - more: further arguments of the compiler.
  package static func compile(
    _ id: String, to path: String, secret: String? = nil, loaded: String? = nil,
    _ more: [String] = []
  ) async throws {
    let root = try Repository.root()
    let macros = [("ID", id), ("SECRET", secret), ("LOADED", loaded)].compactMap { name, value in
      value.map { "-D\(name)=\"\($0)\"" }
    }
    let source = "\(root)/Tests/Fixtures/PosingPlugin/posing.c"
    try await Compiler.c.run(
      ["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"] + macros
        + ["-I", "\(root)/Sources/PluginABI/include", source, "-o", path] + more)
  }
}
