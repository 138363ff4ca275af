import Glibc

/// The libraries of the Swift runtime that a plugin needs.
///
/// Foundation's call thousands of each other's functions, which the linker would look up one by one
/// when it loads the plugin. Loaded before it, they are looked up as they are called. What a plugin
/// brings itself is not loaded so: a function that it lacks is an error at once.
enum RuntimeLibraries {
  private static let core = "libswiftCore.so"

  /// Loads those of the library at `path`, which is loaded next.
  ///
  /// - Returns: their names.
  @discardableResult
  static func load(for path: String) -> [String] {
    // Whatever is wrong here is wrong when the plugin is loaded, too, which says it.
    guard let section = try? DynamicSection(of: path), section.needed.contains(core),
      let folder = section.searchPath.first(where: { isFile("\($0)/\(core)") })
    else { return [] }
    return section.needed.filter { name in
      let file = "\(folder)/\(name)"
      guard !name.contains("/"), isFile(file) else { return false }
      return unsafe dlopen(file, RTLD_LAZY) != nil
    }
  }

  private static func isFile(_ path: String) -> Bool {
    (try? Files.kind(of: path)) == .regular
  }
}
