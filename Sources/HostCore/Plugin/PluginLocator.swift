/// Finds a plugin by the name that a user gives it.
///
/// A name with a slash is a path. Any other is looked for, as it is and with `lib` before it, in
/// the present folder, beside the script, in the folders given, and beside the executable.
package struct PluginLocator: Sendable {
  /// The variable of the environment that lists folders.
  package static let variable = "VMHOST_PLUGIN_PATH"

  private let folders: [String]
  private let isInBuildFolder: Bool

  /// - Parameters:
  ///   - script: the folder of the script or transcript that names the plugin, if there is one.
  ///   - given: `--plugin-path`, in order.
  ///   - variable: `VMHOST_PLUGIN_PATH`: folders joined by colons.
  ///   - executable: the folder of vmhost.
  package init(script: String?, given: [String], variable: String?, executable: String?) {
    let listed = (variable ?? "").split(separator: ":").map(String.init)
    isInBuildFolder = executable?.contains("/.build/") ?? false
    folders = ["."] + [script].compactMap { $0 } + given + listed + [executable].compactMap { $0 }
  }

  /// The absolute path of the plugin called `name`.
  package func absolutePath(of name: String) throws -> String {
    try Files.absolute(try path(of: name))
  }

  /// The path of the plugin called `name`.
  package func path(of name: String) throws(PluginLoadError) -> String {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PluginLoadError(name, .notFound(searched: []))
    }
    guard !name.contains("/") else {
      guard exists(name) else { throw PluginLoadError(name, .notFound(searched: [])) }
      return name
    }
    var searched: [String] = []
    for folder in folders {
      for file in ["\(folder)/\(name)", "\(folder)/lib\(name)"] {
        if exists(file) { return file }
        if !searched.contains(file) { searched.append(file) }
      }
    }
    throw PluginLoadError(
      name, .notFound(searched: searched, isInBuildFolder: isInBuildFolder))
  }

  /// What to call a plugin in a file, so that it is found from there: a path to the very folder of
  /// that file need not be one, and then both can move together.
  static func name(of name: String, besideFile file: String) -> String {
    guard let slash = name.lastIndex(of: "/") else { return name }
    let own = file.lastIndex(of: "/").map { "\(file[..<$0])/" } ?? "."
    guard let folder = try? Files.absolute("\(name[...slash])"),
      folder == (try? Files.absolute(own))
    else { return name }
    return String(name[name.index(after: slash)...])
  }

  private func exists(_ path: String) -> Bool { (try? Files.kind(of: path)) != nil }
}
