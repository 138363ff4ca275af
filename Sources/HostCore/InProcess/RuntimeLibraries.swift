import Glibc

/// Loads the Swift runtime libraries that a plugin needs, with lazy binding.
///
/// Foundation's libraries call thousands of each other's functions. The linker would look up all of
/// them when it loads the plugin. If the libraries are loaded before, it looks up each function at
/// its first call. A plugin's own libraries are bound at once, so that a missing function is an
/// error while loading.
enum RuntimeLibraries {
  private static let core = "libswiftCore.so"

  /// The paths of the runtime libraries that the library at `path` needs, in the order of need.
  ///
  /// The libraries of an installed vmhost go before those that the library would find by itself, so
  /// that a plugin does the same with a toolchain on the machine as without one.
  ///
  /// - Parameter needs: what the library needs of the installed runtime, if that is known.
  static func needed(
    by path: String, installed: String? = Installation.own.swiftRuntime,
    needs: LibraryNeeds? = nil
  ) -> [String] {
    if let installed {
      let needs = needs ?? LibraryNeeds(of: path, swiftRuntime: installed)
      return files(needs.ofSwift, in: installed)
    }
    // Loading the plugin will report anything that is wrong here.
    guard let section = try? DynamicSection(of: path), let folder = folder(for: section) else {
      return []
    }
    return files(section.needed, in: folder)
  }

  /// Loads the libraries at these paths. Loading the plugin will report what fails here.
  static func load(_ files: [String]) {
    for file in files { _ = unsafe file.withPath { unsafe dlopen($0, RTLD_LAZY) } }
  }

  private static func files(_ names: [String], in folder: String) -> [String] {
    names.filter { Files.folder(of: $0) == nil }.map { "\(folder)/\($0)" }.filter(isFile)
  }

  /// The folder of the Swift runtime that a library names; nil if it needs none.
  static func folder(for section: DynamicSection) -> String? {
    guard section.needed.contains(core) else { return nil }
    return section.searchPath.first { isFile("\($0)/\(core)") }
  }

  /// The folder of the Swift runtime that this process has loaded; nil if it is a part of the
  /// program.
  static let folder: String? = {
    guard let maps = try? Files.read("/proc/self/maps") else { return nil }
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasSuffix("/\(core)") }),
      let start = line.firstIndex(of: "/")
    else { return nil }
    return Files.folder(of: String(line[start...]))
  }()

  private static func isFile(_ path: String) -> Bool {
    (try? Files.kind(of: path)) == .regular
  }
}
