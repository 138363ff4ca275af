import Basics

/// Finds a plugin by the name that a user gives.
///
/// A name with a slash is a path. Any other name is searched for in the current folder, beside the
/// script, in the given folders, beside the executable, and among the installed sample plugins. The
/// file may have `lib` before its name.
package struct PluginLocator: Sendable {
  /// The environment variable that lists folders.
  package static let variable = "VMHOST_PLUGIN_PATH"

  private let folders: [String]
  private let isInBuildFolder: Bool

  /// - Parameters:
  ///   - script: the folder of the script or transcript that names the plugin, if there is one.
  ///   - given: `--plugin-path`, in order.
  ///   - variable: `VMHOST_PLUGIN_PATH`: folders joined by colons.
  ///   - executable: the folder of vmhost.
  ///   - installation: where the sample plugins are.
  package init(
    script: String?, given: [String], variable: String?, executable: String?,
    installation: Installation = .own
  ) {
    let listed = Files.folders(inList: variable ?? "").filter { !$0.isEmpty }
    isInBuildFolder = executable?.contains("/.build/") ?? false
    folders =
      ["."] + [script].compactMap(\.self) + given + listed
      + [executable, installation.plugins].compactMap(\.self)
  }

  /// The absolute path of the plugin called `name`, with links resolved.
  ///
  /// - Throws: `PluginLoadError` if there is no such file, `SystemError` if the path can't be
  ///   resolved.
  package func absolutePath(of name: String) throws -> String {
    try Files.absolute(try path(of: name))
  }

  /// Where the plugin called `name` is, or else each path at which it may appear.
  package func places(of name: String) -> [String] {
    let all = candidates(for: name)
    return all.first(where: isFile).map { [$0] } ?? all
  }

  /// The bare names that lead to libraries outside of the current folder, in order.
  package var names: [String] {
    let files = folders.filter { $0 != "." }.flatMap { (try? Files.names(in: $0)) ?? [] }
    let names = files.filter { $0.hasSuffix(Self.ending) }
      .map { $0.hasPrefix("lib") ? String($0.dropFirst(3)) : $0 }
    return Set(names).sorted()
  }

  private static let ending = ".so"

  private func candidates(for name: String) -> [String] {
    guard let folder = Files.folder(of: name) else {
      return folders.flatMap { ["\($0)/\(name)", "\($0)/lib\(name)"] }
    }
    return [name, "\(folder)/lib\(Files.name(of: name))"]
  }

  /// The path of the plugin called `name`.
  ///
  /// - Throws: `PluginLoadError` with the paths that were tried, if there is no such file.
  package func path(of name: String) throws(PluginLoadError) -> String {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PluginLoadError(name, .notFound(searched: []))
    }
    if let folder = Files.folder(of: name).map({ "\($0)/" }) {
      let file = Files.name(of: name)
      if exists(name) { return name }
      let library = "\(folder)lib\(file)"
      if isFile(library) { return library }
      throw PluginLoadError(
        name, .notFound(searched: [], hint: Self.hint(for: file, in: [folder], prefix: folder)))
    }
    var searched: [String] = []
    for file in candidates(for: name) {
      if isFile(file) { return file }
      if !searched.contains(file) { searched.append(file) }
    }
    throw PluginLoadError(
      name,
      .notFound(
        searched: searched, hint: Self.hint(for: name, in: folders),
        isInBuildFolder: isInBuildFolder))
  }

  /// The end of an error message: the plugin in `folders` that was probably meant, if one is near.
  private static func hint(
    for name: String, in folders: [String], prefix: String = ""
  ) -> String {
    // Only what differs from plugin to plugin is compared.
    let end = ending
    let stem = name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
    // A folder that can't be read has nothing to suggest.
    let files = folders.flatMap { (try? Files.names(in: $0)) ?? [] }
    let stems = files.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
    let candidates = stems + stems.filter { $0.hasPrefix("lib") }.map { String($0.dropFirst(3)) }
    let nearest = candidates.contains(stem) ? stem : NearestName.of(stem, among: candidates)
    return nearest.map { " Did you mean \"\(prefix)\($0)\(end)\"?" } ?? ""
  }

  /// The name by which a file can refer to a plugin. A plugin in the same folder needs no path, so
  /// that both can move together.
  static func name(of name: String, besideFile file: String) -> String {
    guard let named = Files.folder(of: name) else { return name }
    let own = Files.folder(of: file).map { "\($0)/" } ?? "."
    guard let folder = try? Files.absolute("\(named)/"),
      folder == (try? Files.absolute(own))
    else { return name }
    return Files.name(of: name)
  }

  private func exists(_ path: String) -> Bool { (try? Files.kind(of: path)) != nil }

  /// Whether there is a file. A folder that happens to have the name of a plugin is none.
  private func isFile(_ path: String) -> Bool {
    (try? Files.kind(of: path)).map { $0 != .directory } ?? false
  }
}
