/// The folders of an installed vmhost, next to the folder of its program.
///
/// An installation can be moved as a whole, so every folder is found from the program. A vmhost
/// that runs where it was built has none of them.
package struct Installation: Equatable, Sendable {
  /// The folder of the running program.
  package static let own = Installation(programs: try? Files.executableFolder())

  /// The folder with `bin`, `lib` and `share`; nil if it is unknown.
  private let prefix: String?

  /// - Parameter programs: the absolute path of the folder of vmhost's program, without links.
  init(programs: String?) { prefix = programs.flatMap(Files.folder) }

  /// - Parameter program: the path of vmhost's program, or a link to it.
  init(program: String) {
    self.init(programs: (try? Files.absolute(program)).flatMap(Files.folder))
  }

  /// The folder of the sample plugins.
  package var plugins: String? { folder("lib/vmhost/plugins") }

  /// The folder of the Swift runtime's libraries, for plugins that were linked with them.
  var swiftRuntime: String? { folder("lib/vmhost/swift") }

  /// The folder of the Swift package that plugins in Swift depend on.
  package var package: String? { folder("share/vmhost/package") }

  private func folder(_ path: String) -> String? {
    guard let prefix else { return nil }
    let folder = "\(prefix)/\(path)"
    return (try? Files.kind(of: folder)) == .directory ? folder : nil
  }
}
